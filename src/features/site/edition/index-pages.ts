import {
  collectRenderInput,
  type PageRenderer,
  type PageSource,
  type RenderInput,
  type SiteModel,
} from '#features/content/service.ts'
import type { FileTree } from '#infra/files/file-tree.ts'
import type { StoredPage } from './edition-writes.ts'
import { createKnownKeys, ownFile } from './known-keys.ts'
import { pageTitle } from './page-title.ts'
import type { SiteStore } from './site-store.ts'
import { sourceFile } from './source-file.ts'

export interface IndexPagesInput {
  model: SiteModel
  tree: FileTree
  store: SiteStore
  renderer: PageRenderer
  /** Of `settingsKey`. */
  settings: string
  now: number
  signal?: AbortSignal | undefined
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined
}

interface UnknownPage extends StoredPage {
  input: RenderInput
}

type Route = [route: string, source: PageSource]

// Large enough that messages cost little, small enough that no turn of the loop is long.
const mostPages = 50
const mostBytes = 500_000
// While one part is written, the next is parsed, and the one after that is read.
const mostUnderWay = 4

/** Finds out about the pages that are not known yet, and keeps it. Gives all pages, with what each was made from. */
export async function indexPages(input: IndexPagesInput): Promise<StoredPage[]> {
  const { model, store, signal, onProgress } = input
  // What is remembered of a tree (texts that many pages share) lives as long as it does: this one only as long as the work.
  const tree: FileTree = { ...input.tree }
  const found = new Map<string, StoredPage>()
  const started = new Set<string>()
  const underWay: Promise<void>[] = []
  let done = 0
  const advance = (count: number) => {
    done += count
    onProgress?.({ done, total: model.pages.size })
  }
  const knownKey = createKnownKeys({ tree, store, settings: input.settings })
  const unread: Route[] = []
  for (const [route, source] of model.pages) {
    const key = knownKey(source)
    if (key === null) unread.push([route, source])
    else found.set(route, { route, source, key, file: tree.entries.get(sourceFile(source))!.id })
  }
  advance(found.size)
  try {
    for (const part of parts(tree, unread)) {
      signal?.throwIfAborted()
      const inputs = await Promise.all(part.map(([, page]) => collectRenderInput(tree, { page, model })))
      const unknown: UnknownPage[] = []
      for (const [at, collected] of inputs.entries()) {
        const [route, source] = part[at]!
        const { key, ...rendered } = collected
        const file = ownFile(tree, collected)
        found.set(route, { route, source, key, ...(file === undefined ? {} : { file }) })
        if (started.has(key) || store.reader().findPageId(key) !== null) continue
        started.add(key)
        unknown.push({ route, source, key, input: rendered })
      }
      advance(part.length - unknown.length)
      if (unknown.length === 0) continue
      if (underWay.length >= mostUnderWay) await underWay.shift()
      const working = indexPart(input, unknown).then(() => advance(unknown.length))
      // Whoever waits for it gets the error; until then nobody does, which Node would take for unhandled.
      working.catch(() => {})
      underWay.push(working)
    }
    await Promise.all(underWay)
  } finally {
    // After an error, nothing of it goes on behind the caller's back.
    await Promise.allSettled(underWay)
  }
  return [...model.pages.keys()].map((route) => found.get(route)!)
}

async function indexPart(
  { renderer, store, now, signal }: IndexPagesInput,
  unknown: readonly UnknownPage[],
): Promise<void> {
  const inputs = unknown.map(({ input }) => input)
  const indexes = await renderer.index(inputs, signal ? { signal } : {})
  signal?.throwIfAborted()
  const pages = unknown.map(({ key, ...place }, at) => {
    const index = indexes[at]!
    return { key, title: pageTitle(index.fields, place), index }
  })
  await store.write('addPages', { pages, now })
}

export function* parts(tree: Pick<FileTree, 'entries'>, routes: Route[]): Generator<Route[]> {
  let part: Route[] = []
  let bytes = 0
  for (const one of routes) {
    const [, source] = one
    // A specification goes along once for all the pages about it.
    const isSent = source.kind === 'operation' && part.some(([, other]) => sourceFile(other) === source.spec)
    const size = isSent ? 0 : (tree.entries.get(sourceFile(source))?.size ?? 0)
    // One that is large fills its part by itself, but not those of the pages after it.
    if (part.length >= mostPages || (part.length > 0 && size > 0 && bytes + size > mostBytes)) {
      yield part
      part = []
      bytes = 0
    }
    part.push(one)
    bytes += size
  }
  if (part.length > 0) yield part
}
