/** Lines, both ends included, from 1. */
export type LineRange = [from: number, to: number]

export interface Seen {
  /** The content's id when it was read: with another one, the file has changed since. */
  id: string
  ranges: LineRange[]
}

/**
 * What the model has seen of each file, so that nothing is edited unseen. `takeChanges` gives what is new since the last
 * time, to be stored with the step; `restore` puts it back after a restart.
 */
export interface FileMemory {
  note(path: string, id: string, range: LineRange): void
  replace(path: string, seen: Seen): void
  /** What was seen of a file still holds after a change that the model asked for itself and that moved no line. */
  carry(file: { from: string; to: string }, entries: { before: Entries; after: Entries }): void
  find(path: string): Seen | null
  takeChanges(): [path: string, seen: Seen][]
  restore(changes: [path: string, seen: Seen][]): void
}

type Entries = ReadonlyMap<string, { id: string }>

export const wholeFile: LineRange = [1, Number.MAX_SAFE_INTEGER]

export function createFileMemory(): FileMemory {
  const files = new Map<string, Seen>()
  const changed = new Set<string>()
  return {
    note(path, id, range) {
      const before = files.get(path)
      const ranges = before?.id === id ? before.ranges : []
      files.set(path, { id, ranges: merged([...ranges, range]) })
      changed.add(path)
    },
    replace(path, seen) {
      files.set(path, { id: seen.id, ranges: merged(seen.ranges) })
      changed.add(path)
    },
    carry({ from, to }, { before, after }) {
      const seen = files.get(from)
      const entry = after.get(to)
      if (!seen || !entry || seen.id !== before.get(from)?.id) return
      files.set(to, { id: entry.id, ranges: seen.ranges })
      changed.add(to)
    },
    find: (path) => files.get(path) ?? null,
    takeChanges() {
      const taken = [...changed].map((path): [string, Seen] => [path, files.get(path)!])
      changed.clear()
      return taken
    },
    restore(changes) {
      for (const [path, seen] of changes) files.set(path, seen)
    },
  }
}

/** Whether every line from `from` to `to` was seen. */
export function hasSeen({ ranges }: Seen, [from, to]: LineRange): boolean {
  return ranges.some((range) => range[0] <= from && to <= range[1])
}

/** What is still seen after lines `from` to `to` became `lines` lines, which whoever wrote them knows. */
export function afterEdit(ranges: LineRange[], [from, to]: LineRange, lines: number): LineRange[] {
  const shift = lines - (to - from + 1)
  const moved = (line: number) => (line >= wholeFile[1] ? line : line + shift)
  const kept: LineRange[] = []
  for (const [start, end] of ranges) {
    if (start < from) kept.push([start, Math.min(end, from - 1)])
    if (end > to) kept.push([moved(Math.max(start, to + 1)), moved(end)])
  }
  if (lines > 0) kept.push([from, from + lines - 1])
  return merged(kept)
}

function merged(ranges: LineRange[]): LineRange[] {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0])
  const result: LineRange[] = []
  for (const [from, to] of sorted) {
    const last = result.at(-1)
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else result.push([from, to])
  }
  return result
}
