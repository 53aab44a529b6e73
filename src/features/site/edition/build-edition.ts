import { type PageRenderer, readSiteModel, type SiteModel } from '#features/content/service.ts'
import type { FileTree } from '#infra/files/file-tree.ts'
import type { StoredPage } from './edition-writes.ts'
import { indexPages } from './index-pages.ts'
import { settingsKey } from './known-keys.ts'
import { type LoadedPages, loadPages } from './load-pages.ts'
import { isUnreadable } from './site-file.ts'
import type { SiteReader } from './site-reader.ts'
import type { SiteStore } from './site-store.ts'

export interface BuildEditionInput {
  /** What it is kept under. */
  name: string
  tree: FileTree
  store: SiteStore
  renderer: PageRenderer
  now: number
  signal?: AbortSignal | undefined
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined
}

export interface BuiltEdition {
  model: SiteModel
  loaded: LoadedPages
  /** It was not kept before. */
  isNew: boolean
}

// Pages that others let go of in between are indexed again; more than once is more than chance.
const mostRounds = 3

/** The site of a tree, with its pages in the store. What is known is read; the rest is found out and kept. */
export async function buildEdition(input: BuildEditionInput): Promise<BuiltEdition> {
  const { store, name, renderer } = input
  await ensureReadable(store)
  // A child takes as long to start as the model takes to read.
  if (!tryRead(store, (reader) => reader.findEdition(name))) renderer.prepare()
  const model = await readModel(input)
  input.signal?.throwIfAborted()
  return { model, ...(await keepPages({ ...input, model })) }
}

/** The pages of an edition, as they are kept; kept anew if they are not, or what was kept is damaged. */
export async function keepPages(
  input: BuildEditionInput & { model: SiteModel },
): Promise<{ loaded: LoadedPages; isNew: boolean }> {
  const { name, model, store } = input
  const kept = tryRead(store, (reader) => reader.findEdition(name))
  if (kept && isOf(model, kept)) {
    const loaded = await loadPages(store, kept).catch(() => null)
    if (loaded) return { loaded, isNew: false }
  }
  const settings = settingsKey(model)
  for (let round = 1; ; round++) {
    try {
      const pages = await indexPages({ ...input, settings })
      const missing = await store.write('addEdition', { name, settings, pages, now: input.now })
      const loaded = missing.length === 0 ? await loadPages(store, pages) : null
      if (loaded) return { loaded, isNew: true }
      if (round === mostRounds) throw new Error(`${missing.length} pages were lost while they were kept.`)
    } catch (error) {
      if (input.signal?.aborted || round === mostRounds || !isUnreadable(error)) throw error
      await store.renew()
    }
  }
}

/** Makes the file if there is none that can be read. */
export async function ensureReadable(store: SiteStore): Promise<void> {
  try {
    store.reader()
    return
  } catch {
    await store.prepare()
  }
  try {
    store.reader()
  } catch {
    await store.renew()
    store.reader()
  }
}

async function readModel({ tree, store, renderer }: BuildEditionInput): Promise<SiteModel> {
  return await readSiteModel(tree, {
    async outline(spec) {
      const key = `${spec.id} ${spec.path}`
      const known = tryRead(store, (reader) => reader.findOutline(key))
      if (known) return known.outline
      const outline = await renderer.outline(spec)
      // Without it, the next start reads the specification again.
      await store.write('keepOutline', { id: key, value: { outline } }).catch(() => {})
      return outline
    },
  })
}

/** Null also for what cannot be read: it is then found out again, and found to be damaged when it is written. */
function tryRead<Result>(store: SiteStore, read: (reader: SiteReader) => Result): Result | null {
  try {
    return read(store.reader())
  } catch {
    return null
  }
}

/** Whether these are the model's pages: another version of us may have found others in the same files. */
function isOf(model: SiteModel, kept: StoredPage[]): boolean {
  if (kept.length !== model.pages.size) return false
  return kept.every(({ route, source }) => JSON.stringify(model.pages.get(route)) === JSON.stringify(source))
}
