import { oneLine } from '#base/one-line.ts'
import { layoutNotFound } from '../pages/layout-not-found.ts'
import { answerRedirect, answerText, pageSecurity, textSecurity } from './answers.ts'
import { prefersMarkdown } from './negotiate.ts'
import type { ServedSite, SiteAnswer, SiteRequest } from './served-site.ts'
import { markdownRoute, pathTo, urlTo } from './site-address.ts'
import { suggestPages } from './suggest.ts'

/**
 * What is not there, told with pages that may have been meant; `route` is null for what could be none. Always a 404, or
 * programs would take it for the page; only a person's browser is sent to the first page, where the author wants that.
 */
export async function answerNotFound(
  site: ServedSite,
  request: SiteRequest,
  route: string | null,
): Promise<SiteAnswer> {
  const { home, settings } = site.edition.model
  const accept = request.headers.accept ?? ''
  const wantsMarkdown = prefersMarkdown(accept) || /\.mdx?$/i.test(route ?? '')
  if (settings.notFound.redirectHome && home !== null && !wantsMarkdown && isNavigation(request)) {
    return answerRedirect(307, pathTo(site, home))
  }
  // A picture that is missing is told to nobody.
  if (/\.\w{1,5}$/.test(route ?? '') && !wantsMarkdown && !/text\/html/i.test(accept)) {
    return answerText(404, 'text/plain; charset=utf-8', 'Not found.\n')
  }
  const suggestions = route === null ? [] : suggestPages(site.edition, route)
  const headers = { ...noCache, 'x-robots-tag': 'noindex' }
  if (wantsMarkdown) {
    const links = suggestions.map(({ title, route: known }) => `- [${title}](${urlTo(site, markdownRoute(known))})`)
    const near = links.length > 0 ? `\n\nPerhaps one of these:\n\n${links.join('\n')}` : ''
    const body = `# Page not found\n\nThere is no page at this address. All pages: ${urlTo(site, '/llms.txt')}${near}\n`
    return {
      status: 404,
      headers: { ...textSecurity, ...headers, 'content-type': 'text/markdown; charset=utf-8' },
      body,
      view: null,
    }
  }
  return {
    status: 404,
    headers: { ...pageSecurity({ needsMermaid: false }), ...headers, 'content-type': 'text/html; charset=utf-8' },
    body: layoutNotFound({ site, route: oneLine(route ?? '', 200), suggestions }),
    view: null,
  }
}

const noCache = { 'cache-control': 'no-store', vary: 'Accept' }

/** Somebody who opens an address in a browser. */
function isNavigation({ headers }: SiteRequest): boolean {
  return headers['sec-fetch-mode'] === 'navigate'
}
