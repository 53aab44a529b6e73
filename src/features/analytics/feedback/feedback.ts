import { z } from 'zod'
import type { Range } from '#backends/events/event-store.ts'
import { newId } from '#base/ids.ts'
import type { Caller } from '#features/accounts/service.ts'
import { getProject } from '#features/projects/service.ts'
import { toPage } from '#infra/http/schema.ts'
import type { AnalyticsDeps } from '../analytics-deps.ts'
import { CursorTime, readCursor, writeCursor } from './cursor.ts'
import type { Feedback, FeedbackList, FeedbackStatus, NewFeedback } from './schema.ts'
import * as store from './store.ts'

/** Keeps what a reader says of a page (canonical path), and returns its id. The schema has checked what they say. */
export async function recordFeedback(
  { db, clock }: Pick<AnalyticsDeps, 'db' | 'clock'>,
  { projectId, path, said }: { projectId: string; path: string; said: NewFeedback },
): Promise<string> {
  const id = newId('fbk')
  await store.insertFeedback(db, { id, projectId, path, ...said, createdAt: clock.now() })
  return id
}

const Place = z.tuple([z.literal('feedback'), CursorTime, z.string().regex(/^fbk_[0-9A-Za-z]{22}$/)])

/** Newest first. What arrives while somebody reads page by page comes before the pages they still read. */
export async function listFeedback(
  deps: Pick<AnalyticsDeps, 'db' | 'config'>,
  {
    projectId,
    range,
    limit,
    cursor,
    status,
    source,
    by,
  }: {
    projectId: string
    range: Range
    limit: number
    cursor?: string | undefined
    status?: readonly FeedbackStatus[] | undefined
    source?: string | undefined
    by: Caller
  },
): Promise<FeedbackList> {
  await getProject(deps, { id: projectId, by })
  const [, createdAt, id] = cursor === undefined ? [] : readCursor(Place, cursor)
  const after = createdAt && id ? { createdAt, id } : null
  if (source !== undefined && source !== 'contextual') return { feedback: [], nextCursor: null, hasMore: false }
  const found = await store.listFeedback(deps.db, { projectId, range, statuses: status, after, limit })
  const { rows, hasMore } = toPage(found, { limit, offset: 0 })
  const last = rows.at(-1)
  const nextCursor = hasMore && last ? writeCursor(['feedback', last.createdAt.getTime(), last.id]) : null
  return { feedback: rows.map(toFeedback), nextCursor, hasMore }
}

function toFeedback(row: store.FeedbackRow): Feedback {
  return {
    id: row.id,
    path: row.path,
    comment: row.comment,
    createdAt: row.createdAt.toISOString(),
    source: 'contextual',
    status: row.status as FeedbackStatus,
    helpful: row.helpful,
    contact: row.contact,
  }
}
