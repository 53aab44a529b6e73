import type { ServedSite } from '../serve/served-site.ts'
import { urlTo } from '../serve/site-address.ts'
import { listSections } from './listed-pages.ts'

/** What the protocol allows in one file. */
const mostUrls = 50_000

/** `/sitemap.xml`, and where there are too many pages for one, the files that it leads to: `/sitemap-1.xml`. */
export function buildSitemap(
  site: Pick<ServedSite, 'edition' | 'base' | 'origin'>,
  { limit = mostUrls }: { limit?: number } = {},
): ReadonlyMap<string, string> {
  const entries = listSections(site.edition).flatMap(({ pages }) =>
    pages.map((page) => {
      const updatedAt = site.edition.updatedAt(page)
      const modified = updatedAt === null ? '' : `<lastmod>${updatedAt.toISOString()}</lastmod>`
      return `<url><loc>${escapeXml(urlTo(site, page.route))}</loc>${modified}</url>`
    }),
  )
  const files = new Map<string, string>()
  if (entries.length <= limit) return files.set('/sitemap.xml', writeXml('urlset', entries))
  const parts: string[] = []
  for (let at = 0; at < entries.length; at += limit) {
    const route = `/sitemap-${parts.length + 1}.xml`
    files.set(route, writeXml('urlset', entries.slice(at, at + limit)))
    parts.push(`<sitemap><loc>${escapeXml(urlTo(site, route))}</loc></sitemap>`)
  }
  return files.set('/sitemap.xml', writeXml('sitemapindex', parts))
}

function writeXml(root: string, entries: string[]): string {
  const opening = `<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`
  return `<?xml version="1.0" encoding="UTF-8"?>\n${[opening, ...entries, `</${root}>`].join('\n')}\n`
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll("'", '&apos;')
}
