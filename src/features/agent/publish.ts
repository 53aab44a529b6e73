import type { CodeHost, PullRequest } from '#backends/hosts/code-host.ts'
import { DocentError } from '#base/errors.ts'
import type { FileChange } from '#infra/files/editable-tree.ts'
import type { ObjectReader } from '#infra/git/object-reader.ts'
import type { RemoteRepository } from '#infra/git/remote.ts'
import { attemptGit } from '#infra/git/run-git.ts'
import { writeCommit } from '#infra/git/write-commit.ts'

export interface Publication {
  host: CodeHost
  remote: RemoteRepository
  docsPath: string
  /** The project's branch, which the pull request is for. */
  base: string
  branch: string
  /** Commit that the changes were made on. */
  parent: string
  /** Where the branch is if nobody but us has been at it; null: nowhere yet. */
  expected: string | null
  changes: FileChange[]
  /** Reads what the repository has. */
  objects: ObjectReader
  /** No patch of the changes has more bytes. */
  largestPatch: number
  /** Decides the commit's id together with what is above, so that doing it again gives the same commit. */
  message: string
  date: Date
  title: string
  body: string
  mostPatchBytes: number
  signal: AbortSignal
  /** Called before each step with what comes. Throws when this worker must not go on. */
  onStep(step: PublishStep): Promise<void>
}

export type PublishStep =
  | { kind: 'push'; commit: string }
  | { kind: 'pull-request' }
  | { kind: 'read-back'; pullRequest: PullRequest }

const author = { name: 'Docent', email: 'docent@localhost' }

/**
 * Commit, push, pull request: each is looked for before it is made, so that a worker which takes over can do it all
 * again and there is still one commit and one pull request.
 */
export async function publish(publication: Publication): Promise<PullRequest> {
  const { host, remote, branch, base, title, body, signal, onStep } = publication
  const commit = await writeCommit(remote.gitDir, {
    parent: publication.parent,
    root: publication.docsPath,
    changes: publication.changes,
    objects: publication.objects,
    message: publication.message,
    author,
    date: publication.date,
    signal,
  })
  await refuseOversize(publication, commit)
  await onStep({ kind: 'push', commit })
  await remote.push({ branch, commit, expected: publication.expected })
  await onStep({ kind: 'pull-request' })
  const pullRequest = await ensurePullRequest(host, { branch, base, title, body })
  await onStep({ kind: 'read-back', pullRequest })
  return await host.getPullRequest(pullRequest.number)
}

/** Measured as people will see it: a word in a large page is a small patch. */
async function refuseOversize(publication: Publication, commit: string): Promise<void> {
  const { remote, parent, largestPatch, mostPatchBytes, signal } = publication
  if (largestPatch <= mostPatchBytes) return
  const { isCut } = await attemptGit({
    gitDir: remote.gitDir,
    args: ['diff-tree', '-r', '-p', '--no-ext-diff', '--no-textconv', '--no-renames', parent, commit],
    mostBytes: mostPatchBytes,
    signal,
  })
  if (!isCut) return
  const text = `The change is a patch of more than ${mostPatchBytes} bytes, which nobody could review. Ask for less at a time.`
  throw new DocentError('too_large', 'job.patch_too_large', text)
}

async function ensurePullRequest(
  host: CodeHost,
  { branch, base, title, body }: Pick<Publication, 'branch' | 'base' | 'title' | 'body'>,
): Promise<PullRequest> {
  const existing = await host.findPullRequest({ branch, base })
  if (existing?.state === 'open') return await host.updatePullRequest(existing.number, { title, body })
  try {
    return await host.createPullRequest({ branch, base, title, body, draft: false })
  } catch (error) {
    // Made since we looked, or by a request of ours whose answer was lost.
    if (!(error instanceof DocentError) || error.code !== 'host.pull_request_exists') throw error
    const found = await host.findPullRequest({ branch, base })
    if (found?.state !== 'open') throw error
    return found
  }
}
