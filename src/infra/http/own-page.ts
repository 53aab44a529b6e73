import type { IncomingHttpHeaders } from 'node:http'
import { DocentError } from '#base/errors.ts'

/**
 * Whether a request comes from a page of our own, as its browser says. A browser sends cookies along with what other
 * sites make it ask for, too. A client that says nothing at all is no browser, and has no business with a cookie.
 */
export function isFromOwnPage(headers: IncomingHttpHeaders, { baseUrl }: { baseUrl: string }): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers
  if (site === 'same-origin') return true
  const isOwnOrigin =
    origin !== undefined && URL.canParse(origin) && [host, new URL(baseUrl).host].includes(new URL(origin).host)
  return (site === undefined || site === 'none') && isOwnOrigin
}

/** Throws `forbidden` for a request that another site may have made a browser send. */
export function requireOwnPage(headers: IncomingHttpHeaders, config: { baseUrl: string }): void {
  if (isFromOwnPage(headers, config)) return
  const message =
    'A session works for pages of this server only, and this request came from elsewhere. Programs use an API key: Authorization: Bearer docent_…'
  throw new DocentError('forbidden', 'auth.cross_site', message)
}
