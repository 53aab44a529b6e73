import type { IncomingHttpHeaders } from 'node:http'
import { isLoopbackHost } from '#infra/http/loopback-host.ts'
import type { ServedSite } from './served-site.ts'

/**
 * Whether a request comes from a page of this site, or from no page at all. The name in `Host` alone proves nothing: a
 * page elsewhere can make its own name lead here. So it must be the site's own, or one that only this machine has.
 */
export function isOwnOrigin(headers: IncomingHttpHeaders, { origin }: Pick<ServedSite, 'origin'>): boolean {
  const from = headers.origin
  if (from === undefined) return headers['sec-fetch-site'] !== 'cross-site'
  if (!URL.canParse(from)) return false
  const { host } = new URL(from)
  return host === new URL(origin).host || (host === headers.host && isLoopbackHost(host))
}
