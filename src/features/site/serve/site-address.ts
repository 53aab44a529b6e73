import type { ServedSite } from './served-site.ts'
import { encodePath } from './site-path.ts'

export type SiteAddress = Pick<ServedSite, 'base' | 'origin'>

/** Where something of a site is, from the root of its host. */
export function pathTo({ base }: Pick<ServedSite, 'base'>, route: string): string {
  return `${base}${encodePath(route)}`
}

export function urlTo({ base, origin }: SiteAddress, route: string): string {
  return `${origin}${base}${encodePath(route)}`
}

/** Where the Markdown of a page is. */
export function markdownRoute(route: string): string {
  return route === '/' ? '/index.md' : `${route}.md`
}
