import { type Selectable, sql } from 'kysely'
import type { Db, DeploymentsTable, SitesTable, Tx } from '#infra/db/schema.ts'
import type { Page } from '#infra/http/schema.ts'
import type { DeploymentReason } from './schema.ts'

export type SiteRow = Selectable<SitesTable>
export type DeploymentRow = Selectable<DeploymentsTable>

/** How many pages came, changed and went; and which, the first of them. */
export interface StoredChanges {
  added: number
  changed: number
  removed: number
  routes: { added: string[]; changed: string[]; removed: string[] }
}

// Whoever builds says so every few seconds; who did not for this long is dead.
const missedAfter = sql`interval '15 seconds'`
// A job of the queue gives up long before this.
const waitedTooLong = sql`interval '2 hours'`

export async function findSite(db: Db | Tx, projectId: string): Promise<SiteRow | undefined> {
  return await db.selectFrom('sites').selectAll().where('projectId', '=', projectId).executeTakeFirst()
}

/** The site's row, made if it is missing, held until the transaction ends. Nothing when the project is gone. */
export async function lockSite(tx: Tx, projectId: string): Promise<SiteRow | undefined> {
  await tx
    .insertInto('sites')
    .columns(['projectId'])
    .expression((from) => from.selectFrom('projects').select('id').where('id', '=', projectId))
    .onConflict((conflict) => conflict.column('projectId').doNothing())
    .execute()
  return await tx.selectFrom('sites').selectAll().where('projectId', '=', projectId).forUpdate().executeTakeFirst()
}

export async function updateSite(
  tx: Tx,
  projectId: string,
  change: { liveDeployment?: string; head?: string | null; source?: string },
): Promise<void> {
  await tx
    .updateTable('sites')
    .set({ ...change, updatedAt: sql<Date>`now()` })
    .where('projectId', '=', projectId)
    .execute()
}

export interface NewRow {
  id: string
  projectId: string
  commit: string | null
  ref: string
  docsPath: string
  state: 'waiting' | 'building' | 'failed'
  reason: DeploymentReason
  by: string | null
  work: string | null
  error?: { code: string; message: string }
}

/** Inserts the deployment; nothing when it would be the second that is built for its project. */
export async function insertDeployment(tx: Tx, { error, ...row }: NewRow): Promise<DeploymentRow | undefined> {
  return await tx
    .insertInto('deployments')
    .values({
      ...row,
      ...(error ? { error: JSON.stringify(error), finishedAt: sql<Date>`now()` } : { finishedAt: null }),
      heartbeatAt: row.state === 'building' ? sql<Date>`now()` : null,
    })
    .onConflict((conflict) => conflict.column('projectId').where('state', '=', 'building').doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** The deployment that somebody builds at this moment. */
export async function findBuilding(db: Db | Tx, projectId: string): Promise<DeploymentRow | undefined> {
  return await db
    .selectFrom('deployments')
    .selectAll()
    .where('projectId', '=', projectId)
    .where('state', '=', 'building')
    .executeTakeFirst()
}

/** Whether somebody who is alive builds for the project. */
export async function isBeingBuilt(db: Db, projectId: string): Promise<boolean> {
  const row = await db
    .selectFrom('deployments')
    .select('id')
    .where('projectId', '=', projectId)
    .where('state', '=', 'building')
    .where('heartbeatAt', '>=', sql<Date>`now() - ${missedAfter}`)
    .executeTakeFirst()
  return row !== undefined
}

export async function isUnderWay(db: Db, projectId: string): Promise<boolean> {
  const row = await db
    .selectFrom('deployments')
    .select('id')
    .where('projectId', '=', projectId)
    .where('state', 'in', ['waiting', 'building'])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function countWaiting(tx: Tx, projectId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('deployments')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('projectId', '=', projectId)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return count
}

/** Takes a deployment that waits, or one that the same job built before its worker died. */
export async function startBuilding(
  tx: Tx,
  id: string,
  change: { commit: string; ref: string; docsPath: string; work: string | null },
): Promise<DeploymentRow | undefined> {
  return await tx
    .updateTable('deployments')
    .set({ ...change, state: 'building', heartbeatAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'building'])
    .returningAll()
    .executeTakeFirst()
}

/** Whether the deployment is still ours to build. */
export async function beat(db: Db, id: string): Promise<boolean> {
  const row = await db
    .updateTable('deployments')
    .set({ heartbeatAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('state', '=', 'building')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Whether it was still being built. */
export async function markReady(
  tx: Tx,
  id: string,
  found: { pages: number; changes: StoredChanges; warningCount: number; warnings: unknown[] },
): Promise<DeploymentRow | undefined> {
  return await tx
    .updateTable('deployments')
    .set({
      pages: found.pages,
      changes: JSON.stringify(found.changes),
      warningCount: found.warningCount,
      warnings: JSON.stringify(found.warnings),
      state: 'ready',
      finishedAt: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .where('state', '=', 'building')
    .returningAll()
    .executeTakeFirst()
}

/** Whether it was still waiting or being built. */
export async function markFailed(
  tx: Db | Tx,
  id: string,
  error: { code: string; message: string },
): Promise<DeploymentRow | undefined> {
  return await tx
    .updateTable('deployments')
    .set({ state: 'failed', error: JSON.stringify(error), finishedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'building'])
    .returningAll()
    .executeTakeFirst()
}

/** For one whose builder was told to stop: it never was. One that a person asked for waits again. */
export async function giveBack(db: Db, id: string, { isAsked }: { isAsked: boolean }): Promise<void> {
  if (isAsked) {
    const change = { state: 'waiting', heartbeatAt: null }
    await db.updateTable('deployments').set(change).where('id', '=', id).where('state', '=', 'building').execute()
  } else await db.deleteFrom('deployments').where('id', '=', id).where('state', '=', 'building').execute()
}

const interrupted = JSON.stringify({
  code: 'site.interrupted',
  message: 'The process that built it ended before it was done.',
})

/**
 * Ends what nobody works on any more, of one project or of all; what somebody asked for waits again for its job.
 * `isAlone`: no other process can be at work, so what no job of the queue will come back to is abandoned at once.
 */
export async function settleAbandoned(
  db: Db | Tx,
  { projectId, isAlone = false }: { projectId?: string; isAlone?: boolean } = {},
): Promise<void> {
  const own = (query: typeof abandoned) => (projectId ? query.where('projectId', '=', projectId) : query)
  const isMissed = sql<boolean>`state = 'building' and (heartbeat_at < now() - ${missedAfter} or (${isAlone} and work is null))`
  const waitedInVain = sql<boolean>`state = 'waiting' and created_at < now() - ${waitedTooLong}`
  const abandoned = db.updateTable('deployments')
  await own(abandoned)
    .set({ state: 'waiting', heartbeatAt: null })
    .where(isMissed)
    .where('by', 'is not', null)
    .execute()
  await own(abandoned)
    .set({ state: 'failed', error: interrupted, finishedAt: sql<Date>`now()` })
    .where((where) => where.or([isMissed, waitedInVain]))
    .execute()
}

export async function findDeployment(
  db: Db | Tx,
  { id, projectId }: { id: string; projectId: string },
): Promise<DeploymentRow | undefined> {
  return await db
    .selectFrom('deployments')
    .selectAll()
    .where('id', '=', id)
    .where('projectId', '=', projectId)
    .executeTakeFirst()
}

/** Newest first, without what is long. */
export async function listDeployments(
  db: Db,
  { projectId, page }: { projectId: string; page: Page },
): Promise<DeploymentRow[]> {
  return await db
    .selectFrom('deployments')
    .selectAll()
    .select([sql<unknown>`changes - 'routes'`.as('changes'), sql<unknown>`'[]'::jsonb`.as('warnings')])
    .where('projectId', '=', projectId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .offset(page.offset)
    .execute()
}

/** Whether the newest deployment failed with this code. */
export async function hasJustFailed(
  db: Db,
  { projectId, code }: { projectId: string; code: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('deployments')
    .select(['state', 'error'])
    .where('projectId', '=', projectId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.state === 'failed' && row.error?.code === code
}

/** Whether the project ever had this commit live: then it may have it again, although no branch has it any more. */
export async function wasDeployed(
  db: Db,
  { projectId, commit }: { projectId: string; commit: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('deployments')
    .select('id')
    .where('projectId', '=', projectId)
    .where('commit', '=', commit)
    .where('state', '=', 'ready')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** A project with what readers get of it. */
export interface LiveRow {
  projectId: string
  organizationId: string
  name: string
  slug: string
  provider: string
  repository: string | null
  docsPath: string
  live: { id: string; commit: string; ref: string; docsPath: string } | null
}

export async function findLive(db: Db, by: { slug: string } | { domain: string }): Promise<LiveRow | undefined> {
  let query = db
    .selectFrom('projects')
    .leftJoin('sites', 'sites.projectId', 'projects.id')
    .leftJoin('deployments', 'deployments.id', 'sites.liveDeployment')
    .select(['projects.id as projectId', 'projects.organizationId', 'projects.name', 'projects.slug'])
    .select(['projects.provider', 'projects.repository', 'projects.docsPath'])
    .select(['deployments.id as liveId', 'deployments.commit', 'deployments.ref as liveRef'])
    .select('deployments.docsPath as liveDocsPath')
  query =
    'slug' in by
      ? query.where('projects.slug', '=', by.slug)
      : query.where('projects.id', '=', (from) =>
          from.selectFrom('siteDomains').select('siteDomains.projectId').where('siteDomains.name', '=', by.domain),
        )
  const row = await query.executeTakeFirst()
  if (!row) return undefined
  const { liveId, commit, liveRef, liveDocsPath, ...project } = row
  const live = liveId && commit ? { id: liveId, commit, ref: liveRef!, docsPath: liveDocsPath! } : null
  return { ...project, live }
}

export interface PolledRow {
  projectId: string
  head: string | null
  source: string | null
  pollFailures: number
}

/** Sites on other hosts whose time to be looked at has come, the longest waiting first. */
export async function listToPoll(db: Db, { at, most }: { at: Date; most: number }): Promise<PolledRow[]> {
  return await db
    .selectFrom('sites')
    .innerJoin('projects', 'projects.id', 'sites.projectId')
    .select(['sites.projectId', 'sites.head', 'sites.source', 'sites.pollFailures'])
    .where('projects.provider', '!=', 'builtin')
    .where('sites.nextPollAt', '<=', at)
    .orderBy('sites.nextPollAt')
    .limit(most)
    .execute()
}

export async function recordPoll(
  db: Db,
  projectId: string,
  { nextPollAt, pollFailures }: { nextPollAt: Date; pollFailures: number },
): Promise<void> {
  await db.updateTable('sites').set({ nextPollAt, pollFailures }).where('projectId', '=', projectId).execute()
}
