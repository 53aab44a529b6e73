import type { Log } from '#base/log.ts'
import {
  collectRenderInput,
  type PageFields,
  type PageIndex,
  type PageRenderer,
  type RenderedPage,
  type SiteModel,
} from '#features/content/service.ts'
import type { FileTree } from '#infra/files/file-tree.ts'
import { searchSections } from '../search/search-sections.ts'
import { createSearchedPages } from '../search/searched-page.ts'
import type { Edition, EditionPage, EditionWarning } from './edition.ts'
import type { LoadedPages } from './load-pages.ts'
import { pack } from './packed.ts'
import { pageTitle } from './page-title.ts'
import { isServedFile } from './served-file.ts'
import { isPassing, isUnreadable } from './site-file.ts'
import type { SiteReader } from './site-reader.ts'
import type { SiteStore } from './site-store.ts'
import { sourceFile } from './source-file.ts'

export interface StoredEditionInput {
  id: string
  projectId: string
  model: SiteModel
  tree: FileTree
  loaded: LoadedPages
  store: SiteStore
  renderer: PageRenderer
  log: Log
  /** The bytes of a file that is served as it is; null when it is too large. */
  readFile(path: string): Promise<Buffer | null>
  /** What is kept of it cannot be read any more. Called at most once until `replace`. */
  onLost(lost: { error: unknown; fileId: string }): void
  onUse(): void
  close(): Promise<void>
}

/** An edition, and what its keeper may do with it. */
export interface StoredEdition extends Edition {
  /** Its pages were kept anew, under other numbers. */
  replace(loaded: LoadedPages): void
  /** When files changed last, by path, in seconds. */
  setTimes(times: ReadonlyMap<string, number>): void
}

export function createStoredEdition(input: StoredEditionInput): StoredEdition {
  const { model, tree, store, renderer, log, onLost, onUse } = input
  let { loaded } = input
  let isLost = false
  let times: ReadonlyMap<string, number> = new Map()
  const rendering = new Map<string, Promise<RenderedPage>>()

  /** What the file says; where it cannot, `otherwise`, and it is made anew in the background. */
  function ask<Result>(work: (reader: SiteReader) => Result, otherwise: Result): Result {
    onUse()
    if (isLost) return otherwise
    const reader = openReader()
    if (reader === null) return otherwise
    try {
      return work(reader)
    } catch (error) {
      if (isUnreadable(error)) lose(error)
      else log.error({ err: error, projectId: input.projectId }, 'site.read_failed')
      return otherwise
    }
  }

  function openReader(): SiteReader | null {
    try {
      const reader = store.reader()
      if (reader.fileId === loaded.fileId) return reader
      lose(new Error('The file was made anew by another process.'))
    } catch (error) {
      if (isPassing(error)) log.warn({ err: error, projectId: input.projectId }, 'site.file_busy')
      else lose(error)
    }
    return null
  }

  function lose(error: unknown): void {
    isLost = true
    onLost({ error, fileId: loaded.fileId })
  }

  const pages = new Map<string, EditionPage>()
  const warnings: EditionWarning[] = [...model.problems, ...model.omissions].map(({ path, line, message }) => {
    return { route: null, path, line, message }
  })
  for (const { route, source, key, fields, warnings: own } of loaded.pages) {
    const title = pageTitle(fields, { source, route })
    const index = new StoredPageIndex({ fields, warnings: own, idOf: () => loaded.idOf.get(key) ?? null, ask })
    pages.set(route, { route, source, key, index, title, navigationTitle: fields.sidebarTitle || title })
    for (const warning of own) warnings.push({ route, ...warning })
  }
  let searched = createSearchedPages({ pages, model, idOf: (key) => loaded.idOf.get(key) })

  let isClosed = false
  async function render(page: EditionPage): Promise<RenderedPage> {
    const known = ask((reader) => reader.findRender(page.key), null)
    if (known) return known
    // Not the edition's own tree: what is remembered of one lives as long as it does.
    const wanted = await collectRenderInput({ ...tree }, { page: page.source, model })
    const rendered = await renderer.render(wanted)
    if (rendered.isLost) return rendered
    // Nobody waits for it, and it is only the next reader's time that is lost when it fails.
    store.write('keepRender', { key: page.key, value: pack(rendered) }).catch((err: unknown) => {
      if (!isClosed) log.warn({ err, projectId: input.projectId }, 'site.render_not_kept')
    })
    return rendered
  }

  return {
    id: input.id,
    projectId: input.projectId,
    model,
    tree,
    pages,
    warnings,
    async render(page) {
      const running = rendering.get(page.key) ?? render(page).finally(() => rendering.delete(page.key))
      rendering.set(page.key, running)
      return await running
    },
    search: (query) => ask((index) => searchSections({ index, pagesOf: searched, query }), []),
    updatedAt({ source }) {
      const seconds = times.get(sourceFile(source))
      return seconds === undefined ? null : new Date(seconds * 1000)
    },
    async readAsset(path) {
      onUse()
      const name = path.replace(/^\/+/, '')
      const entry = tree.entries.get(name)
      if (!entry || !isServedFile(name, model)) return null
      return await input.readFile(name)
    },
    replace(next) {
      loaded = next
      isLost = false
      searched = createSearchedPages({ pages, model, idOf: (key) => loaded.idOf.get(key) })
    },
    setTimes(next) {
      times = next
    },
    async close() {
      isClosed = true
      await input.close()
    },
  }
}

/** What is seldom asked for is read when it is: the texts of a site's pages are most of what it weighs. */
class StoredPageIndex implements PageIndex {
  readonly fields: PageFields
  readonly warnings: PageIndex['warnings']
  readonly #idOf: () => number | null
  readonly #ask: <Result>(work: (reader: SiteReader) => Result, otherwise: Result) => Result

  constructor(input: {
    fields: PageFields
    warnings: PageIndex['warnings']
    idOf(): number | null
    ask<Result>(work: (reader: SiteReader) => Result, otherwise: Result): Result
  }) {
    this.fields = input.fields
    this.warnings = input.warnings
    this.#idOf = input.idOf
    this.#ask = input.ask
  }

  get headings(): PageIndex['headings'] {
    const id = this.#idOf()
    return id === null ? [] : this.#ask((reader) => reader.headings(id), [])
  }

  get sections(): PageIndex['sections'] {
    const id = this.#idOf()
    return id === null ? [] : this.#ask((reader) => reader.sections(id), [])
  }
}
