import { createHash } from 'node:crypto'
import type { FileTree, TreeEntry } from './file-tree.ts'

export interface FileChange {
  path: string
  /** Null: the file is deleted. */
  content: Buffer | null
}

/** A tree with changes on top of it, kept in memory. The tree underneath never changes. */
export interface EditableTree extends FileTree {
  write(path: string, content: Buffer): void
  /** Does nothing when there is no such file. */
  delete(path: string): void
  /** What differs from the tree underneath, in the order of paths. A file that was changed back is not among it. */
  changes(): FileChange[]
  /** The tree underneath. */
  readonly base: FileTree
}

/** Disposing it leaves the tree underneath open: whoever opened that closes it. */
export function createEditableTree(base: FileTree): EditableTree {
  const changed = new Map<string, Buffer | null>()
  let merged: ReadonlyMap<string, TreeEntry> | null = null

  function change(path: string, content: Buffer | null): void {
    const before = base.entries.get(path)
    const isAsBefore = content === null ? before === undefined : before?.id === blobId(content)
    if (isAsBefore) changed.delete(path)
    else changed.set(path, content)
    merged = null
  }

  return {
    base,
    get entries() {
      merged ??= merge(base.entries, changed)
      return merged
    },
    async read(path) {
      const content = changed.get(path)
      return content === undefined ? await base.read(path) : content
    },
    write: (path, content) => change(path, content),
    delete: (path) => change(path, null),
    changes: () => [...changed].map(([path, content]) => ({ path, content })).sort(byPath),
    async [Symbol.asyncDispose]() {},
  }
}

function merge(
  base: ReadonlyMap<string, TreeEntry>,
  changed: ReadonlyMap<string, Buffer | null>,
): ReadonlyMap<string, TreeEntry> {
  if (changed.size === 0) return base
  const kept = [...base.values()].filter(({ path }) => !changed.has(path))
  for (const [path, content] of changed) {
    if (content !== null) kept.push({ path, size: content.length, id: blobId(content) })
  }
  return new Map(kept.sort(byPath).map((entry) => [entry.path, entry]))
}

/** The id that git gives these bytes, so that a file which was changed back is known as unchanged. */
export function blobId(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
}

/** By UTF-16 units, the same on every machine. */
function byPath(a: { path: string }, b: { path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0
}
