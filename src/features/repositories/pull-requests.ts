import { isContained } from '#backends/hosts/builtin/branches.ts'
import { gitDirOf } from '#backends/hosts/builtin/code-host.ts'
import { type PullRequestNow, settlePullRequest } from '#backends/hosts/builtin/pull-requests.ts'
import * as pulls from '#backends/hosts/builtin/store.ts'
import { DocentError } from '#base/errors.ts'
import { type Caller, recordAudit } from '#features/accounts/service.ts'
import { openLocalRepository, readHeads } from '#infra/git/local-repository.ts'
import { mergeBranches } from '#infra/git/merge-branches.ts'
import { type Page, toPage } from '#infra/http/schema.ts'
import { finishMerge } from './jobs.ts'
import { announceMoves } from './push-events.ts'
import type { BuiltinRepository, RepositoriesDeps } from './service.ts'

type Deps = Pick<RepositoriesDeps, 'db' | 'clock' | 'queue' | 'config'>

/** Done, now or before; or why not. */
export type Decision =
  | { kind: 'done' }
  /** The branch is not where it was when the caller looked. */
  | { kind: 'moved' }
  /** The base moved at the very moment of merging. */
  | { kind: 'base_moved' }
  | { kind: 'conflicts'; files: string[] }

/** Which one, and the head that the caller has seen; null: they saw that the branch is gone. */
export interface Asked {
  repository: BuiltinRepository
  number: number
  head: string | null
  by: Caller
}

export async function listPullRequests(
  { db }: Pick<Deps, 'db'>,
  { repository, state, page }: { repository: BuiltinRepository; state: 'open' | 'ended'; page: Page },
) {
  const { projectId } = repository
  const rows = await pulls.listPullRequests(db, { projectId, state, page })
  return { ...toPage(rows, page), counts: await pulls.countPullRequests(db, projectId) }
}

/** The pull request as its branches are now. Throws `not_found`. */
export async function getPullRequest(
  deps: Pick<Deps, 'db' | 'clock'>,
  { repository, number }: { repository: BuiltinRepository; number: number },
): Promise<PullRequestNow> {
  const row = await pulls.findPullRequest(deps.db, { projectId: repository.projectId, number })
  if (!row) throw new DocentError('not_found', 'host.pull_request_not_found', 'There is no such pull request.')
  return await settlePullRequest(deps, { row, gitDir: repository.gitDir })
}

// A merge that was killed is finished by then; one that was not has long been.
const finishAfterSeconds = 15

/**
 * Merges what the caller has seen, and nothing newer, into the base. Repeating it does nothing. The branches decide
 * whether it is merged; a kill at any point leaves it either open or merged, and `finishMerge` writes down the rest.
 */
export async function mergePullRequest(deps: Deps, { repository, number, head, by }: Asked): Promise<Decision> {
  const { projectId, gitDir } = repository
  const now = await getPullRequest(deps, { repository, number })
  if (now.row.state !== 'open') return { kind: 'done' }
  if (now.head === null || now.base === null || now.head !== head) return { kind: 'moved' }
  const merged = await mergeBranches(gitDir, {
    base: now.base,
    head: now.head,
    message: `Merge pull request #${number}: ${now.row.title.replace(/\s+/g, ' ').trim()}\n`,
    author: { name: by.actor.name, email: 'docent@localhost' },
    date: deps.clock.now(),
  })
  if (merged.kind === 'conflict') return { kind: 'conflicts', files: merged.files }
  if (merged.kind === 'up-to-date') return { kind: 'done' }
  const { commit } = merged
  const { organizationId, actor, requestId } = by
  const merge = { projectId, number, before: now.base, commit, by: { organizationId, actor, requestId } }
  await deps.queue.send(finishMerge, merge, { delaySeconds: finishAfterSeconds })
  try {
    await openLocalRepository(gitDir).push({ branch: now.row.base, commit, expected: now.base })
  } catch (error) {
    if (!(error instanceof DocentError) || error.code !== 'git.branch_moved') throw error
    // Perhaps by somebody who merged the same at this moment.
    const { row } = await getPullRequest(deps, { repository, number })
    return row.state === 'open' ? { kind: 'base_moved' } : { kind: 'done' }
  }
  await completeMerge(deps, merge)
  return { kind: 'done' }
}

export interface StartedMerge {
  projectId: string
  number: number
  before: string
  commit: string
  by: Omit<Caller, 'scopes'>
}

/** Writes down, records and announces a merge, once, if it did happen. */
export async function completeMerge(
  deps: Deps,
  { projectId, number, before, commit, by }: StartedMerge,
): Promise<void> {
  const { db, clock, config } = deps
  const row = await pulls.findPullRequest(db, { projectId, number })
  if (!row || row.endedBy !== null) return
  const gitDir = gitDirOf({ gitFolder: config.repositories, projectId })
  const base = (await readHeads(gitDir, [row.base])).get(row.base)
  if (base === undefined || !(await isContained(gitDir, { commit, base }))) return
  await db.transaction().execute(async (tx) => {
    const ended = { mergeCommit: commit, endedBy: by.actor.name, at: clock.now() }
    if (!(await pulls.markMerged(tx, { projectId, number }, ended))) return
    const details = { number, branch: row.branch, base: row.base, commit }
    await recordAudit(tx, { by: { ...by, scopes: [] }, action: 'pull_request.merge', target: projectId, details })
    await announceMoves(deps, { tx, projectId, moves: [{ branch: row.base, before, commit }] })
  })
}

/** Closes it without merging. Repeating it does nothing; nor does it close what the caller has not seen. */
export async function closePullRequest(deps: Deps, { repository, number, head, by }: Asked): Promise<Decision> {
  const { projectId } = repository
  const now = await getPullRequest(deps, { repository, number })
  if (now.row.state !== 'open') return { kind: 'done' }
  if (now.head !== head) return { kind: 'moved' }
  const at = deps.clock.now()
  await deps.db.transaction().execute(async (tx) => {
    const change = { state: 'closed', endedBy: by.actor.name, endedAt: at, updatedAt: at }
    const closed = await pulls.updateOpenPullRequest(tx, { projectId, number }, change)
    const details = { number, branch: now.row.branch, base: now.row.base }
    if (closed) await recordAudit(tx, { by, action: 'pull_request.close', target: projectId, details })
  })
  return { kind: 'done' }
}
