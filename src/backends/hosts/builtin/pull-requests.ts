import type { Clock } from '#base/clock.ts'
import type { Db } from '#infra/db/schema.ts'
import { type HeadCommit, readHeadCommits } from '#infra/git/local-repository.ts'
import { isContained, isHeadContained } from './branches.ts'
import * as store from './store.ts'

export type { PullRequestRow } from './store.ts'

/** A pull request, and where its two branches are at this moment; null: that branch does not exist. */
export interface PullRequestNow {
  row: store.PullRequestRow
  head: string | null
  base: string | null
}

/**
 * Looks at an open pull request's branches and writes down what happened to them since. The branches decide and the row
 * follows: one whose commits are in its base is merged, however they came there (a push, or a merge that was killed
 * before it could say so); one that has lost a branch, or its commits, is closed.
 */
export async function settlePullRequest(
  { db, clock }: { db: Db; clock: Clock },
  { row, gitDir }: { row: store.PullRequestRow; gitDir: string },
): Promise<PullRequestNow> {
  const heads = await readHeadCommits(gitDir, [row.branch, row.base])
  const [head, base] = [heads.get(row.branch) ?? null, heads.get(row.base)?.id ?? null]
  const now = { head: head?.id ?? null, base }
  if (row.state !== 'open') return { row, ...now }
  const state = await stateOf({ row, head, base }, gitDir)
  const at = clock.now()
  if (state !== 'open') {
    // Base and head stay as they were last seen: they tell what the change was.
    const head = now.head !== null && state === 'merged' ? { headCommit: now.head } : {}
    const ended = { state, ...head, endedAt: at, updatedAt: at, ...(state === 'closed' ? { mergeCommit: null } : {}) }
    const settled = await store.updateOpenPullRequest(db, row, ended)
    return { row: settled ?? (await store.findPullRequest(db, row)) ?? row, ...now }
  }
  if (now.head === row.headCommit && now.base === row.baseCommit) return { row, ...now }
  const seen = { headCommit: now.head, baseCommit: now.base }
  return { row: (await store.updateOpenPullRequest(db, row, seen)) ?? row, ...now }
}

async function stateOf(
  { row, head, base }: { row: store.PullRequestRow; head: HeadCommit | null; base: string | null },
  gitDir: string,
): Promise<'open' | 'merged' | 'closed'> {
  if (base === null) return 'closed'
  const seen = row.headCommit
  if (head === null) {
    return seen !== null && (await isContained(gitDir, { commit: seen, base })) ? 'merged' : 'closed'
  }
  if (!(await isHeadContained(gitDir, { head, base }))) return 'open'
  // The branch was put back to where its base is, without the base having taken anything from it.
  const isReset = seen !== null && base === row.baseCommit && !(await isContained(gitDir, { commit: seen, base }))
  return isReset ? 'closed' : 'merged'
}
