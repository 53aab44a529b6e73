import type { Readable } from 'node:stream'
import type { Category, View } from './view.ts'
import type { ViewColumns } from './view-columns.ts'

/** Half open: `from <= at < to`, in milliseconds since 1970. Null has no bound. */
export interface Range {
  from: number | null
  to: number | null
}

/** Which categories count as AI: all four, or only those that read for a person who waits (assistant and agent). */
export type AiScope = 'all' | 'direct'

export interface RangeQuery {
  projectId: string
  range: Range
  ai: AiScope
}

export interface PageQuery extends RangeQuery {
  limit: number
  offset: number
}

/** What pages can be ordered by. */
export const pathSorts = ['total', 'human', 'ai', 'path'] as const
export type PathSort = (typeof pathSorts)[number]
export const sortOrders = ['asc', 'desc'] as const
export type SortOrder = (typeof sortOrders)[number]

export interface PathQuery extends PageQuery {
  /** `total` unless given. */
  sort?: PathSort
  /** Unless given, `desc` for counts and `asc` for paths. */
  order?: SortOrder
  /** Only pages whose path has this text in it, with A to Z the same as a to z. Totals stay those of the site. */
  path?: string
}

export interface Counts {
  human: number
  ai: number
  /** Of visitors: each once, although seen as both. Of views: the sum. */
  total: number
}

export interface PathCounts extends Counts {
  path: string
}

/** Rows as the query orders them, those of the same count by `path` ascending, in the order of UTF-8 bytes. */
export interface PathReport {
  totals: Counts
  rows: PathCounts[]
  /** Whether there are rows after these. Exact. */
  hasMore: boolean
}

export interface AgentCounts {
  /** `unnamed` where the verdict names none. */
  client: string
  category: Category
  visitors: number
  views: number
  /** Of the views, those whose client was verified. */
  verifiedViews: number
  lastSeenAt: number
  /** The reasons of its verdicts, each once, in the order of UTF-8 bytes. */
  reasons: string[]
}

/** Rows by `visitors`, then `views`, both descending, then `client` and `category` ascending. */
export interface AgentReport {
  totals: { visitors: number; views: number }
  rows: AgentCounts[]
  hasMore: boolean
}

/** Referrers one by one as they were kept, or by the host (with its port) in them. */
export const referrerGroups = ['host', 'url'] as const
export type ReferrerGroup = (typeof referrerGroups)[number]

export interface ReferrerCounts extends Counts {
  /** Null: views without one. */
  referrer: string | null
  views: number
}

/** Rows by `total`, then `views`, both descending, then by `referrer` ascending, null first. */
export interface ReferrerReport {
  totals: Counts & { views: number }
  rows: ReferrerCounts[]
  hasMore: boolean
}

/** Weeks start on Monday. All in UTC. */
export const intervals = ['hour', 'day', 'week', 'month'] as const
export type Interval = (typeof intervals)[number]

/** One interval with at least one counted view; what is outside the range is not in it. */
export interface IntervalCounts {
  /** When the interval starts, which may be before the range does. */
  start: number
  visitors: Counts
  views: Counts
}

export type ExportFormat = 'jsonl' | 'parquet'

/**
 * Where views are kept and counted. Every number is exact, over any range, whatever order views arrived in, and holds
 * for all views whose `append` has resolved. A query is a value, so that another store can answer it too.
 * Every method throws `unavailable` when the store cannot be reached.
 */
export interface EventStore {
  /**
   * Resolves when all of them are durable: a kill after that loses none. Views of many calls share a commit. Of views
   * of one project with the same `eventId` the first is kept, however late the second comes. Throws `unavailable`
   * (`analytics.busy`) without keeping any when too many wait already, and `invalid` likewise for a time that is not
   * within `timeBounds`.
   */
  append(views: readonly View[]): Promise<void>
  /** The same for views in columns. */
  appendColumns(columns: ViewColumns): Promise<void>

  /** Unique visitors of each page with at least one counted view, and of the whole site. */
  visitors(query: PathQuery): Promise<PathReport>
  /** The same for views. */
  views(query: PathQuery): Promise<PathReport>
  /** Per AI client. */
  agents(query: PageQuery): Promise<AgentReport>
  /** Unique visitors and views by where they came from; a visitor from two places counts at both. */
  referrers(query: PageQuery & { by: ReferrerGroup }): Promise<ReferrerReport>
  /** Of the whole site, by interval, oldest first; intervals without a counted view are left out. */
  timeseries(query: RangeQuery & { interval: Interval }): Promise<IntervalCounts[]>

  /**
   * Every view in the range, counted or not, oldest first, as a file: `timestamp`, `path`, `visitor` (16 hex digits),
   * `category`, `client`, `reason`, `verification`, `listVersion`, `referrer`, `source`. The caller reads or destroys
   * the stream; either cleans up.
   */
  exportViews(query: { projectId: string; range: Range; format: ExportFormat }): Promise<Readable>

  /** Deletes every view of these visitors; returns how many there were. */
  forgetVisitors(query: { projectId: string; visitors: readonly bigint[] }): Promise<number>
  /** Deletes everything of a project; nothing there is no error. */
  deleteProject(projectId: string): Promise<void>
  /** Deletes views before a time, which is cut down to midnight UTC; returns how many there were. */
  prune(query: { projectId: string; before: number }): Promise<number>
  /** Projects that have views here. */
  listProjects(): Promise<string[]>

  /** Makes what was appended cheap to count; changes no number. The store does it by itself in quiet moments. */
  compact(): Promise<void>
  ping(): Promise<void>
  /** Finishes appends under way. */
  close(): Promise<void>
}
