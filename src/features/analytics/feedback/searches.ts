import { z } from 'zod'
import type { Range } from '#backends/events/event-store.ts'
import { isId, newId } from '#base/ids.ts'
import { oneLine } from '#base/one-line.ts'
import type { Caller } from '#features/accounts/service.ts'
import { getProject } from '#features/projects/service.ts'
import { plainText, toPage } from '#infra/http/schema.ts'
import type { AnalyticsDeps } from '../analytics-deps.ts'
import { CursorTime, readCursor, writeCursor } from './cursor.ts'
import type { SearchList } from './schema.ts'
import * as store from './store.ts'

// Longer ones are no terms that anybody else searches for.
const mostCharacters = 200

/**
 * Keeps what a reader searched for, and returns the id that a click on a result names; null when there was nothing in
 * it. Spaces and upper case make no other term.
 */
export async function recordSearch(
  { db, clock }: Pick<AnalyticsDeps, 'db' | 'clock'>,
  { projectId, query }: { projectId: string; query: string },
): Promise<string | null> {
  const term = oneLine(oneLine(query, mostCharacters).toLowerCase(), mostCharacters)
  if (term === '') return null
  const id = newId('sch')
  await store.insertSearch(db, { id, projectId, query: term, createdAt: clock.now() })
  return id
}

/** Notes which result a reader opened first. A search that is unknown, or another project's, is ignored. */
export async function recordSearchClick(
  { db }: Pick<AnalyticsDeps, 'db'>,
  { projectId, searchId, path }: { projectId: string; searchId: string; path: string },
): Promise<void> {
  const clickedPath = oneLine(path, 2048)
  if (clickedPath === '' || !isId('sch', searchId)) return
  await store.markClicked(db, { id: searchId, projectId, clickedPath })
}

const Place = z.tuple([
  z.literal('searches'),
  CursorTime,
  z.int().min(1),
  plainText({ min: 1, max: 2 * mostCharacters }),
])

/**
 * Terms, those searched for most often first. Later pages count only what the first one did, by the time of the newest
 * search then: a term that is searched for meanwhile stays where it was.
 */
export async function listSearches(
  deps: Pick<AnalyticsDeps, 'db' | 'config'>,
  {
    projectId,
    range,
    limit,
    cursor,
    by,
  }: { projectId: string; range: Range; limit: number; cursor?: string | undefined; by: Caller },
): Promise<SearchList> {
  await getProject(deps, { id: projectId, by })
  const [, until = null, hits, query] = cursor === undefined ? [] : readCursor(Place, cursor)
  const after = hits !== undefined && query !== undefined ? { hits, query } : null
  const scope = { projectId, range, until }
  // One moment for all of them, or a search in between would be in one number and not in the other.
  const moment = deps.db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return await moment.execute(async (tx) => {
    const { total, newestAt } = await store.countSearches(tx, scope)
    const { rows, hasMore } = toPage(await store.listTerms(tx, { ...scope, after, limit }), { limit, offset: 0 })
    const clicked = await store.findTopClicks(tx, { ...scope, terms: rows.map((row) => row.query) })
    const last = rows.at(-1)
    const place = hasMore && last && newestAt ? ['searches', newestAt.getTime(), last.hits, last.query] : null
    return {
      searches: rows.map((row) => ({
        searchQuery: row.query,
        hits: row.hits,
        ctr: row.clicks / row.hits,
        topClickedPage: clicked.get(row.query) ?? null,
        lastSearchedAt: row.lastSearchedAt.toISOString(),
      })),
      totalSearches: total,
      nextCursor: place && writeCursor(place),
    }
  })
}
