import { setTimeout as sleep } from 'node:timers/promises'
import { DocentError, type ErrorKind, toDocentError } from '#base/errors.ts'
import { newId } from '#base/ids.ts'
import { emitEvent } from '#features/webhooks/service.ts'
import type { Database } from '#infra/db/database.ts'
import type { Db } from '#infra/db/schema.ts'
import type { SiteDeps } from '../site-deps.ts'
import { changedPages } from './changed-pages.ts'
import { toDeployment } from './deployment.ts'
import type { LiveSites } from './live-sites.ts'
import type { DeploymentReason } from './schema.ts'
import { type BranchHead, readCommit, readHead } from './site-source.ts'
import * as store from './store.ts'

export type PublishDeps = Pick<
  SiteDeps,
  'db' | 'clock' | 'queue' | 'secretBox' | 'fetch' | 'config' | 'log' | 'editions'
> & { liveSites: Pick<LiveSites, 'forget'> }

export interface Publish {
  projectId: string
  reason: DeploymentReason
  /** One that waits to be built; null: one is made if the branch has something new. */
  deploymentId?: string | null
  /** The job of the queue that does it: what it had begun before its worker died is its own again. */
  work?: string | null
  /** A passing trouble is then the end of it. */
  isLastTry?: boolean
  signal?: AbortSignal
}

export type Published = { state: 'unchanged' } | { state: 'ready' | 'failed'; deploymentId: string }

const unchanged: Published = { state: 'unchanged' }
const passingKinds: ReadonlySet<ErrorKind> = new Set(['rate_limited', 'unavailable'])

/**
 * Brings readers what the project's branch has, or the deployment that was asked for. Deployments of one project are
 * built one after the other, over all nodes, and each looks at the branch when its turn has come: so the newest wins.
 * What cannot be built is written down, and readers keep what they have. Throws only what may pass, and what ended it.
 */
export async function publishSite(deps: PublishDeps, input: Publish): Promise<Published> {
  try {
    const turn = await takeTurn(deps, input)
    return turn ? await build(deps, input, turn) : unchanged
  } catch (thrown) {
    const error = toDocentError(thrown)
    if (error.code === 'project.not_found') return unchanged
    if (input.signal?.aborted) {
      throw new DocentError('unavailable', 'site.stopped', 'Publishing was stopped.', { cause: thrown })
    }
    if (isToBeTriedAgain(error, input)) throw error
    return await recordUnreachable(deps, input, error)
  }
}

function isToBeTriedAgain(error: DocentError, { isLastTry = false, signal }: Publish): boolean {
  return signal?.aborted === true || (passingKinds.has(error.kind) && !isLastTry)
}

/** A deployment that is ours to build, and what from. */
interface Turn {
  row: store.DeploymentRow
  commit: string
  /** What was live until now. */
  liveId: string | null
  /** Where the branch is; null when that could not be found out, and something else is published. */
  head: BranchHead | null
}

// How often those who wait for their turn look again.
const lookAgainMs = 100

/** Null when there is nothing to do. */
async function takeTurn(deps: PublishDeps, input: Publish): Promise<Turn | null> {
  const { projectId, signal } = input
  while (true) {
    const site = await store.findSite(deps.db, projectId)
    const asked = input.deploymentId
      ? await store.findDeployment(deps.db, { id: input.deploymentId, projectId })
      : undefined
    if (input.deploymentId && asked?.state !== 'waiting' && asked?.state !== 'building') return null
    const head = await readHead(deps, { projectId, signal }).catch((error: unknown) => {
      // An earlier commit is here already: to return to it, its host need not answer.
      if (asked?.commit) return null
      throw error
    })
    if (!asked && site && head && site.head === head.commit && site.source === head.source) return null
    const wanted = asked?.commit
      ? { commit: asked.commit, ref: asked.ref, docsPath: asked.docsPath }
      : { commit: head!.commit, ref: head!.ref, docsPath: head!.docsPath }
    const claimed = await claim(deps, input, { site, wanted })
    if (claimed === 'gone') return null
    if (claimed !== 'taken') {
      const liveId = site?.liveDeployment ?? null
      return { row: claimed, commit: wanted.commit, liveId, head }
    }
    // The branch is looked at again when the turn may have come, not before: its host may be far away.
    while (await store.isBeingBuilt(deps.db, projectId)) await sleep(lookAgainMs, undefined, signal ? { signal } : {})
  }
}

interface Wanted {
  commit: string
  ref: string
  docsPath: string
}

/** `taken`: somebody else builds for this project, or did since we looked at the branch. */
async function claim(
  { db }: PublishDeps,
  { projectId, reason, deploymentId = null, work = null }: Publish,
  { site, wanted }: { site: store.SiteRow | undefined; wanted: Wanted },
): Promise<store.DeploymentRow | 'taken' | 'gone'> {
  return await db.transaction().execute(async (tx) => {
    const now = await store.lockSite(tx, projectId)
    if (!now) return 'gone'
    if (now.head !== (site?.head ?? null) || now.liveDeployment !== (site?.liveDeployment ?? null)) return 'taken'
    await store.settleAbandoned(tx, { projectId })
    const building = await store.findBuilding(tx, projectId)
    if (building && (work === null || building.work !== work)) return 'taken'
    const id = building?.id ?? deploymentId
    if (id) return (await store.startBuilding(tx, id, { ...wanted, work })) ?? 'gone'
    const row = { id: newId('dpl'), projectId, ...wanted, state: 'building', reason, by: null, work } as const
    return (await store.insertDeployment(tx, row)) ?? 'taken'
  })
}

const heartbeatMs = 3_000
// A list is for people to look through; the number beside it is exact.
const mostWarnings = 200

async function build(deps: PublishDeps, input: Publish, turn: Turn): Promise<Published> {
  const { db, editions, log } = deps
  const { projectId, signal } = input
  const { row, head, liveId } = turn
  const { id: deploymentId, ref, docsPath } = row
  const beating = setInterval(() => {
    store.beat(db, deploymentId).catch((err) => log.warn({ err, deploymentId }, 'site.heartbeat_failed'))
  }, heartbeatMs).unref()
  const startedAt = performance.now()
  try {
    const { commit } = turn
    const isHead = head?.commit === commit
    const { gitDir } = isHead ? head : await readCommit(deps, { projectId, commit, ref, signal })
    const place = { projectId, gitDir, ...(signal ? { signal } : {}) }
    const edition = await editions.open({ ...place, commit, docsPath })
    const live = liveId === null ? undefined : await store.findDeployment(db, { id: liveId, projectId })
    // It may be gone from a repository whose history was rewritten.
    const before = live?.commit
      ? await editions.open({ ...place, commit: live.commit, docsPath: live.docsPath }).catch(() => null)
      : null
    const isDone = await finish(deps, turn, {
      pages: edition.pages.size,
      changes: changedPages(before, edition),
      warningCount: edition.warnings.length,
      warnings: edition.warnings.slice(0, mostWarnings),
    })
    if (!isDone) return await leaveDeleted(deps, projectId)
    deps.liveSites.forget(projectId)
    const durationMs = Math.round(performance.now() - startedAt)
    log.info({ projectId, deploymentId, commit, pages: edition.pages.size, durationMs }, 'site.published')
    return { state: 'ready', deploymentId }
  } catch (thrown) {
    const error = toDocentError(thrown)
    if (isToBeTriedAgain(error, input)) {
      await store.giveBack(db, deploymentId, { isAsked: Boolean(input.deploymentId) })
      throw error
    }
    log.warn({ projectId, deploymentId, err: thrown }, 'site.publish_failed')
    await fail(deps, turn, error)
    return { state: 'failed', deploymentId }
  } finally {
    clearInterval(beating)
  }
}

/** At a start: ends what was being built by processes that are dead. Their jobs of the queue make it anew. */
export async function settleAbandoned({
  db,
  database,
}: {
  db: Db
  database: Pick<Database, 'supports'>
}): Promise<void> {
  await store.settleAbandoned(db, { isAlone: !database.supports.severalProcesses })
}

type Found = Parameters<typeof store.markReady>[2]

/** Makes it live, in one moment. Returns false when the project was deleted meanwhile. */
async function finish(deps: PublishDeps, { row, head }: Turn, found: Found): Promise<boolean> {
  const { projectId } = row
  return await deps.db.transaction().execute(async (tx) => {
    if (!(await store.lockSite(tx, projectId))) return false
    const ready = await store.markReady(tx, row.id, found)
    // We were silent for too long, and somebody else has the turn.
    if (!ready) throw new DocentError('unavailable', 'site.turn_lost', 'Building took so long that the turn was lost.')
    const seen = head ? { head: head.commit, source: head.source } : {}
    await store.updateSite(tx, projectId, { liveDeployment: row.id, ...seen })
    const data = { projectId, deployment: toDeployment(ready, row.id) }
    await emitEvent(deps, tx, { projectId, event: 'site.published', data })
    return true
  })
}

/** Readers keep what they have. The head counts as seen: it would fail again, each time that somebody looks. */
async function fail(deps: PublishDeps, { row, head, liveId }: Turn, error: DocentError): Promise<void> {
  const { projectId } = row
  await deps.db.transaction().execute(async (tx) => {
    if (!(await store.lockSite(tx, projectId))) return
    const failed = await store.markFailed(tx, row.id, { code: error.code, message: error.message })
    if (!failed) return
    if (head) await store.updateSite(tx, projectId, { head: head.commit, source: head.source })
    const data = { projectId, deployment: toDeployment(failed, liveId) }
    await emitEvent(deps, tx, { projectId, event: 'site.failed', data })
  })
}

/** Deleting a project deletes what is kept of its site; what was kept after that goes with it. */
async function leaveDeleted({ editions }: PublishDeps, projectId: string): Promise<Published> {
  await editions.remove(projectId)
  return unchanged
}

/** The branch could not be read. Written down once, and not each time that somebody looks. */
async function recordUnreachable(deps: PublishDeps, input: Publish, error: DocentError): Promise<Published> {
  const { projectId, reason, deploymentId = null } = input
  const { code, message } = error
  deps.log.warn({ projectId, err: error }, 'site.source_unreachable')
  if (deploymentId === null && (await store.hasJustFailed(deps.db, { projectId, code }))) return unchanged
  const row = await deps.db.transaction().execute(async (tx) => {
    const site = await store.lockSite(tx, projectId)
    if (!site) return undefined
    const unknown = { id: newId('dpl'), projectId, commit: null, ref: '', docsPath: '', by: null, work: null }
    const failed = deploymentId
      ? await store.markFailed(tx, deploymentId, { code, message })
      : await store.insertDeployment(tx, { ...unknown, reason, state: 'failed', error: { code, message } })
    if (!failed) return undefined
    const data = { projectId, deployment: toDeployment(failed, site.liveDeployment) }
    await emitEvent(deps, tx, { projectId, event: 'site.failed', data })
    return failed
  })
  return row ? { state: 'failed', deploymentId: row.id } : unchanged
}
