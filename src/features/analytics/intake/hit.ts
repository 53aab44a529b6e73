import type { Category } from '#backends/events/view.ts'
import type { Evidence } from '../classify/evidence.ts'

/** Who made a request, as one of the ways in tells it. */
export interface HitClient extends Evidence {
  /** The caller's own id for the visitor; null: made of address and user agent. */
  visitorId: string | null
  /** What the caller says it is, instead of the classifier. */
  category: Category | null
}

/** A request as one of the ways in tells it: not yet known to be a view of a page, nor by whom. */
export interface Hit extends HitClient {
  /** Milliseconds since 1970. */
  at: number
  /** The path as it was asked for: perhaps with a query, a trailing slash or `.md`. */
  path: string
  referrer: string | null
  /** The caller's own id for this view. */
  id: string | null
}

/** Many hits in columns, in which each client and each text stands once. */
export interface HitColumns {
  clients: readonly HitClient[]
  texts: readonly string[]
  /** A place for each hit: when, in milliseconds since 1970, */
  at: Float64Array
  /** whose, of `clients`, */
  client: Int32Array
  /** what and from where, of `texts`; a referrer may be -1 for none, */
  path: Int32Array
  referrer: Int32Array
  /** and 64 bits of the caller's for this view. */
  id: BigUint64Array
}
