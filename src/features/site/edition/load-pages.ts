import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PageFields, RenderWarning } from '#features/content/service.ts'
import type { StoredPage } from './edition-writes.ts'
import type { SiteStore } from './site-store.ts'

export interface LoadedPage extends StoredPage {
  fields: PageFields
  warnings: RenderWarning[]
}

/** What an edition keeps in memory of the file that it stands in. */
export interface LoadedPages {
  fileId: string
  pages: LoadedPage[]
  /** The pages' numbers in the file, by key. */
  idOf: ReadonlyMap<string, number>
}

// About two milliseconds' worth.
const readAtOnce = 100

/** Null when some of them are not in the file. */
export async function loadPages(store: SiteStore, stored: StoredPage[]): Promise<LoadedPages | null> {
  const { fileId } = store.reader()
  const pages: LoadedPage[] = []
  const idOf = new Map<string, number>()
  for (let from = 0; from < stored.length; from += readAtOnce) {
    const reader = store.reader()
    if (reader.fileId !== fileId) return null
    for (const page of stored.slice(from, from + readAtOnce)) {
      const found = reader.findPage(page.key)
      if (!found) return null
      idOf.set(page.key, found.id)
      pages.push({ ...page, fields: found.fields, warnings: found.warnings })
    }
    await nextTurn()
  }
  return { fileId, pages, idOf }
}
