import { decodeEntities } from './entities.ts'

/** An attribute of a tag as it stands in the source. */
export interface TagAttribute {
  name: string
  /** The value when it is plain text: `"…"`, `'…'`, or an expression that is one string. Null for all else. */
  value: string | null
  /** Span of that text, without its quotes; of the whole expression when it is none. */
  start: number
  end: number
  /** The text of an expression in braces, null for other values. */
  expression: string | null
}

export interface KnownTag {
  /** How many attributes the parser found. */
  attributes: number
  /** What its expressions hold, in order: the source alone does not tell where one ends. */
  expressions: string[]
}

const name = /[^\s=/>"'{}]+/y
const bareValue = /[^\s"'=<>`{}]+/y
const space = /\s*/y
// In a quote, each further line of the tag begins with the mark of the quote.
const spaceInQuote = /(?:\s|(?<=\n[ \t>]{0,50})>)*/y
const quotedLine = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*>/

/**
 * Reads the attributes of the tag that opens at `start`. The parser gives their values but not their places; this finds
 * those, and stops where it no longer understands the source.
 */
export function readTagAttributes(source: string, start: number, known?: KnownTag): TagAttribute[] {
  const attributes: TagAttribute[] = []
  const expressions = (known?.expressions ?? []).values()
  const isQuoted = quotedLine.test(lineBefore(source, start))
  const gap = isQuoted ? spaceInQuote : space
  let at = start + 1
  const skipSpace = () => {
    gap.lastIndex = at
    gap.test(source)
    at = gap.lastIndex
  }
  const takeName = () => {
    name.lastIndex = at
    const match = name.exec(source)
    if (match) at = name.lastIndex
    return match?.[0] ?? null
  }
  if (takeName() === null) return attributes
  for (let count = 0; count < (known?.attributes ?? source.length); count++) {
    skipSpace()
    if (source[at] === '{') {
      const text = expressions.next().value as string | undefined
      const end = text === undefined ? -1 : endOfText(source, at + 1, text)
      if (end === -1) return attributes
      at = end + 1
      continue
    }
    const attribute = source[at] === '>' || source[at] === '/' ? null : takeName()
    if (attribute === null) return attributes
    skipSpace()
    if (source[at] !== '=') continue
    at++
    skipSpace()
    const quote = source[at]
    if (quote === '"' || quote === "'") {
      const end = source.indexOf(quote, at + 1)
      if (end === -1) return attributes
      const value = decodeEntities(source.slice(at + 1, end))
      attributes.push({ name: attribute, value, start: at + 1, end, expression: null })
      at = end + 1
    } else if (quote === '{') {
      const text = expressions.next().value as string | undefined
      const end = text === undefined ? -1 : endOfText(source, at + 1, text)
      if (end === -1) return attributes
      attributes.push({ name: attribute, ...literal(source, at + 1, end), expression: source.slice(at + 1, end) })
      at = end + 1
    } else {
      // HTML takes values without quotes.
      bareValue.lastIndex = at
      const match = bareValue.exec(source)
      if (!match) return attributes
      const end = at + match[0].length
      attributes.push({ name: attribute, value: decodeEntities(match[0]), start: at, end, expression: null })
      at = end
    }
  }
  return attributes
}

/** The line up to an offset; of a very long one only the end, as lines that begin so far away are no quotes. */
function lineBefore(source: string, offset: number): string {
  const near = source.slice(Math.max(0, offset - 500), offset)
  return near.slice(near.lastIndexOf('\n') + 1)
}

/** `{"/guide"}`: the text, if the expression is one string that needs no decoding. */
function literal(source: string, start: number, end: number): Pick<TagAttribute, 'value' | 'start' | 'end'> {
  const text = source.slice(start, end)
  const match = /^(\s*)(["'`])([^"'`\\\n]*)\2\s*$/.exec(text)
  if (!match || match[3]!.includes('${')) return { value: null, start, end }
  const inner = start + match[1]!.length + 1
  return { value: match[3]!, start: inner, end: inner + match[3]!.length }
}

/** Where `text` that begins at `start` ends; -1 when it does not stand there. Inside lists and quotes, lines lost their
 * indentation and their `>`. */
function endOfText(source: string, start: number, text: string): number {
  if (source.startsWith(text, start) && source[start + text.length] === '}') return start + text.length
  let at = start
  for (const character of text.replace(/\s+/g, '')) {
    while (at < source.length && source[at] !== character && /[\s>]/.test(source[at]!)) at++
    if (!source.startsWith(character, at)) return -1
    at += character.length
  }
  while (at < source.length && /[\s>]/.test(source[at]!)) at++
  return source[at] === '}' ? at : -1
}
