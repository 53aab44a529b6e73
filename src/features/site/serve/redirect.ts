import { findPage } from './find-page.ts'
import type { ServedSite } from './served-site.ts'
import { pathTo } from './site-address.ts'
import { encodePath, readSitePath } from './site-path.ts'

// More than authors chain, and an end to those that lead in a circle.
const mostHops = 10

/**
 * Where a redirect that an author wrote leads in the end: another site's address, or a path from the root of this host.
 * Null when it leads in a circle, or is no address that a browser may be sent to.
 */
export function findRedirect(site: ServedSite, written: string): string | null {
  const { model, tree } = site.edition
  let destination = written.trim()
  for (let hop = 0; hop < mostHops; hop++) {
    if (/^[a-z][a-z\d+.-]*:/i.test(destination)) return elsewhere(destination)
    const parts = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(destination)
    const [, path = '', query = '', hash = ''] = parts ?? []
    // From the root however it is written, and never `//`, which would be another host: a reader's words may be in it.
    const target = readSitePath(encodeLoose(`/${path}`))
    if (target === null) return null
    const { route } = target
    const next = findPage(site.edition, route) || tree.entries.has(route.slice(1)) ? null : model.redirectOf(route)
    if (next === null) return `${pathTo(site, route)}${clean(query)}${clean(hash)}`
    destination = next.trim()
  }
  return null
}

function elsewhere(url: string): string | null {
  if (!URL.canParse(url)) return null
  const { protocol, href } = new URL(url)
  return /^https?:$/.test(protocol) ? href : null
}

/** Authors write some of it encoded and some not: `/guides/set up`, `/guides/set%20up`. */
function encodeLoose(path: string): string {
  return path
    .split('/')
    .map((segment) => (/%[0-9a-f]{2}/i.test(segment) ? segment : encodePath(segment)))
    .join('/')
}

function clean(rest: string): string {
  return encodeURI(rest.toWellFormed()).replaceAll('%25', '%')
}
