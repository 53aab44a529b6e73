import { readAllHeads } from '#backends/hosts/builtin/branches.ts'
import { settlePullRequest } from '#backends/hosts/builtin/pull-requests.ts'
import { listOpenPullRequests } from '#backends/hosts/builtin/store.ts'
import { type Caller, recordAudit } from '#features/accounts/service.ts'
import { findSource } from '#features/projects/service.ts'
import type { Tx } from '#infra/db/schema.ts'
import { openRemoteRepository } from '#infra/git/remote-repository.ts'
import { pushed } from './jobs.ts'
import { type BuiltinRepository, openSource, type RepositoriesDeps } from './service.ts'

/** Which branch moved from where to where; see the job. */
export interface BranchMove {
  branch: string
  before: string | null
  commit: string | null
}

type Heads = ReadonlyMap<string, string>

function movesBetween(before: Heads, after: Heads): BranchMove[] {
  const branches = [...new Set([...before.keys(), ...after.keys()])].sort()
  return branches
    .map((branch) => ({ branch, before: before.get(branch) ?? null, commit: after.get(branch) ?? null }))
    .filter((move) => move.before !== move.commit)
}

/** Tells the rest of the service that branches moved, if and when the transaction commits. */
export async function announceMoves(
  { queue }: Pick<RepositoriesDeps, 'queue'>,
  { tx, projectId, moves }: { tx: Tx; projectId: string; moves: BranchMove[] },
): Promise<void> {
  for (const move of moves) await queue.send(pushed, { projectId, ...move }, { tx })
}

/** Looks at what a push has moved, records it and announces it. */
export async function recordPush(
  deps: Pick<RepositoriesDeps, 'db' | 'queue'>,
  { repository, before, by }: { repository: BuiltinRepository; before: Heads; by: Caller },
): Promise<void> {
  const { projectId, gitDir } = repository
  const moves = movesBetween(before, await readAllHeads(gitDir))
  if (moves.length === 0) return
  await deps.db.transaction().execute(async (tx) => {
    const details = { branches: moves.slice(0, mostRecorded), count: moves.length }
    await recordAudit(tx, { by, action: 'repository.push', target: projectId, details })
    await announceMoves(deps, { tx, projectId, moves })
  })
}

const mostRecorded = 20

interface FollowedPush {
  projectId: string
  branch: string
  commit: string | null
  signal?: AbortSignal
}

/** What follows from a move: pull requests that it merged or closed, or a mirror that the next job then finds warm. */
export async function followPush(
  deps: RepositoriesDeps,
  { projectId, branch, commit, signal }: FollowedPush,
): Promise<void> {
  const source = await findSource(deps, { id: projectId })
  // Deleted meanwhile.
  if (!source) return
  const opened = await openSource(deps, projectId)
  const remote = await opened.host.openRemote()
  if (remote.kind === 'local') {
    for (const row of await listOpenPullRequests(deps.db, { projectId, branch })) {
      await settlePullRequest(deps, { row, gitDir: remote.gitDir })
    }
  } else if (commit !== null && (source.ref === null || source.ref === branch)) {
    const repository = await openRemoteRepository({ remote, mirrorDir: opened.mirrorDir, signal })
    await repository.fetch({ branches: [branch] })
  }
}
