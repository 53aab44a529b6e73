import { type MdastNode, mdxToJs } from 'satteri'
import { messageOf } from '#base/errors.ts'
import { createAnchorCollector, fieldTitles, trimSeparators } from './heading-slug.ts'
import { importStatement } from './import-path.ts'
import { readTagAttributes, type TagAttribute } from './jsx-tag.ts'
import { findDefinition, findResource } from './link-destination.ts'
import type { PageImport, PageLink } from './parse-page.ts'
import { createLineIndex } from './source-position.ts'

// Attributes that hold an address, of any element or component; `img` of cards only.
const addressAttributes = new Set(['href', 'src', 'poster'])
const imageComponents = new Set(['Card', 'Tile'])
const iconFile = /^\.{0,2}\/.*\.(?:svg|png|jpe?g|gif|webp|avif|ico)$/i
const titledComponents = new Set(['Accordion', 'Step', 'Tab', 'Expandable', 'View', 'Card'])
const fieldComponents = new Set(['ParamField', 'ResponseField', 'Param'])
const fieldPlaces = new Set(['query', 'path', 'body', 'header', 'cookie'])

/** What a page has, gathered from its tree. */
export interface PageReader {
  /** Throws as the parser does, for code that is none. */
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

export function createPageReader(source: string, shift: number): PageReader {
  const lines = createLineIndex(source)
  const collector = createAnchorCollector()
  const reader: PageReader = {
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
          if (words !== text) collector.addTitle(trimSeparators(words))
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
    if (/^(?:h[1-6]|Heading)$/.test(element) && !attributes.some(({ name }) => name === 'id')) {
      const { text, isKnown } = textOf(node)
      if (isKnown) collector.addTitle(text)
      else reader.hasUnknownAnchors = true
    }
  }

  function addAttributes(element: string, attributes: TagAttribute[]): void {
    for (const { name, value, start, end, expression } of attributes) {
      const isIconFile = name === 'icon' && value !== null && iconFile.test(value)
      if (addressAttributes.has(name) || isIconFile || (name === 'img' && imageComponents.has(element))) {
        if (value !== null) addLink('attribute', { start, end, url: value })
      } else if (name === 'id' || (name === 'name' && element === 'a')) {
        if (value === null) reader.hasUnknownAnchors = true
        else collector.addId(value)
      } else if (
        (name === 'title' && titledComponents.has(element)) ||
        (name === 'label' && (element === 'Update' || element === 'TabItem'))
      ) {
        if (value === null) reader.hasUnknownAnchors = true
        else collector.addTitle(value)
      } else if (name === 'file' && element === 'Snippet' && value !== null) {
        reader.imports.push({ source: value, start, end, names: [], via: 'element', ...lines.at(start) })
      } else if (fieldComponents.has(element) && (name === 'name' || fieldPlaces.has(name)) && value !== null) {
        const kind = element === 'ResponseField' ? 'response' : 'param'
        const place = name === 'name' ? null : name
        for (const title of fieldTitles({ kind, name: value, place })) collector.addTitle(title)
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
