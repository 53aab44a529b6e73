import type { CodeHost } from '#backends/hosts/code-host.ts'
import { DocentError } from '#base/errors.ts'
import type { Db } from '#infra/db/schema.ts'
import type { RemoteRepository } from '#infra/git/remote.ts'
import { attemptGit } from '#infra/git/run-git.ts'
import { whileHeld } from './hold.ts'
import * as store from './store.ts'

/** Where the work on a prompt starts and where it goes. */
export interface Start {
  /** The project's branch, and the commit it is at. */
  base: string
  baseCommit: string
  /** The job's branch. */
  branch: string
  /** Whether the branch is made by this prompt. */
  isNewBranch: boolean
  /** What the changes are made on: the base, or what the job's branch holds already. */
  commit: string
  /** The docs folder. A project may change it while a prompt is worked on; the work goes on where it began. */
  docsPath: string
  /** Whether this is the first time that the prompt is worked on; else what an earlier worker did is good. */
  isNew: boolean
}

interface StartRun {
  deps: { db: Db }
  job: store.JobRow
  message: store.MessageRow
  hold: store.Hold
}

/**
 * Brings the branches here and decides where to start, once for each prompt: it is written down before any work, so
 * that whoever takes over makes the same commit.
 */
export async function findStart(
  { deps, job, message, hold }: StartRun,
  { host, remote, docsPath }: { host: CodeHost; remote: RemoteRepository; docsPath: string },
): Promise<Start> {
  const { defaultBranch, heads } = await remote.fetch({ branches: [job.ref, ...(job.branch ? [job.branch] : [])] })
  const base = job.ref ?? defaultBranch
  const baseCommit = heads.get(base)
  if (baseCommit === undefined) {
    const text = `The repository has no branch ${base}. Change the project’s source.ref, or push the branch.`
    throw new DocentError('invalid', 'job.branch_not_found', text)
  }
  if (message.branch !== null && message.baseCommit !== null && (await hasCommit(remote.gitDir, message.baseCommit))) {
    const { branch, baseCommit: commit } = message
    const isNewBranch = branch === branchName(message)
    return { base, baseCommit, branch, isNewBranch, commit, docsPath: message.docsPath ?? docsPath, isNew: false }
  }

  const openHead = await findOpenHead({ job, host, heads })
  const branch = openHead === null ? branchName(message) : job.branch!
  const commit = openHead ?? baseCommit
  await whileHeld(deps.db, hold, async (tx) => {
    // Steps of a start that is gone from the repository fit no other.
    await store.deleteSteps(tx, message.id)
    await store.updateMessage(tx, message.id, { branch, baseCommit: commit, docsPath, title: null, summary: null })
    await store.updateJob(tx, job.id, { ref: base, branch })
  })
  return { base, baseCommit, branch, isNewBranch: openHead === null, commit, docsPath, isNew: true }
}

/** Where the job's branch is, if its pull request is still open: a follow-up then adds to it. */
async function findOpenHead({
  job,
  host,
  heads,
}: {
  job: store.JobRow
  host: CodeHost
  heads: Map<string, string>
}): Promise<string | null> {
  if (job.pullRequest === null || job.branch === null) return null
  const found = await host.getPullRequest(job.pullRequest).catch((error) => {
    if (error instanceof DocentError && error.code === 'host.pull_request_not_found') return null
    throw error
  })
  return found?.state === 'open' ? (heads.get(job.branch) ?? null) : null
}

/** The name says which prompt made the branch. */
function branchName({ jobId, number }: store.MessageRow): string {
  return number === 1 ? `docent/${jobId}` : `docent/${jobId}-${number}`
}

export async function hasCommit(gitDir: string, commit: string): Promise<boolean> {
  const { code } = await attemptGit({ gitDir, args: ['cat-file', '-e', `${commit}^{commit}`] })
  return code === 0
}
