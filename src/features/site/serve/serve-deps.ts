import type { Log } from '#base/log.ts'
import type { NewFeedback } from '#features/analytics/service.ts'
import type { PageRenderer } from '#features/content/service.ts'
import type { Shelf } from './shelf.ts'

/** What it takes to answer readers, beside the site itself. */
export interface ServeDeps {
  renderer: Pick<PageRenderer, 'highlight'>
  /** Finished pages of all sites. */
  shelf: Shelf
  log: Log
  /** Null where nobody wants to know: of a folder that somebody writes in. */
  records: ReaderRecords | null
}

/** Keeps what readers of live sites look for and say. */
export interface ReaderRecords {
  /** The id that a click names; null when there was nothing in it. */
  search(input: { projectId: string; query: string }): Promise<string | null>
  click(input: { projectId: string; searchId: string; path: string }): Promise<void>
  feedback(input: { projectId: string; path: string; said: NewFeedback }): Promise<void>
}
