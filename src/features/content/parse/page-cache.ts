import { createRecent } from '#infra/files/recent.ts'
import type { SpecOutline } from '../openapi/spec-outline.ts'
import { createPageParser, type PageParser } from './page-parser.ts'
import type { ParsedPage } from './parse-page.ts'

/**
 * Remembers parsed pages by the id of their bytes, so that after a change only changed files are parsed. Several checks
 * may share one. It lets go of what was used longest ago.
 */
export interface PageCache {
  get(key: string): ParsedPage | undefined
  set(key: string, page: ParsedPage): void
  /** What a specification has, remembered by the id of its bytes too; null when it is none. */
  outline(spec: { path: string; id: string; text: string }): Promise<SpecOutline | null>
  /** What parses the pages that are not remembered. */
  readonly parser: PageParser
}

// About 100 bytes each: some 100 MB for everything that is remembered, and the links of 20,000 ordinary pages.
const mostParts = 1_000_000
// About 300 bytes each.
const mostOperations = 50_000

export function createPageCache(parser: PageParser = createPageParser()): PageCache {
  const pages = createRecent<ParsedPage>({ most: mostParts, weigh: partsOf })
  const outlines = createRecent<{ outline: SpecOutline | null }>({
    most: mostOperations,
    weigh: ({ outline }) => 1 + (outline?.operations.length ?? 0),
  })
  return {
    parser,
    get: (key) => pages.find(key) ?? undefined,
    set: pages.keep,
    async outline(spec) {
      const known = outlines.find(spec.id) ?? { outline: await parser.outline(spec) }
      outlines.keep(spec.id, known)
      return known.outline
    },
  }
}

function partsOf({ links, anchors, imports }: ParsedPage): number {
  return 10 + 2 * links.length + anchors.size + imports.length
}
