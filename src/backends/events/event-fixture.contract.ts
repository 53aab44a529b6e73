import type { Readable } from 'node:stream'
import type { EventStore, ExportFormat, PageQuery } from './event-store.ts'
import type { Category, Verdict, View } from './view.ts'

/** A store that can be closed and opened again. */
export interface OpenStore extends AsyncDisposable {
  store: EventStore
  /** Closes it, and opens again what it keeps. */
  reopen(): Promise<void>
}

/** What the contract needs to know of a store. */
export interface EventStoreOptions {
  open(): Promise<OpenStore>
  /** A store with nothing in it, too plain to be wrong. */
  openOracle(): EventStore
  /** What it exports as. */
  formats: readonly ExportFormat[]
  readExport(format: ExportFormat, file: Readable): Promise<ExportedView[]>
}

/** A row of an export. */
export interface ExportedView {
  timestamp: Date
  path: string
  visitor: string
  category: string
  client: string | null
  reason: string
  verification: string
  listVersion: string
  referrer: string | null
  source: string
}

export const dayMs = 86_400_000
/** When a view is, unless it says otherwise. */
export const noon = Date.UTC(2026, 2, 14, 12)
export const allTime = { from: null, to: null }

export function newView(change: Partial<View>): View {
  return {
    projectId: 'prj_1',
    at: noon,
    path: '/a',
    visitor: 1n,
    eventId: null,
    verdict: verdictOf('human'),
    referrer: null,
    source: 'events',
    ...change,
  }
}

export function verdictOf(category: Category, client: string | null = null): Verdict {
  return { category, client, reason: 'stated', verification: 'none', listVersion: '1' }
}

export function everythingOf(projectId = 'prj_1'): PageQuery {
  return { projectId, range: allTime, ai: 'all', limit: 250, offset: 0 }
}
