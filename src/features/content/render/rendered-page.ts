import type { IconLibrary } from '../site/site-settings.ts'

/** What it takes to show one page, and nothing else of the site: so what comes of it holds wherever these are the same. */
export interface RenderInput {
  path: string
  source: string
  /** The file is larger than any page, and was not read. */
  isTooLarge?: boolean
  /** The page's imports by what it writes, and the file each leads to; null where there is none. */
  imports: Record<string, string | null>
  /** Files that it shows parts of, by path: snippets, and what they import in turn. */
  snippets: Record<string, { source: string; imports: Record<string, string | null> }>
  variables: Record<string, string>
  icons: IconLibrary
  /** The operation that the page is about, after its own words. */
  operation: { spec: { id: string; path: string; text: string }; method: string; path: string } | null
  /** Languages of request examples; empty: the usual ones. */
  exampleLanguages: string[]
}

/** What a site knows of a page without showing it. */
export interface PageIndex {
  fields: PageFields
  headings: PageHeading[]
  /** The page's words, cut at its headings; what search finds. */
  sections: PageSection[]
  warnings: RenderWarning[]
}

/** Frontmatter, as far as it is understood; what is not of its kind is left out. */
export interface PageFields {
  /** Null: neither frontmatter nor a first heading says it. */
  title: string | null
  sidebarTitle: string | null
  description: string | null
  icon: string | null
  tag: string | null
  /** The page is a link to this address. */
  url: string | null
  mode: 'default' | 'wide' | 'custom' | 'frame' | 'center'
  isHidden: boolean
  isDeprecated: boolean
  noIndex: boolean
  canonical: string | null
  keywords: string[]
  /** `GET /x`, or `spec.json GET /x`. */
  openapi: string | null
  /** `GET https://…`, of pages that describe an operation by themselves. */
  api: string | null
  rss: boolean
  hideToc: boolean
  /** Meta elements of its own: `og:image` and the like. */
  metatags: [name: string, content: string][]
}

export interface PageHeading {
  depth: number
  id: string
  title: string
}

export interface PageSection {
  /** Null: before the first heading. */
  id: string | null
  title: string
  text: string
}

/** What a reader does not get to see as the author meant it. */
export interface RenderWarning {
  /** The page, or the snippet that it stands in. */
  path: string
  line: number | null
  message: string
}

export interface RenderedPage {
  html: Template
  markdown: Template
  needsMermaid: boolean
  /** It took its process down; another time it may not, so this is not kept. */
  isLost?: true
}

/** Text with holes for what depends on the site (addresses), or is worked out apart (coloured code). */
export interface Template {
  parts: (string | Hole)[]
}

export type Hole =
  /** An address as the author wrote it, from `from`: the page, or the snippet that it stands in. */
  | { kind: 'link'; url: string; from: string }
  /** Text of a code block, to be shown as HTML inside `<code>`. */
  | { kind: 'code'; block: CodeBlock }

export interface CodeBlock {
  language: string
  text: string
  /** Numbers of lines, from 1. */
  highlighted: number[]
  focused: number[]
  hasLineNumbers: boolean
}

/**
 * Makes pages of what anybody may have written, in child processes that may be lost: parser, expressions, formulas and
 * colouring are all done there, within limits of time and memory. A page that takes its process down is shown as one
 * that could not be rendered.
 */
export interface PageRenderer {
  /** In the order given. */
  index(pages: RenderInput[], options?: { signal?: AbortSignal; onPages?(count: number): void }): Promise<PageIndex[]>
  render(page: RenderInput, options?: { signal?: AbortSignal }): Promise<RenderedPage>
  /** HTML of each block; plain where there was no grammar or no time. */
  highlight(blocks: CodeBlock[]): Promise<string[]>
  /** Short texts of docs.json (banners) as HTML. */
  outline(spec: {
    path: string
    id: string
    text: string
  }): Promise<import('../openapi/spec-outline.ts').SpecOutline | null>
  /** Starts a child if none runs, for whoever will need one soon. */
  prepare(): void
  close(): Promise<void>
}

/** Counts up when the same source gives another result; part of what results are kept under. */
export const rendererVersion = 5
