/** One ordinary file of a tree. */
export interface TreeEntry {
  /** Relative to the tree's root, with forward slashes. */
  path: string
  size: number
  /** Two entries with the same id have the same bytes: what was worked out from one holds for the other. */
  id: string
}

/**
 * The files of a docs folder, wherever they come from: a commit, a folder on disk, or either with changes on top.
 * Symbolic links, submodules and names that git keeps for itself are not in it, so nothing read here leads outside.
 */
export interface FileTree extends AsyncDisposable {
  /** By path, in the order of paths. */
  readonly entries: ReadonlyMap<string, TreeEntry>
  /** The bytes of a file; null when there is none. Throws `too_large` above `mostFileBytes`. */
  read(path: string): Promise<Buffer | null>
}

/** Pages of real sites reach 700 kB; what is larger than this is no text that a person or a model works on. */
export const mostFileBytes = 5_000_000
