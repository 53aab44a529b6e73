import type { PageProblem } from '../check/problem.ts'
import { type Frontmatter, parseFrontmatter } from './frontmatter.ts'
import { nestsTooDeeply, parseTree } from './markdown-tree.ts'
import { explainMdxError } from './mdx-error.ts'
import { createPageReader } from './page-reader.ts'

export interface PageLink {
  /** As written: the characters from `start` to `end`. */
  target: string
  /** What a browser is given: escapes and character references decoded. */
  url: string
  /** Span of the target in the source, in UTF-16 units: replacing it changes this link and nothing else. */
  start: number
  end: number
  kind: 'link' | 'image' | 'definition' | 'attribute' | 'import'
  line: number
  column: number
}

export interface PageImport {
  /** As written between the quotes. */
  source: string
  start: number
  end: number
  /** The names it binds; empty for `import './x'`. */
  names: string[]
  /** An import statement, or the older `<Snippet file="…" />`. */
  via: 'statement' | 'element'
  line: number
  column: number
}

export interface ParsedPage {
  frontmatter: Frontmatter | null
  links: PageLink[]
  /** What `#…` may name on this page. Snippets that it imports add theirs. */
  anchors: Set<string>
  /** Parts of the page are made by code or from a specification: it may have more anchors than are known. */
  hasUnknownAnchors: boolean
  imports: PageImport[]
  problems: PageProblem[]
}

/**
 * Reads a page, or a snippet, for what checks and edits need. Never throws for what the source holds: a page that does
 * not parse has one `mdx` problem and empty lists.
 */
export function parsePage(source: string, { path }: { path: string }): ParsedPage {
  const { frontmatter, problems } = parseFrontmatter(source)
  if (nestsTooDeeply(source)) return unreadablePage({ frontmatter, problems })
  const isMdx = !path.toLowerCase().endsWith('.md')
  // The parser counts from behind the mark, as if it were not there.
  const shift = source.charCodeAt(0) === 0xfeff ? 1 : 0
  let reader = createPageReader(source, shift)
  try {
    reader.read(parseTree(source.slice(shift), { isMdx, math: false }))
  } catch (error) {
    // Formulas are full of braces that are no expressions. Dollars are mostly prices, so they are not tried first.
    reader = createPageReader(source, shift)
    if (!source.includes('$') || !succeeds(() => reader.read(parseTree(source.slice(shift), { isMdx, math: true })))) {
      return { ...emptyPage(frontmatter), problems: [...problems, explainMdxError(error)] }
    }
  }
  const { links, anchors, imports } = reader
  if (links.length + anchors.size + imports.length > mostParts) return unreadablePage({ frontmatter, problems })
  if (frontmatter && madeFromSpecification(frontmatter.data)) reader.hasUnknownAnchors = true
  return { frontmatter, links, anchors, hasUnknownAnchors: reader.hasUnknownAnchors, imports, problems }
}

function succeeds(work: () => void): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}

// Links, headings and imports; the largest pages of real sites have a few thousand.
const mostParts = 50_000

/**
 * A page whose source is more than a parser can take. Of one that took its parser down nothing is read here at all: its
 * frontmatter may be what did it.
 */
export function unreadablePage({
  frontmatter,
  problems,
}: Partial<ReturnType<typeof parseFrontmatter>> = {}): ParsedPage {
  const message = 'This page cannot be parsed: it nests too deeply, or is too large.'
  const problem = { rule: 'mdx' as const, line: 1, column: 1, message, hint: null, subject: 'unreadable' }
  return { ...emptyPage(frontmatter ?? null), problems: [...(problems ?? []), problem] }
}

function emptyPage(frontmatter: Frontmatter | null): ParsedPage {
  return { frontmatter, links: [], anchors: new Set(), hasUnknownAnchors: true, imports: [], problems: [] }
}

const specificationFields = ['openapi', 'openapi-schema', 'asyncapi', 'api']

function madeFromSpecification(data: Record<string, unknown>): boolean {
  return specificationFields.some((field) => field in data)
}
