import { type CodeBlock, fillTemplate, type Template } from '#features/content/service.ts'
import { markdownPage } from '../agents/markdown-page.ts'
import type { EditionPage } from '../edition/edition.ts'
import { layoutPage } from '../pages/layout-page.ts'
import { everywhere, pageSecurity } from './answers.ts'
import { type Finished, finish } from './finished.ts'
import type { ServeDeps } from './serve-deps.ts'
import type { ServedSite } from './served-site.ts'
import { markdownRoute, urlTo } from './site-address.ts'
import { createLinkWriter, createMarkdownLinkWriter } from './site-links.ts'

/** Browsers ask each time whether a page is still right: so a push is seen at once, and every view is counted. */
const cacheControl = 'public, max-age=0, must-revalidate'

/** The page for people. */
export async function finishHtml(
  { renderer }: Pick<ServeDeps, 'renderer'>,
  site: ServedSite,
  page: EditionPage,
): Promise<Finished> {
  const { html, needsMermaid } = await site.edition.render(page)
  const code = await renderer.highlight(codeOf(html))
  const updatedAt = site.edition.updatedAt(page)
  const link = createLinkWriter(site)
  const body = fillTemplate(html, { link, code: (index) => code[index] ?? '' }, 'html')
  return finish(layoutPage({ site, page, body, needsMermaid }), {
    headers: {
      ...pageSecurity({ needsMermaid }),
      ...commonHeaders(site, page),
      'content-type': 'text/html; charset=utf-8',
      vary: 'Accept, Accept-Encoding',
    },
    isProvisional: updatedAt === null,
  })
}

/** The page for agents; `isNegotiated`: at the address of the HTML. */
export async function finishMarkdown(
  site: ServedSite,
  page: EditionPage,
  { isNegotiated }: { isNegotiated: boolean },
): Promise<Finished> {
  return finish(await writeMarkdown(site, page), {
    headers: {
      ...everywhere,
      ...commonHeaders(site, page),
      'content-type': 'text/markdown; charset=utf-8',
      vary: isNegotiated ? 'Accept, Accept-Encoding' : 'Accept-Encoding',
    },
  })
}

export async function writeMarkdown(site: ServedSite, page: EditionPage): Promise<string> {
  const { markdown } = await site.edition.render(page)
  const blocks = codeOf(markdown)
  const link = createMarkdownLinkWriter(site)
  const body = fillTemplate(markdown, { link, code: (index) => blocks[index]?.text ?? '' }, 'markdown')
  return markdownPage(site, { page, body })
}

function codeOf({ parts }: Template): CodeBlock[] {
  return parts.flatMap((part) => (typeof part === 'object' && part.kind === 'code' ? [part.block] : []))
}

function commonHeaders(site: ServedSite, page: EditionPage): Record<string, string> {
  const { fields } = page.index
  return {
    'cache-control': cacheControl,
    link: linksOf(site, page),
    ...(fields.noIndex || fields.isHidden ? { 'x-robots-tag': 'noindex' } : {}),
  }
}

/** What programs find without reading the page: its one address, its Markdown, and the lists of all pages. */
function linksOf(site: ServedSite, page: EditionPage): string {
  return [
    `<${canonicalUrl(site, page)}>; rel="canonical"`,
    `<${urlTo(site, markdownRoute(page.route))}>; rel="alternate"; type="text/markdown"`,
    `<${urlTo(site, '/llms.txt')}>; rel="llms-txt"`,
    `<${urlTo(site, '/sitemap.xml')}>; rel="sitemap"`,
  ].join(', ')
}

function canonicalUrl(site: ServedSite, { route, index }: EditionPage): string {
  const { canonical } = index.fields
  if (canonical === null || !URL.canParse(canonical)) return urlTo(site, route)
  const { protocol, href } = new URL(canonical)
  // What ends the address, or the header, is not part of one.
  return /^https?:$/.test(protocol) ? href.replace(/[<>,;"\s]/g, encodeURIComponent) : urlTo(site, route)
}
