import { createRecent } from '#infra/files/recent.ts'
import { createPageParser, type PageParser } from './page-parser.ts'
import type { ParsedPage } from './parse-page.ts'

/**
 * Remembers parsed pages by the id of their bytes, so that after a change only changed files are parsed. Several checks
 * may share one. It lets go of what was used longest ago.
 */
export interface PageCache {
  get(key: string): ParsedPage | undefined
  set(key: string, page: ParsedPage): void
  /** What parses the pages that are not remembered. */
  readonly parser: PageParser
}

// About 100 bytes each: some 100 MB for everything that is remembered, and the links of 20,000 ordinary pages.
const mostParts = 1_000_000

export function createPageCache(parser: PageParser = createPageParser()): PageCache {
  const pages = createRecent<ParsedPage>({ most: mostParts, weigh: partsOf })
  return { parser, get: (key) => pages.find(key) ?? undefined, set: pages.keep }
}

function partsOf({ links, anchors, imports }: ParsedPage): number {
  return 10 + 2 * links.length + anchors.size + imports.length
}
