import { DocentError } from '#base/errors.ts'
import type { Caller } from '#features/accounts/service.ts'
import { getProject } from '#features/projects/service.ts'
import { openSource, type SourceDeps } from '#features/repositories/service.ts'
import type { GitCache } from '#infra/files/git-cache.ts'
import { openGitTree } from '#infra/files/git-tree.ts'
import { openRemoteRepository } from '#infra/git/remote-repository.ts'
import { checkDocs } from './check/check.ts'
import type { PageCache } from './parse/page-cache.ts'
import type { ProjectCheck } from './schema.ts'

export interface ContentDeps extends SourceDeps {
  pageCache: PageCache
  gitCache: GitCache
}

/** Checks the head of the project's branch, as it is at this moment. */
export async function checkProject(
  deps: ContentDeps,
  { id, by, signal }: { id: string; by: Caller; signal?: AbortSignal },
): Promise<ProjectCheck> {
  await getProject(deps, { id, by })
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
  await using tree = await openGitTree({
    gitDir: remote.gitDir,
    commit,
    root: docsPath,
    cache: deps.gitCache,
    signal,
  })
  const options = signal ? { cache: deps.pageCache, signal } : { cache: deps.pageCache }
  const { problems, pages, links } = await checkDocs(tree, options)
  return { commit, ref: branch, problems: problems.map(({ key: _, ...problem }) => problem), pages, links }
}
