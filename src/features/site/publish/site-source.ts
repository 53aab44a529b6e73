import { DocentError } from '#base/errors.ts'
import { openSource, type ProjectSource, type SourceDeps } from '#features/repositories/service.ts'
import { openRemoteRepository } from '#infra/git/remote-repository.ts'
import { attemptGit } from '#infra/git/run-git.ts'
import * as store from './store.ts'

/** A commit of a project with its objects on this machine. */
export interface FoundCommit {
  gitDir: string
  commit: string
}

/** Where the project's branch is at this moment. */
export interface BranchHead extends FoundCommit {
  ref: string
  docsPath: string
  /** What it is the head of, to be compared: another repository, branch or folder is another source. */
  source: string
}

interface Asked {
  projectId: string
  signal?: AbortSignal | undefined
}

/** The head of the project's branch, its objects brought here. Throws `not_found` `site.branch_not_found`. */
export async function readHead(deps: SourceDeps, { projectId, signal }: Asked): Promise<BranchHead> {
  const source = await openSource(deps, projectId)
  const { gitDir, commit, ref } = await headOf(source, { branch: source.ref, signal })
  const { provider, repository, docsPath } = source
  // Of the built-in host the address changes with the server's.
  const place = provider === 'builtin' ? provider : repository
  return { gitDir, commit, ref, docsPath, source: JSON.stringify([place, ref, docsPath]) }
}

/** The same of any branch of the project's repository. */
export async function readBranch(
  deps: SourceDeps,
  { projectId, branch, signal }: Asked & { branch: string },
): Promise<FoundCommit> {
  return await headOf(await openSource(deps, projectId), { branch, signal })
}

/** A commit that is known by its id, brought here if it has to be. Throws `not_found` `site.commit_not_found`. */
export async function readCommit(
  deps: SourceDeps,
  { projectId, commit, ref, signal }: Asked & { commit: string; ref: string },
): Promise<FoundCommit> {
  const source = await openSource(deps, projectId)
  const gitDir = await storedAt(source)
  if ((await resolveCommit(gitDir, commit, signal)) !== null) return { gitDir, commit }
  if (source.provider !== 'builtin' && ref !== '') {
    // Each node has a mirror of its own, which may lag behind the one that published it.
    const remote = await openRemoteRepository({ remote: await source.host.openRemote(), mirrorDir: gitDir, signal })
    await remote.fetch({ branches: [ref] })
    if ((await resolveCommit(gitDir, commit, signal)) !== null) return { gitDir, commit }
  }
  throw commitNotFound()
}

/**
 * The commit whose id begins so, if the project may show it: one that a branch contains, or that was live before. Others
 * may be in the repository too (of a fork, of what was taken back), and knowing their ids must not be enough.
 */
export async function findCommit(
  deps: SourceDeps,
  { projectId, commit: start, signal }: Asked & { commit: string },
): Promise<FoundCommit | null> {
  const gitDir = await storedAt(await openSource(deps, projectId))
  const commit = await resolveCommit(gitDir, start, signal)
  if (commit === null) return null
  if (await store.wasDeployed(deps.db, { projectId, commit })) return { gitDir, commit }
  const args = ['for-each-ref', '--count=1', '--format=%(refname)', `--contains=${commit}`, 'refs/heads']
  const { code, stdout } = await attemptGit({ gitDir, args, signal })
  return code === 0 && stdout.length > 0 ? { gitDir, commit } : null
}

export function commitNotFound(): DocentError {
  const message =
    'The project’s repository has no such commit on any branch that is known here. Push it, or name its branch.'
  return new DocentError('not_found', 'site.commit_not_found', message)
}

async function headOf(
  { host, mirrorDir, repository }: ProjectSource,
  { branch, signal }: { branch: string | null; signal: AbortSignal | undefined },
): Promise<FoundCommit & { ref: string }> {
  const remote = await openRemoteRepository({ remote: await host.openRemote(), mirrorDir, signal })
  const { defaultBranch, heads } = await remote.fetch({ branches: [branch] })
  const ref = branch ?? defaultBranch
  const commit = heads.get(ref)
  if (commit !== undefined) return { gitDir: remote.gitDir, commit, ref }
  const message = `${repository} has no branch ${ref}. Push it, or name another.`
  throw new DocentError('not_found', 'site.branch_not_found', message)
}

/** Where its objects are on this machine, without asking its host. */
async function storedAt({ provider, host, mirrorDir }: ProjectSource): Promise<string> {
  if (provider !== 'builtin') return mirrorDir
  const remote = await host.openRemote()
  return remote.kind === 'local' ? remote.gitDir : mirrorDir
}

/** The one commit whose id begins so. Asked of the objects alone: a branch may be called like the start of an id. */
async function resolveCommit(gitDir: string, start: string, signal: AbortSignal | undefined): Promise<string | null> {
  if (!/^[0-9a-f]{7,64}$/.test(start)) return null
  const found = await attemptGit({ gitDir, args: ['rev-parse', `--disambiguate=${start}`], signal })
  if (found.code !== 0 || found.stdout.length === 0) return null
  const args = ['cat-file', '--batch-check=%(objecttype) %(objectname)']
  const { stdout } = await attemptGit({ gitDir, args, input: found.stdout, signal })
  const lines = stdout.toString('utf8').split('\n')
  const commits = lines.filter((line) => line.startsWith('commit ')).map((line) => line.slice('commit '.length))
  return commits.length === 1 ? commits[0]! : null
}
