import { clientAddress } from '#infra/http/client-address.ts'
import { isPrefetch } from '../classify/prefetch.ts'
import { canonicalPath } from '../intake/canonical-path.ts'
import type { LogView } from './import-batch.ts'
import type { LogEntry } from './log-entry.ts'

/** Why a line is no view, for the report. */
export type SkipReason =
  | 'other host'
  | 'outside the dates'
  | 'not a GET'
  | 'not successful'
  | 'not a page'
  | 'prefetch'
  | 'no address'
  | 'not understood'
  | 'too long'
  | 'empty'

export interface FilterOptions {
  /** Only this virtual host; null: all. */
  host: string | null
  /** Half open, milliseconds since 1970; null has no bound. */
  since: number | null
  until: number | null
  /** Networks of proxies whose word on where a request came from is taken. */
  trustedProxies: string[]
}

// A user agent or a referrer is a few hundred characters; longer ones are somebody's attempt to fill our memory.
export const mostTextLength = 2048
export const mostAddressLength = 100
// Distinct paths and forwarded addresses that are remembered.
export const mostRemembered = 50_000

/** Tells whether a request is one for a page, and gives what of it is sent. */
export function createViewFilter({ host, since, until, trustedProxies }: FilterOptions) {
  const wantedHost = host === null ? null : bareHost(host)
  const pageOf = remembered(canonicalPath)
  const forwarded = remembered((key) => {
    const [peer, header] = key.split('\n') as [string, string]
    const headers = { 'x-forwarded-for': header }
    return clientAddress({ peer, headers }, { trustedProxies, proxyHeader: 'x-forwarded-for' }) ?? peer
  })

  return (entry: LogEntry): SkipReason | LogView => {
    const { at, method, status, target, contentType } = entry
    if (wantedHost !== null && bareHost(entry.host ?? '') !== wantedHost) return 'other host'
    if ((since !== null && at < since) || (until !== null && at >= until)) return 'outside the dates'
    if (method !== 'GET') return 'not a GET'
    if (!isSuccess(status)) return 'not successful'
    const query = target.indexOf('?')
    const path = pageOf(query === -1 ? target : target.slice(0, query))
    if (path === null || (contentType && !isPageType(contentType))) return 'not a page'
    // From here on nearly all are views; before, half are not, and who made them need not be read.
    const { purpose, address: peer, forwardedFor, userAgent, referrer, accept, acceptLanguage } = entry
    if (purpose && isPrefetch({ purpose })) return 'prefetch'
    if (peer === null || peer.length > mostAddressLength) return 'no address'
    const address = forwardedFor ? forwarded(`${peer}\n${forwardedFor}`) : peer
    return {
      at,
      path,
      address,
      referrer: cut(referrer),
      userAgent: cut(userAgent),
      accept: cut(accept),
      acceptLanguage: cut(acceptLanguage),
    }
  }
}

/** 304 too: the reader has the page open, out of its cache. Not 204 and 205, which have no content. */
export function isSuccess(status: number): boolean {
  return status === 200 || status === 304 || (status > 200 && status < 300 && status !== 204 && status !== 205)
}

function isPageType(contentType: string): boolean {
  return /^(text\/(html|markdown|x-markdown|plain)|application\/xhtml\+xml)\b/i.test(contentType)
}

function bareHost(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '')
}

function cut<T extends string | null | undefined>(text: T): T {
  return (text && text.length > mostTextLength ? text.slice(0, mostTextLength).toWellFormed() : text) as T
}

function remembered<T>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const value = compute(text)
    if (known.size >= mostRemembered) known.clear()
    // A copy: the text is a part of a whole chunk of the log, which would stay in memory with it.
    known.set(Buffer.from(text).toString(), value)
    return value
  }
}
