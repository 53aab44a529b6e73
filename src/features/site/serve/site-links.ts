import type { Edition } from '../edition/edition.ts'
import type { ServedSite } from './served-site.ts'
import { markdownRoute } from './site-address.ts'
import { encodePath, readSitePath } from './site-path.ts'

/** Writes addresses of authors as addresses of the site; `from` is the file that they stand in. */
export type LinkWriter = (url: string, from: string) => string

/** What else may lead out of a page. `javascript:` and its like have no place in one, however they got here. */
const harmlessScheme = /^(?:https?|mailto|tel|sms|ftp|xmpp|irc|ircs|vscode|cursor):/i
const harmlessImage = /^data:image\/(?:png|gif|jpeg|webp|avif|svg\+xml);/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers leave these out of an address before they read it.
const ignored = /[\u0000-\u0020]/g

/** For HTML: from the root of the host. */
export function createLinkWriter(site: Pick<ServedSite, 'base' | 'edition'>): LinkWriter {
  return (url, from) => {
    const place = locate(site.edition, url, from)
    return place.kind === 'here' ? `${site.base}${place.path}${place.rest}` : place.url
  }
}

/** For Markdown, which is read far away from the site: whole, and pages in their Markdown form. */
export function createMarkdownLinkWriter(site: Pick<ServedSite, 'base' | 'origin' | 'edition'>): LinkWriter {
  const { origin, base } = site
  return (url, from) => {
    const place = locate(site.edition, url, from)
    if (place.kind !== 'here') return place.url
    const path = place.isPage ? markdownRoute(place.path) : place.path
    return `${origin}${base}${path}${place.rest}`
  }
}

type Place =
  /** An anchor of the same page, or another site. */
  | { kind: 'asWritten'; url: string }
  /** Of this site: a path as it stands in an address, and what follows it. */
  | { kind: 'here'; path: string; rest: string; isPage: boolean }

function locate({ model, pages }: Edition, url: string, from: string): Place {
  const text = url.trim()
  if (text.startsWith('#')) return { kind: 'asWritten', url: text }
  const target = model.map.resolveLink(from, text)
  if (target.kind === 'external') return { kind: 'asWritten', url: isHarmless(text) ? text : '#' }
  const query = queryOf(text)
  if (target.kind === 'page') {
    const anchor = target.anchor === null || target.anchor === '' ? '' : `#${encodeURI(target.anchor.toWellFormed())}`
    return here(model.map.routeOf(target.path), `${query}${anchor}`, true)
  }
  const fragment = fragmentOf(text)
  if (target.kind === 'asset') return here(`/${target.path}`, `${query}${fragment}`, false)
  const route = target.kind === 'missing' ? target.route : absolute(text, model.map.routeOf(from))
  const isPage = pages.has(route) || (route === '/' && model.home !== null)
  return here(route, `${query}${fragment}`, isPage)
}

function here(route: string, rest: string, isPage: boolean): Place {
  return { kind: 'here', path: encodePath(route), rest, isPage }
}

function isHarmless(url: string): boolean {
  const bare = url.replace(ignored, '')
  // Without a scheme it can only be an address of some site.
  return !/^[a-z][a-z\d+.-]*:/i.test(bare) || harmlessScheme.test(bare) || harmlessImage.test(bare)
}

/** Where a browser would go: routes of specifications are written from the root, or beside the page. */
function absolute(url: string, fromRoute: string): string {
  const base = `http://site.invalid${encodePath(fromRoute)}`
  const path = URL.canParse(url, base) ? new URL(url, base).pathname : '/'
  return readSitePath(path)?.route ?? '/'
}

function queryOf(url: string): string {
  return /^[^#?]*(\?[^#]*)?/.exec(url)?.[1] ?? ''
}

function fragmentOf(url: string): string {
  return /#.*$/s.exec(url)?.[0] ?? ''
}
