import {
  type CheckReport,
  checkChanges,
  checkDocs,
  introducedProblems,
  type Problem,
} from '#features/content/service.ts'
import type { AgentRun, CheckResult, WorkingTree } from './agent-run.ts'
import { brokenDataFiles } from './check-data-files.ts'
import type { Run } from './run.ts'

/**
 * The checks of the tree as it is now; asked again without a change in between, they are not done again. Where no page
 * but the changed ones can have got a problem, the others are looked at only for whoever wants to know of all.
 */
export function createCheck(
  { deps, signal }: { deps: Pick<Run['deps'], 'pageCache'>; signal: AbortSignal },
  tree: WorkingTree,
): AgentRun['check'] {
  const options = { cache: deps.pageCache, signal }
  let before: Promise<CheckReport> | null = null
  let checked: { entries: WorkingTree['entries']; result: CheckResult } | null = null
  return async ({ whole = false } = {}) => {
    // A new map with each change.
    const { entries } = tree
    if (checked?.entries === entries && (!whole || checked.result.scope === 'whole')) return checked.result
    const changed = tree.changes().map(({ path }) => path)
    const quick =
      whole || changed.length === 0 ? null : await checkChanges({ before: tree.base, after: tree, changed }, options)
    const result: CheckResult = quick ? { ...quick, scope: 'changes' } : await checkWhole()
    // docs.json is looked at with the pages.
    const known = new Set(result.introduced.filter(({ rule }) => rule === 'config').map(({ path }) => path))
    const broken = (await brokenDataFiles(tree)).filter(({ path }) => !known.has(path))
    result.problems.push(...broken)
    result.introduced.push(...broken)
    checked = { entries, result }
    return result
  }

  async function checkWhole(): Promise<CheckResult> {
    const after = await checkDocs(tree, options)
    let introduced: Problem[] = []
    // Where there is nothing wrong, nothing was brought in.
    if (after.problems.length > 0) {
      before ??= checkDocs(tree.base, options)
      introduced = withoutMoved(tree, { before: (await before).problems, after: after.problems })
    }
    return { ...after, introduced, scope: 'whole' }
  }
}

/**
 * What the change brought in. The problems of a page that moved, and of links that were rewritten for it, are called
 * otherwise than before and would look new. So where files came and went, a problem is new only if there are more of its
 * kind than before: in its file, or in those that came as against those that went.
 */
function withoutMoved(
  { base, entries }: WorkingTree,
  { before, after }: { before: readonly Problem[]; after: readonly Problem[] },
): Problem[] {
  const introduced = introducedProblems(before, after)
  const isMove =
    base.entries.keys().some((path) => !entries.has(path)) && entries.keys().some((path) => !base.entries.has(path))
  if (introduced.length === 0 || !isMove) return introduced
  const placeOf = ({ rule, path }: Problem) => `${rule} ${entries.has(path) && base.entries.has(path) ? path : ''}`
  const surplus = new Map<string, number>()
  const add = (place: string, count: number) => surplus.set(place, (surplus.get(place) ?? 0) + count)
  for (const problem of after) add(placeOf(problem), 1)
  for (const problem of before) add(placeOf(problem), -1)
  return introduced.filter((problem) => {
    const left = surplus.get(placeOf(problem)) ?? 0
    add(placeOf(problem), -1)
    return left > 0
  })
}
