import type { ServedSite } from '../serve/served-site.ts'
import { urlTo } from '../serve/site-address.ts'

/** Everybody may read what is public, agents included; previews are nobody's to keep. */
export function writeRobots(site: Pick<ServedSite, 'kind' | 'base' | 'origin'>): string {
  if (site.kind !== 'live') return 'User-agent: *\nDisallow: /\n'
  return `User-agent: *\nAllow: /\nDisallow: ${site.base}/_docent/search\n\nSitemap: ${urlTo(site, '/sitemap.xml')}\n`
}
