import { DocentError } from '#base/errors.ts'
import type { Caller } from '#features/accounts/service.ts'
import { getProject } from '#features/projects/service.ts'
import { openSource, type ProjectSource, type SourceDeps } from '#features/repositories/service.ts'
import { type FileDiff, type Hunk, readDiff } from '#infra/git/read-diff.ts'
import { openRemoteRepository } from '#infra/git/remote-repository.ts'
import type { JobDiff } from './schema.ts'
import { getRow } from './service.ts'
import { hasCommit } from './start.ts'
import * as store from './store.ts'

// A prompt's own patch is not larger than this; several may stand on one branch.
const limits = { mostFiles: 500, mostPatchBytes: 1_000_000, mostLineLength: 4_000 }
// Somebody waits for the answer.
const fetchTimeoutMs = 20_000

/**
 * What the job's branch changes, of the last prompt that changed anything. Throws `not_found` `job.diff_gone` when its
 * commits are not in the repository any more.
 */
export async function getJobDiff(
  deps: SourceDeps,
  input: { projectId: string; id: string; by: Caller },
): Promise<JobDiff> {
  const project = await getProject(deps, { id: input.projectId, by: input.by })
  const job = await getRow(deps.db, { id: input.id, projectId: project.id })
  const commits = await store.listCommits(deps.db, job.id)
  const last = commits.at(-1)
  // What was there before the first prompt of that branch; a follow-up's own start has the earlier ones in it.
  const from = commits.find(({ branch }) => branch === last?.branch)?.baseCommit
  if (!last || !from) return { files: [], truncated: false }
  const gitDir = await bringCommits(deps, { job, branch: last.branch, commits: [from, last.commit] })
  const { files, isCut } = await readDiff(gitDir, { from, to: last.commit, limits })
  return { files: files.map(toFile), truncated: isCut }
}

/** Where the commits are on this machine. Another node's worker may have made them, so that they have to be fetched. */
async function bringCommits(
  deps: SourceDeps,
  { job, branch, commits }: { job: store.JobRow; branch: string | null; commits: string[] },
): Promise<string> {
  const source = await openSource(deps, job.projectId)
  const areIn = async (gitDir: string) => {
    const found = await Promise.all(commits.map((commit) => hasCommit(gitDir, commit)))
    return found.every(Boolean)
  }
  const local = source.provider === 'builtin' ? await source.host.openRemote() : null
  const gitDir = local?.kind === 'local' ? local.gitDir : source.mirrorDir
  // Without a word to the host: mostly they are here.
  if (await areIn(gitDir)) return gitDir
  if (local !== null || source.repository !== job.repository) throw gone()
  await fetchBranches(source, [job.ref, branch]).catch((error: unknown) => {
    // A host's refusal is none of the caller: answered as it is, it would say that their own key is bad.
    if (!(error instanceof DocentError) || error.kind === 'internal') throw error
    const message = `The commits of this job are not on this machine, and could not be fetched: ${error.message}`
    throw new DocentError('unavailable', 'job.diff_unavailable', message, { cause: error, retryAfterSeconds: 30 })
  })
  if (await areIn(gitDir)) return gitDir
  throw gone()
}

/** Brings the branches into the mirror, if they are still there. */
async function fetchBranches({ host, mirrorDir }: ProjectSource, branches: (string | null)[]): Promise<void> {
  const signal = AbortSignal.timeout(fetchTimeoutMs)
  const repository = await openRemoteRepository({ remote: await host.openRemote(), mirrorDir, signal })
  await repository.fetch({ branches })
}

function toFile(file: FileDiff): JobDiff['files'][number] {
  const { path, oldPath, status, isBinary } = file
  return {
    path,
    previousPath: status === 'renamed' ? oldPath : null,
    status: status === 'modified' ? 'changed' : status,
    added: file.added ?? 0,
    removed: file.deleted ?? 0,
    isBinary,
    patch: isBinary || file.hunks.length === 0 ? null : file.hunks.map(hunkText).join('\n'),
  }
}

const signs = { context: ' ', added: '+', deleted: '-' }

function hunkText({ oldStart, newStart, lines }: Hunk): string {
  const oldCount = lines.filter(({ kind }) => kind !== 'added').length
  const newCount = lines.filter(({ kind }) => kind !== 'deleted').length
  const body = lines.map(({ kind, text, isUnfinished }) => {
    return `${signs[kind]}${text}${isUnfinished ? '\n\\ No newline at end of file' : ''}`
  })
  return [`@@ -${oldStart},${oldCount} +${newStart},${newCount} @@`, ...body].join('\n')
}

function gone(): DocentError {
  const message =
    'The commits of this job are not in the repository any more. Its pull request may still show the change.'
  return new DocentError('not_found', 'job.diff_gone', message)
}
