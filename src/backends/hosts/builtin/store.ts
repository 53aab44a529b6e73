import { type Selectable, sql, type Updateable } from 'kysely'
import type { Db, PullRequestsTable, Tx } from '#infra/db/schema.ts'
import type { Page } from '#infra/http/schema.ts'

export type PullRequestRow = Selectable<PullRequestsTable>

/** Which one. Numbers count up from 1 in each project. */
export interface PullRequestKey {
  projectId: string
  number: number
}

export type NewPullRequestRow = Pick<
  PullRequestRow,
  'projectId' | 'branch' | 'base' | 'title' | 'body' | 'draft' | 'baseCommit' | 'headCommit'
> & { at: Date }

/**
 * Inserts an open pull request with the project's next number. Returns nothing when the branch has an open one into
 * that base already, and `null` when there is no such project.
 */
export async function insertPullRequest(db: Db, row: NewPullRequestRow): Promise<PullRequestRow | undefined | null> {
  const { at, ...values } = row
  return await db.transaction().execute(async (tx) => {
    // One after the other in a project, so that the numbers have neither gaps nor doubles.
    const project = await tx
      .selectFrom('projects')
      .select('id')
      .where('id', '=', row.projectId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!project) return null
    const { next } = await tx
      .selectFrom('pullRequests')
      .select(sql<number>`coalesce(max(number), 0) + 1`.as('next'))
      .where('projectId', '=', row.projectId)
      .executeTakeFirstOrThrow()
    return await tx
      .insertInto('pullRequests')
      .values({ ...values, number: next, state: 'open', createdAt: at, updatedAt: at })
      .onConflict((conflict) =>
        conflict.columns(['projectId', 'branch', 'base']).where('state', '=', 'open').doNothing(),
      )
      .returningAll()
      .executeTakeFirst()
  })
}

export async function findPullRequest(
  db: Db | Tx,
  { projectId, number }: PullRequestKey,
): Promise<PullRequestRow | undefined> {
  return await db
    .selectFrom('pullRequests')
    .selectAll()
    .where('projectId', '=', projectId)
    .where('number', '=', number)
    .executeTakeFirst()
}

/** The newest from that branch into that base, an open one before any other. */
export async function findPullRequestOf(
  db: Db,
  { projectId, branch, base }: { projectId: string; branch: string; base: string },
): Promise<PullRequestRow | undefined> {
  return await db
    .selectFrom('pullRequests')
    .selectAll()
    .where('projectId', '=', projectId)
    .where('branch', '=', branch)
    .where('base', '=', base)
    .orderBy(sql`(state = 'open')`, 'desc')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Newest first; open ones alone, or all. */
export async function listPullRequests(
  db: Db,
  { projectId, state, page }: { projectId: string; state: 'open' | 'ended'; page: Page },
): Promise<PullRequestRow[]> {
  return await db
    .selectFrom('pullRequests')
    .selectAll()
    .where('projectId', '=', projectId)
    .where('state', state === 'open' ? '=' : '<>', 'open')
    .orderBy('number', 'desc')
    .limit(page.limit + 1)
    .offset(page.offset)
    .execute()
}

/** Every open one that this branch is an end of. */
export async function listOpenPullRequests(
  db: Db,
  { projectId, branch }: { projectId: string; branch: string },
): Promise<PullRequestRow[]> {
  return await db
    .selectFrom('pullRequests')
    .selectAll()
    .where('projectId', '=', projectId)
    .where('state', '=', 'open')
    .where((either) => either.or([either('branch', '=', branch), either('base', '=', branch)]))
    .orderBy('number')
    .execute()
}

export async function countPullRequests(db: Db, projectId: string): Promise<{ open: number; ended: number }> {
  const { open, ended } = await db
    .selectFrom('pullRequests')
    .select([
      sql<number>`(count(*) filter (where state = 'open'))::integer`.as('open'),
      sql<number>`(count(*) filter (where state <> 'open'))::integer`.as('ended'),
    ])
    .where('projectId', '=', projectId)
    .executeTakeFirstOrThrow()
  return { open, ended }
}

/** Changes it while it is open; returns nothing when it is not, or not any more. */
export async function updateOpenPullRequest(
  db: Db | Tx,
  { projectId, number }: PullRequestKey,
  change: Updateable<PullRequestsTable>,
): Promise<PullRequestRow | undefined> {
  return await db
    .updateTable('pullRequests')
    .set(change)
    .where('projectId', '=', projectId)
    .where('number', '=', number)
    .where('state', '=', 'open')
    .returningAll()
    .executeTakeFirst()
}

/**
 * Writes down who merged it. A look at the branches may have seen the merge before, and marked it without a name; nothing
 * is returned when a name stands there already.
 */
export async function markMerged(
  db: Tx,
  { projectId, number }: PullRequestKey,
  { mergeCommit, endedBy, at }: { mergeCommit: string; endedBy: string; at: Date },
): Promise<PullRequestRow | undefined> {
  return await db
    .updateTable('pullRequests')
    .set({ state: 'merged', mergeCommit, endedBy, endedAt: at, updatedAt: at })
    .where('projectId', '=', projectId)
    .where('number', '=', number)
    .where('state', 'in', ['open', 'merged'])
    .where('endedBy', 'is', null)
    .returningAll()
    .executeTakeFirst()
}
