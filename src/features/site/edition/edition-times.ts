import { readLastChanges } from '#infra/git/last-changes.ts'
import { mergeBase } from '#infra/git/read-history.ts'
import { editionName, parseEditionName } from './edition-name.ts'
import type { SiteStore } from './site-store.ts'

export interface LearnTimesInput {
  gitDir: string
  commit: string
  docsPath: string
  /** The files of the edition's pages. */
  paths: ReadonlySet<string>
  store: SiteStore
  signal: AbortSignal
}

// Each costs a git; the last one used is nearly always the commit before.
const mostTried = 3

/** When the files of an edition changed last, in seconds: by what is known of a commit before it, and the history since. */
export async function learnTimes(input: LearnTimesInput): Promise<ReadonlyMap<string, number>> {
  const { gitDir, commit, docsPath, paths, store, signal } = input
  const before = await findBefore(input)
  const since = before?.commit ?? null
  const changed = await readLastChanges({ gitDir, commit, since, root: docsPath, paths, signal })
  const times = new Map<string, number>()
  for (const path of paths) {
    const seconds = changed.get(path) ?? before?.times.get(path)
    if (seconds !== undefined) times.set(path, seconds)
  }
  await store.write('keepTimes', { name: editionName({ commit, docsPath }), times: [...times] })
  return times
}

/** Those that are kept; null when they are not known yet, or cannot be read. */
export function findTimes(store: SiteStore, name: string): ReadonlyMap<string, number> | null {
  try {
    return store.reader().findTimes(name)
  } catch {
    return null
  }
}

async function findBefore({ gitDir, commit, docsPath, store }: LearnTimesInput) {
  const reader = store.reader()
  const known = reader
    .editionsWithTimes()
    .map((name) => ({ name, ...parseEditionName(name) }))
    .filter((one) => one.docsPath === docsPath && one.commit !== commit)
  for (const one of known.slice(0, mostTried)) {
    // A commit that is gone, or on another branch, says nothing about this one.
    const base = await mergeBase(gitDir, one.commit, commit).catch(() => null)
    const times = base === one.commit ? store.reader().findTimes(one.name) : null
    if (times) return { commit: one.commit, times }
  }
  return null
}
