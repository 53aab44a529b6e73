import type { ViewSource } from '#backends/events/view.ts'

/**
 * What is known of a request. A field that its way in cannot carry is undefined, and then no evidence of anything; null
 * says that the request had no such header.
 */
export interface Evidence {
  source: ViewSource
  /** When the request was made, in milliseconds since 1970; now where it is undefined. */
  at?: number
  userAgent: string | null
  accept?: string | null
  acceptLanguage?: string | null
  /** The client's address, already found behind trusted proxies. Only looked at, never kept. */
  address?: string | null
  /** Of a page that we serve ourselves: what a signature can be made over. Names in lower case. */
  request?: { method: string; url: string; headers: Record<string, string | string[] | undefined> }
}
