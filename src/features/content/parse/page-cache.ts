import { createGitCache, type GitCache } from '#infra/files/git-cache.ts'
import { createPageParser, type PageParser } from './page-parser.ts'
import type { ParsedPage } from './parse-page.ts'

/**
 * Remembers parsed pages by the id of their bytes, so that after a change only changed files are parsed. Several checks
 * may share one. It lets go of what was used longest ago.
 */
export interface PageCache {
  get(key: string): ParsedPage | undefined
  set(key: string, page: ParsedPage): void
  /** The commits that pages are read from. */
  readonly git: GitCache
  /** What parses the pages that are not remembered. */
  readonly parser: PageParser
}

// About 100 bytes each: some 100 MB for everything that is remembered, and the links of 20,000 ordinary pages.
const mostParts = 1_000_000

export function createPageCache(parser: PageParser = createPageParser()): PageCache {
  const pages = new Map<string, ParsedPage>()
  let parts = 0
  return {
    parser,
    git: createGitCache(),
    get(key) {
      const page = pages.get(key)
      if (page) {
        pages.delete(key)
        pages.set(key, page)
      }
      return page
    },
    set(key, page) {
      const before = pages.get(key)
      if (before) parts -= partsOf(before)
      pages.delete(key)
      pages.set(key, page)
      parts += partsOf(page)
      for (const [oldest, old] of pages) {
        if (parts <= mostParts || oldest === key) break
        pages.delete(oldest)
        parts -= partsOf(old)
      }
    },
  }
}

function partsOf({ links, anchors, imports }: ParsedPage): number {
  return 10 + 2 * links.length + anchors.size + imports.length
}
