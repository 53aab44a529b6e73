import { type MdastNode, markdownToMdast, mdxToJs, mdxToMdast } from 'satteri'
import { messageOf } from '#base/errors.ts'
import { type Frontmatter, parseFrontmatter } from './frontmatter.ts'
import { createAnchorCollector } from './heading-slug.ts'
import { readTagAttributes, type TagAttribute } from './jsx-tag.ts'
import { findDefinition, findResource } from './link-destination.ts'
import { explainMdxError } from './mdx-error.ts'
import type { PageProblem } from './problem.ts'
import { createLineIndex } from './source-position.ts'

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
  if (nestsTooDeeply(source)) return unreadablePage(source)
  const isMdx = !path.toLowerCase().endsWith('.md')
  // The parser counts from behind the mark, as if it were not there.
  const shift = source.charCodeAt(0) === 0xfeff ? 1 : 0
  let reader = createReader(source, shift)
  try {
    reader.read(parseTree(source.slice(shift), { isMdx, math: false }))
  } catch (error) {
    // Formulas are full of braces that are no expressions. Dollars are mostly prices, so they are not tried first.
    reader = createReader(source, shift)
    if (!source.includes('$') || !succeeds(() => reader.read(parseTree(source.slice(shift), { isMdx, math: true })))) {
      return { ...emptyPage(frontmatter), problems: [...problems, explainMdxError(error)] }
    }
  }
  const { links, anchors, imports } = reader
  if (frontmatter && madeFromSpecification(frontmatter.data)) reader.hasUnknownAnchors = true
  return { frontmatter, links, anchors, hasUnknownAnchors: reader.hasUnknownAnchors, imports, problems }
}

function parseTree(text: string, { isMdx, math }: { isMdx: boolean; math: boolean }): MdastNode {
  return (isMdx ? mdxToMdast : markdownToMdast)(text, { features: { headingAttributes: true, math } })
}

function succeeds(work: () => void): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}

// The parser's stack holds some thousand levels, and 100 elements in braces inside each other keep it busy for ever.
const mostBraces = 60
const mostBrackets = 500

/**
 * Turns away the plainest of what would take the parser down, and this process with it. It does not look into strings
 * and comments, so it is no wall: pages of others are parsed by a `PageParser`.
 */
function nestsTooDeeply(source: string): boolean {
  let braces = 0
  let brackets = 0
  for (let at = 0; at < source.length; at++) {
    const code = source.charCodeAt(at)
    if (code === 0x7b) braces++
    else if (code === 0x7d) braces = Math.max(0, braces - 1)
    else if (code === 0x28 || code === 0x5b) brackets++
    else if (code === 0x29 || code === 0x5d) brackets = Math.max(0, brackets - 1)
    if (braces > mostBraces || brackets > mostBrackets) return true
  }
  return false
}

/** A page whose source is more than a parser can take. */
export function unreadablePage(source: string): ParsedPage {
  const message = 'This page cannot be parsed: it nests too deeply, or is too large.'
  const problem = { rule: 'mdx' as const, line: 1, column: 1, message, hint: null, subject: 'unreadable' }
  const { frontmatter, problems } = parseFrontmatter(source)
  return { ...emptyPage(frontmatter), problems: [...problems, problem] }
}

function emptyPage(frontmatter: Frontmatter | null): ParsedPage {
  return { frontmatter, links: [], anchors: new Set(), hasUnknownAnchors: true, imports: [], problems: [] }
}

const specificationFields = ['openapi', 'openapi-schema', 'asyncapi', 'api']

function madeFromSpecification(data: Record<string, unknown>): boolean {
  return specificationFields.some((field) => field in data)
}

// Attributes that hold an address, of any element or component; `img` of cards only.
const addressAttributes = new Set(['href', 'src', 'poster'])
const imageComponents = new Set(['Card', 'Tile'])
const titledComponents = new Set(['Accordion', 'Step', 'Tab', 'Expandable', 'View', 'Panel', 'Card'])
const fieldComponents = new Set(['ParamField', 'ResponseField', 'Param'])
const fieldPrefixes = ['', 'param-', 'response-', 'body-', 'query-', 'path-', 'header-']
const fieldNames = ['name', 'path', 'query', 'body', 'header']

interface Reader {
  read(tree: MdastNode): void
  links: PageLink[]
  anchors: Set<string>
  imports: PageImport[]
  hasUnknownAnchors: boolean
}

// The trees of the parser, as far as they are read here.
interface Node {
  type: string
  position?: { start: { offset?: number }; end: { offset?: number } }
  children?: Node[]
  value?: string
  url?: string
  alt?: string | null
  name?: string | null
  attributes?: { type: string; name?: string; value?: unknown }[]
  data?: { hProperties?: { id?: unknown } }
}

function createReader(source: string, shift: number): Reader {
  const lines = createLineIndex(source)
  const collector = createAnchorCollector()
  const reader: Reader = {
    links: [],
    anchors: collector.anchors,
    imports: [],
    hasUnknownAnchors: false,
    read(tree) {
      // A page may nest as deep as its author likes: a stack of our own instead of the engine's.
      const open: Node[] = [tree as Node]
      for (let node = open.pop(); node; node = open.pop()) {
        visit(node)
        const { children } = node
        if (children) for (let at = children.length - 1; at >= 0; at--) open.push(children[at]!)
      }
    },
  }

  function visit(node: Node): void {
    const start = (node.position?.start.offset ?? 0) + shift
    const end = (node.position?.end.offset ?? 0) + shift
    switch (node.type) {
      case 'link':
      case 'image': {
        const last = node.children?.at(-1)?.position?.end.offset
        const from = last === undefined ? start : last + shift
        const found = findResource(source, { from, end, url: node.url! }) ?? autolink(node, start, end)
        if (found) addLink(node.type, found)
        break
      }
      case 'definition': {
        const found = findDefinition(source, { from: start, end, url: node.url! })
        if (found) addLink('definition', found)
        break
      }
      case 'heading': {
        const id = node.data?.hProperties?.id
        const { text, isKnown } = textOf(node)
        if (typeof id === 'string') collector.addId(id)
        else if (isKnown) {
          collector.addTitle(text)
          // A badge beside the words is no part of them everywhere.
          const words = textOf(node, { withComponents: false }).text
          if (words !== text) collector.addTitle(words)
        } else reader.hasUnknownAnchors = true
        break
      }
      case 'mdxJsxFlowElement':
      case 'mdxJsxTextElement':
        readElement(node, start)
        break
      case 'html':
        readHtml(start, end)
        break
      case 'mdxFlowExpression':
      case 'mdxTextExpression':
        readCode(start, end)
        break
      case 'mdxjsEsm':
        readModule(start, end)
        break
    }
  }

  function addLink(kind: PageLink['kind'], { start, end, url }: { start: number; end: number; url: string }): void {
    reader.links.push({ target: source.slice(start, end), url, start, end, kind, ...lines.at(start) })
  }

  /** `<https://…>`, or an address that stands in the text by itself. */
  function autolink(node: Node, start: number, end: number) {
    const [from, to] = source[start] === '<' ? [start + 1, end - 1] : [start, end]
    const written = source.slice(from, to)
    return written !== '' && node.url!.endsWith(written) ? { start: from, end: to, url: node.url! } : null
  }

  function readElement(node: Node, start: number): void {
    const expressions = (node.attributes ?? [])
      .map(({ type, value }) => (type === 'mdxJsxExpressionAttribute' ? value : (value as { value?: unknown })?.value))
      .filter((value) => typeof value === 'string')
    const element = node.name ?? ''
    const attributes = readTagAttributes(source, start, { attributes: node.attributes?.length ?? 0, expressions })
    addAttributes(element, attributes)
    if (/^h[1-6]$/.test(element) && !attributes.some(({ name }) => name === 'id')) {
      const { text, isKnown } = textOf(node)
      if (isKnown) collector.addTitle(text)
      else reader.hasUnknownAnchors = true
    }
  }

  function addAttributes(element: string, attributes: TagAttribute[]): void {
    for (const { name, value, start, end, expression } of attributes) {
      if (addressAttributes.has(name) || (name === 'img' && imageComponents.has(element))) {
        if (value !== null) addLink('attribute', { start, end, url: value })
      } else if (name === 'id' || (name === 'name' && element === 'a')) {
        if (value === null) reader.hasUnknownAnchors = true
        else collector.addId(value)
      } else if (
        (name === 'title' && titledComponents.has(element)) ||
        (name === 'label' && element === 'Update') ||
        (name === 'name' && element === 'Tree.Folder')
      ) {
        if (value === null) reader.hasUnknownAnchors = true
        else collector.addTitle(value)
      } else if (name === 'file' && element === 'Snippet' && value !== null) {
        reader.imports.push({ source: value, start, end, names: [], via: 'element', ...lines.at(start) })
      } else if (fieldComponents.has(element) && fieldNames.includes(name) && value !== null) {
        for (const prefix of fieldPrefixes) collector.addTitle(prefix + value)
      }
      if (value === null && expression !== null) readCode(start, end)
    }
  }

  function readHtml(start: number, end: number): void {
    const html = source.slice(start, end)
    for (const tag of html.matchAll(/<!--[\s\S]*?-->|<([A-Za-z][\w.:-]*)/g)) {
      if (tag[1] === undefined) continue
      addAttributes(tag[1], readTagAttributes(source, start + tag.index))
    }
  }

  /** Code is not interpreted: this finds the plain addresses and ids of the elements in it. */
  function readCode(start: number, end: number): void {
    const code = blank(source.slice(start, end))
    for (const tag of code.matchAll(/<[A-Za-z][\w.:-]*(?=\s)[^<>]*/g)) {
      for (const match of tag[0].matchAll(/\s(href|src|id)=(?:"([^"]*)"|'([^']*)')/g)) {
        const [whole, name, double, single] = match
        const value = (double ?? single)!
        const valueEnd = start + tag.index + match.index + whole.length - 1
        if (name === 'id') collector.addId(value)
        else addLink('attribute', { start: valueEnd - value.length, end: valueEnd, url: value })
      }
    }
    if (/<h[1-6]|\bid=\{/.test(code)) reader.hasUnknownAnchors = true
  }

  function readModule(start: number, end: number): void {
    const code = blank(source.slice(start, end))
    for (const match of code.matchAll(importStatement)) {
      const specifier = match[4]!
      const from = start + match.index + match[0].length - 1 - specifier.length
      const to = from + specifier.length
      reader.imports.push({
        source: specifier,
        start: from,
        end: to,
        names: namesOf(match[1] ?? ''),
        via: 'statement',
        ...lines.at(from),
      })
      addLink('import', { start: from, end: to, url: specifier })
      if (!/\.mdx?$/i.test(specifier)) reader.hasUnknownAnchors = true
    }
    if (!/[^\s;]/.test(code.replace(importStatement, '').replace(/\/\/.*/g, ''))) return
    checkModule(source.slice(start, end), lines.at(start).line)
    readCode(start, end)
  }

  return reader
}

const importStatement =
  /^[ \t]*(?:import\s+(?:([^'";]{1,2000}?)\s*\bfrom\s*)?|export\s+(\{[^}'"]{0,2000}\}|\*)\s*from\s*)(["'])([^"'\n]+)\3/gm

/** The parser takes what looks like a module; only compiling it tells whether it is one. Throws as the parser does. */
function checkModule(code: string, line: number): void {
  try {
    mdxToJs(code)
  } catch (error) {
    throw new Error(messageOf(error).replace(/^(\d+):/, (_, inner) => `${Number(inner) + line - 1}:`))
  }
}

function namesOf(clause: string): string[] {
  return clause
    .replace(/[{}]/g, ',')
    .split(',')
    .map((part) =>
      part
        .trim()
        .split(/\s+as\s+/)
        .at(-1)!
        .trim(),
    )
    .filter((part) => /^[\w$]+$/.test(part))
}

/** Comments and template literals show code as often as they are it: they are read as spaces. */
function blank(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\/|`(?:[^`\\]|\\[\s\S])*`/g, (text) => text.replace(/[^\n]/g, ' '))
}

/** The text of a heading. `isKnown` is false when an expression makes part of it. */
function textOf(node: Node, { withComponents = true } = {}): { text: string; isKnown: boolean } {
  let text = ''
  let isKnown = true
  const open = [...(node.children ?? [])].reverse()
  for (let one = open.pop(); one; one = open.pop()) {
    if (one.type === 'text' || one.type === 'inlineCode') text += one.value ?? ''
    else if (one.type === 'break') text += ' '
    else if (one.type === 'mdxTextExpression' || one.type === 'mdxFlowExpression') {
      const literal = /^\s*(["'`])([^"'`\\$]*)\1\s*$/.exec(one.value ?? '')
      if (literal) text += literal[2]
      else if (!/^\s*(\/\*[\s\S]*\*\/\s*)*$/.test(one.value ?? '')) isKnown = false
    }
    if (!withComponents && one.type === 'mdxJsxTextElement' && /^[A-Z]/.test(one.name ?? '')) continue
    for (const child of [...(one.children ?? [])].reverse()) open.push(child)
  }
  return { text, isKnown }
}
