import { DocentError } from '#base/errors.ts'
import { openSource, type SourceDeps } from '#features/repositories/service.ts'
import type { FileTree } from '#infra/files/file-tree.ts'
import type { GitCache } from '#infra/files/git-cache.ts'
import { openGitTree } from '#infra/files/git-tree.ts'
import { openRemoteRepository } from '#infra/git/remote-repository.ts'

export interface HeadDeps extends SourceDeps {
  gitCache: GitCache
}

/** A project's docs folder at the head of its branch. */
export interface Head extends AsyncDisposable {
  tree: FileTree
  commit: string
  /** The branch whose head it is. */
  ref: string
}

/** Opens the head as it is at this moment. The caller has made sure that the project may be read. */
export async function openHead(deps: HeadDeps, { id, signal }: { id: string; signal?: AbortSignal }): Promise<Head> {
  const { host, mirrorDir, docsPath, ref, repository } = await openSource(deps, id)
  const remote = await openRemoteRepository({ remote: await host.openRemote(), mirrorDir, signal })
  const { defaultBranch, heads } = await remote.fetch({ branches: [ref] })
  const branch = ref ?? defaultBranch
  const commit = heads.get(branch)
  if (commit === undefined) {
    throw new DocentError(
      'not_found',
      'check.branch_not_found',
      `${repository} has no branch ${branch}. Push it, or change the project’s ref.`,
    )
  }
  const tree = await openGitTree({ gitDir: remote.gitDir, commit, root: docsPath, cache: deps.gitCache, signal })
  return { tree, commit, ref: branch, [Symbol.asyncDispose]: () => tree[Symbol.asyncDispose]() }
}
