import type { PageIndex, PageSource, RenderedPage, SiteModel } from '#features/content/service.ts'
import type { FileTree } from '#infra/files/file-tree.ts'

/** A project's site at one commit: what every request is answered from. It never changes; a push makes another one. */
export interface Edition {
  /** The commit; of a local folder, a number that counts up with its changes. */
  id: string
  projectId: string
  model: SiteModel
  /** By route. */
  pages: ReadonlyMap<string, EditionPage>
  /** Of the configuration, then of all pages in their order. */
  warnings: readonly EditionWarning[]
  /** HTML and Markdown of a page; kept, so the second time is quick. */
  render(page: EditionPage): Promise<RenderedPage>
  search(query: SearchQuery): SearchHit[]
  /** When the page's file last changed; null where that is not known (yet). */
  updatedAt(page: EditionPage): Date | null
  /** The bytes of a file that is no page; null when there is none, or it must not be served. */
  readAsset(path: string): Promise<Buffer | null>
  tree: FileTree
  close(): Promise<void>
}

export interface EditionPage {
  route: string
  source: PageSource
  /** What it was made from, as a hash: pages with the same key look the same but for addresses. */
  key: string
  index: PageIndex
  /** Never empty: of the frontmatter, the first heading, or the file's name. */
  title: string
  /** As the navigation calls it. */
  navigationTitle: string
}

export interface EditionWarning {
  /** Null: of the configuration, not of a page. */
  route: string | null
  path: string
  line: number | null
  message: string
}

export interface SearchQuery {
  text: string
  limit: number
  /** Codes of divisions; null: all. */
  language: string | null
  version: string | null
}

export interface SearchHit {
  route: string
  /** Anchor of the section; null: the page itself. */
  anchor: string | null
  title: string
  /** Of the section; null: the page itself. */
  heading: string | null
  /** Names of the divisions and groups that the page stands in. */
  trail: string[]
  /** Words around what was found, as pieces of text, those that match marked. */
  excerpt: { text: string; isMatch: boolean }[]
}
