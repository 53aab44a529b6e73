import type { Category } from '#backends/events/view.ts'
import type { Evidence } from '../classify/evidence.ts'
import type { ClientSlot } from './reader.ts'

/** A request as one of the ways in tells it: not yet known to be a view of a page, nor by whom. */
export interface Hit extends Evidence {
  /** Milliseconds since 1970. */
  at: number
  /** The path as it was asked for: perhaps with a query, a trailing slash or `.md`. */
  path: string
  referrer: string | null
  /** The caller's own id for the visitor; null: made of address and user agent. */
  visitorId: string | null
  /** What the caller says it is, instead of the classifier. */
  category: Category | null
  /** The caller's own id for this view; 64 bits are taken as they are. */
  id: string | bigint | null
  /** The same object on hits that are alike in all but time, path, referrer and id: who they are by is then found once. */
  client?: ClientSlot
}
