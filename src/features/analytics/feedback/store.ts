import { type Insertable, type Selectable, sql } from 'kysely'
import type { Range } from '#backends/events/event-store.ts'
import type { Db, FeedbackTable, SearchesTable, Tx } from '#infra/db/schema.ts'

export type FeedbackRow = Selectable<FeedbackTable>

export async function insertFeedback(db: Db, row: Insertable<FeedbackTable>): Promise<void> {
  await db.insertInto('feedback').values(row).execute()
}

/** Newest first, from after this place on, and one more than `limit`. */
export async function listFeedback(
  db: Db,
  {
    projectId,
    range,
    statuses,
    after,
    limit,
  }: {
    projectId: string
    range: Range
    statuses: readonly string[] | undefined
    after: { createdAt: Date; id: string } | null
    limit: number
  },
): Promise<FeedbackRow[]> {
  return await db
    .selectFrom('feedback')
    .selectAll()
    .where('projectId', '=', projectId)
    .$if(range.from !== null, (query) => query.where('createdAt', '>=', new Date(range.from!)))
    .$if(range.to !== null, (query) => query.where('createdAt', '<', new Date(range.to!)))
    .$if(statuses !== undefined, (query) => query.where('status', 'in', statuses!))
    .$if(after !== null, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('createdAt', 'id'), '<', tuple(after!.createdAt, after!.id)),
      ),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
}

export async function insertSearch(db: Db, row: Insertable<SearchesTable>): Promise<void> {
  await db.insertInto('searches').values(row).execute()
}

/** The first click stays: it is the one that the list of results led to. */
export async function markClicked(
  db: Db,
  { id, projectId, clickedPath }: { id: string; projectId: string; clickedPath: string },
): Promise<void> {
  await db
    .updateTable('searches')
    .set({ clickedPath })
    .where('id', '=', id)
    .where('projectId', '=', projectId)
    .where('clickedPath', 'is', null)
    .execute()
}

/** Which searches: of a project, in a range, and not after `until`. */
export interface SearchScope {
  projectId: string
  range: Range
  until: Date | null
}

function searchesIn(tx: Tx, { projectId, range, until }: SearchScope) {
  return tx
    .selectFrom('searches')
    .where('projectId', '=', projectId)
    .$if(range.from !== null, (query) => query.where('createdAt', '>=', new Date(range.from!)))
    .$if(range.to !== null, (query) => query.where('createdAt', '<', new Date(range.to!)))
    .$if(until !== null, (query) => query.where('createdAt', '<=', until!))
}

/** How many searches there are, and when the newest was. */
export async function countSearches(tx: Tx, scope: SearchScope): Promise<{ total: number; newestAt: Date | null }> {
  const { total, newestAt } = await searchesIn(tx, scope)
    .select((row) => [row.fn.countAll<string>().as('total'), row.fn.max('createdAt').as('newestAt')])
    .executeTakeFirstOrThrow()
  return { total: Number(total), newestAt }
}

export interface TermRow {
  query: string
  hits: number
  clicks: number
  lastSearchedAt: Date
}

/** Terms by hits descending, then by the bytes of the term, from after this place on, and one more than `limit`. */
export async function listTerms(
  tx: Tx,
  { after, limit, ...scope }: SearchScope & { after: { hits: number; query: string } | null; limit: number },
): Promise<TermRow[]> {
  const hits = sql<string>`count(*)`
  const inOrder = sql<string>`query collate "C"`
  const rows = await searchesIn(tx, scope)
    .select((row) => [
      'query',
      hits.as('hits'),
      row.fn.count<string>('clickedPath').as('clicks'),
      row.fn.max('createdAt').as('lastSearchedAt'),
    ])
    .groupBy('query')
    .$if(after !== null, (query) =>
      query.having(
        sql<boolean>`(count(*) < ${after!.hits} or (count(*) = ${after!.hits} and query collate "C" > ${after!.query}))`,
      ),
    )
    .orderBy(hits, 'desc')
    .orderBy(inOrder)
    .limit(limit + 1)
    .execute()
  return rows.map(({ query, lastSearchedAt, ...counts }) => {
    return { query, lastSearchedAt: lastSearchedAt!, hits: Number(counts.hits), clicks: Number(counts.clicks) }
  })
}

/** Of each of these terms, the result that was opened most often; of several, the first by the bytes of its path. */
export async function findTopClicks(
  tx: Tx,
  { terms, ...scope }: SearchScope & { terms: readonly string[] },
): Promise<Map<string, string>> {
  if (terms.length === 0) return new Map()
  const rows = await searchesIn(tx, scope)
    .select(['query', 'clickedPath'])
    .distinctOn('query')
    .where('clickedPath', 'is not', null)
    .where('query', 'in', terms)
    .groupBy(['query', 'clickedPath'])
    .orderBy('query')
    .orderBy(sql`count(*)`, 'desc')
    .orderBy(sql`clicked_path collate "C"`)
    .execute()
  return new Map(rows.map(({ query, clickedPath }) => [query, clickedPath!]))
}
