import type { Caller } from '#features/accounts/service.ts'
import { getProject } from '#features/projects/service.ts'
import { type HeadDeps, openHead } from './open-head.ts'
import { readSiteMap } from './site/site-map.ts'

/** Addresses of the pages that are files at the head of the project's branch: `/`, `/guides/setup`. */
export async function listRoutes(deps: HeadDeps, { id, by }: { id: string; by: Caller }): Promise<string[]> {
  await getProject(deps, { id, by })
  await using head = await openHead(deps, { id })
  const map = await readSiteMap(head.tree)
  return map.pages.map((path) => map.routeOf(path))
}
