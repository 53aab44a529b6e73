import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EditionPage } from '../edition/edition.ts'
import type { ServedSite } from '../serve/served-site.ts'
import { listSections } from './listed-pages.ts'

/**
 * All pages in one file, piece by piece: the next page is made when the client has taken the one before, so the memory
 * holds one of them however many there are. A page that cannot be shown is told of in its place.
 */
export async function* writeLlmsFull(
  site: ServedSite,
  markdownOf: (page: EditionPage) => Promise<string>,
): AsyncGenerator<string> {
  for (const { pages } of listSections(site.edition)) {
    for (const page of pages) {
      // Pages that are at hand come without waiting: thousands of them in a row would let nobody else have a turn.
      await nextTurn()
      try {
        yield `${await markdownOf(page)}\n\n`
      } catch {
        yield `# ${page.title}\n\nThis page could not be shown.\n\n`
      }
    }
  }
}
