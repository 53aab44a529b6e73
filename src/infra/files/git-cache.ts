import type { GitObject } from '../git/object-reader.ts'
import type { TreeEntry } from './file-tree.ts'
import { createRecent, type Recent } from './recent.ts'

/** What is remembered of commits. The same id always means the same, so none of it gets old. */
export interface GitCache {
  /** By repository and id: knowing an id must not be enough to read what another repository has. */
  objects: Recent<GitObject>
  /** The files of commits, by repository, commit and folder. */
  lists: Recent<ReadonlyMap<string, TreeEntry>>
}

// A search reads all pages and the checks read them again; this holds those of most sites.
const mostObjectBytes = 32_000_000
// About 300 bytes each: some 15 MB.
const mostListed = 50_000

export function createGitCache(): GitCache {
  return {
    objects: createRecent({ most: mostObjectBytes, weigh: ({ content }) => content.length + 100 }),
    lists: createRecent({ most: mostListed, weigh: (entries) => entries.size }),
  }
}
