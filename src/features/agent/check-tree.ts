import { type CheckReport, checkDocs, introducedProblems } from '#features/content/service.ts'
import type { CheckResult, WorkingTree } from './agent-run.ts'
import type { Run } from './run.ts'

/** The checks of the tree as it is now; asked again without a change in between, they are not done again. */
export function createCheck(
  { deps, signal }: Pick<Run, 'deps' | 'signal'>,
  tree: WorkingTree,
): () => Promise<CheckResult> {
  const options = { cache: deps.pageCache, signal }
  let before: Promise<CheckReport> | null = null
  let checked: { entries: WorkingTree['entries']; result: CheckResult } | null = null
  return async () => {
    // A new map with each change.
    const { entries } = tree
    if (checked?.entries === entries) return checked.result
    const after = await checkDocs(tree, options)
    let introduced: CheckReport['problems'] = []
    // Where there is nothing wrong, nothing was brought in.
    if (after.problems.length > 0) {
      before ??= checkDocs(tree.base, options)
      introduced = introducedProblems((await before).problems, after.problems)
    }
    checked = { entries, result: { ...after, introduced } }
    return checked.result
  }
}
