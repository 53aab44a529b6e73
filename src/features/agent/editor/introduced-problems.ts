import { checkDocs, type PageCache, type Problem } from '#features/content/service.ts'
import type { AgentRun, CheckResult } from '../agent-run.ts'

/**
 * Problems that an edit really brought. Those of a page that moved, and of links that were rewritten, are called
 * otherwise than before and so look new; here each file is compared with what it was, wherever it stood.
 */
export async function trulyIntroduced(
  run: Pick<AgentRun, 'tree' | 'signal'>,
  input: { checked: CheckResult; moved: readonly { from: string; to: string }[]; pageCache: PageCache },
): Promise<Problem[]> {
  const { checked, moved, pageCache } = input
  if (moved.length === 0 || checked.introduced.length === 0) return checked.introduced
  const nowAt = new Map<string, string>()
  for (const { from, to } of moved) {
    const origin = [...nowAt].find(([, at]) => at === from)?.[0] ?? from
    nowAt.set(origin, to)
  }
  const before = await checkDocs(run.tree.base, { cache: pageCache, signal: run.signal })
  const surplus = new Map<string, number>()
  const add = (key: string, count: number) => surplus.set(key, (surplus.get(key) ?? 0) + count)
  for (const { rule, path } of checked.problems) add(`${rule} ${path}`, 1)
  for (const { rule, path } of before.problems) add(`${rule} ${nowAt.get(path) ?? path}`, -1)
  return checked.introduced.filter(({ rule, path }) => {
    const left = surplus.get(`${rule} ${path}`) ?? 0
    add(`${rule} ${path}`, -1)
    return left > 0
  })
}
