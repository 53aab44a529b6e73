import type { Caller } from '#features/accounts/service.ts'
import { getProject } from '#features/projects/service.ts'
import { checkDocs } from './check/check.ts'
import { type HeadDeps, openHead } from './open-head.ts'
import type { PageCache } from './parse/page-cache.ts'
import type { ProjectCheck } from './schema.ts'

export interface ContentDeps extends HeadDeps {
  pageCache: PageCache
}

/** Checks the head of the project's branch, as it is at this moment. */
export async function checkProject(
  deps: ContentDeps,
  { id, by, signal }: { id: string; by: Caller; signal?: AbortSignal },
): Promise<ProjectCheck> {
  await getProject(deps, { id, by })
  await using head = await openHead(deps, { id, ...(signal ? { signal } : {}) })
  const options = signal ? { cache: deps.pageCache, signal } : { cache: deps.pageCache }
  const { problems, pages, links } = await checkDocs(head.tree, options)
  return {
    commit: head.commit,
    ref: head.ref,
    problems: problems.map(({ key: _, ...problem }) => problem),
    pages,
    links,
  }
}
