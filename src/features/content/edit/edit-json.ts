import { createScanner, type Node } from 'jsonc-parser'
import { lineEndOf, type Splice } from './splice.ts'

// jsonc-parser's own `modify` formats the whole line it touches: an array written in one line comes back in many. These
// splice by span and follow the neighbours instead, so that a diff shows the entry and nothing else.

/** Puts an item into an array before the `index`th. */
export function insertIntoList(source: string, list: Node, input: { index: number; value: unknown }): Splice[] {
  return insertAllIntoList(source, list, { index: input.index, values: [input.value] })
}

export function insertAllIntoList(
  source: string,
  list: Node,
  { index, values }: { index: number; values: unknown[] },
): Splice[] {
  if (values.length === 0) return []
  return insertWritten(source, list, {
    index,
    write: (style, gap) => values.map((value) => writeValue(value, style)).join(`,${gap}`),
  })
}

/** Puts a property at the end of an object. */
export function insertProperty(
  source: string,
  object: Node,
  { key, value }: { key: string; value: unknown },
): Splice[] {
  const index = object.children?.length ?? 0
  return insertWritten(source, object, {
    index,
    write: (style) => `${JSON.stringify(key)}: ${writeValue(value, { ...style, isCompact: false })}`,
  })
}

/** Takes out an item of an array or a property of an object, with its comma and, where it has one alone, its line. */
export function removeFromList(source: string, list: Node, index: number): Splice[] {
  const items = list.children ?? []
  const item = items[index]!
  const end = item.offset + item.length
  const comma = findComma(source, end)
  if (items.length === 1) {
    const [innerStart, innerEnd] = [list.offset + 1, list.offset + list.length - 1]
    const rest = source.slice(innerStart, item.offset) + source.slice(comma === null ? end : comma + 1, innerEnd)
    if (rest.trim() === '') return [{ start: innerStart, end: innerEnd, text: '' }]
  }
  const removed =
    comma === null ? { start: item.offset, end, text: '' } : { start: item.offset, end: comma + 1, text: '' }
  const lineStart = startOfLine(source, item.offset)
  const lineEnd = endOfLine(source, removed.end)
  const hasOwnLine =
    source.slice(lineStart, item.offset).trim() === '' && /^\s*(\/\/.*)?$/.test(source.slice(removed.end, lineEnd))
  const splices: Splice[] = []
  const before = items[index - 1]
  if (comma === null && before) {
    const commaBefore = findComma(source, before.offset + before.length)!
    splices.push({ start: commaBefore, end: commaBefore + 1, text: '' })
    if (!hasOwnLine) removed.start = commaBefore + 1
  }
  if (hasOwnLine) splices.push({ start: lineStart, end: afterLineEnd(source, lineEnd), text: '' })
  else if (comma === null || !before) splices.push({ ...removed, end: removed.end + spacesAt(source, removed.end) })
  else splices.push({ ...removed, start: removed.start - spacesBefore(source, removed.start) })
  return splices
}

interface WritingStyle {
  indent: string
  unit: string
  lineEnd: string
  /** The neighbours are written in one line each. */
  isCompact: boolean
  /** They have a space inside their braces. */
  isSpaced: boolean
}

function insertWritten(
  source: string,
  list: Node,
  { index, write }: { index: number; write: (style: WritingStyle, gap: string) => string },
): Splice[] {
  const items = list.children ?? []
  const lineEnd = lineEndOf(source)
  const unit = indentUnitOf(source)
  const neighbour = items[Math.min(index, items.length - 1)]
  if (!neighbour) {
    const innerEnd = list.offset + list.length - 1
    const isMultiLine = source.includes('\n')
    const outer = indentAt(source, list.offset)
    const style = { indent: outer + unit, unit, lineEnd, isCompact: !isMultiLine, isSpaced: false }
    const inner = source.slice(list.offset + 1, innerEnd)
    // A comment in it stays above what is put in.
    const start = list.offset + 1 + inner.trimEnd().length
    const text = isMultiLine
      ? `${lineEnd}${style.indent}${write(style, `${lineEnd}${style.indent}`)}${lineEnd}${outer}`
      : write(style, ' ')
    return [{ start, end: innerEnd, text }]
  }
  const neighbourText = source.slice(neighbour.offset, neighbour.offset + neighbour.length)
  const previousEnd = index > 0 ? endOf(items[index - 1]!) : list.offset + 1
  const gapStart = index < items.length ? previousEnd : index > 1 ? endOf(items[index - 2]!) : list.offset + 1
  const isOnOwnLine = source.slice(gapStart, neighbour.offset).includes('\n')
  const indent = indentAt(source, neighbour.offset)
  const inner = /\n([ \t]+)\S/.exec(neighbourText)?.[1]
  const style = {
    indent,
    unit: inner?.startsWith(indent) && inner.length > indent.length ? inner.slice(indent.length) : unit,
    lineEnd,
    isCompact: !neighbourText.includes('\n') && /^[{[]/.test(neighbourText),
    isSpaced: /^[{[]\s/.test(neighbourText),
  }
  const gap = isOnOwnLine ? `${lineEnd}${style.indent}` : ' '
  if (index < items.length) {
    return [{ start: neighbour.offset, end: neighbour.offset, text: `${write(style, gap)},${gap}` }]
  }
  const end = endOf(neighbour)
  const comma = findComma(source, end)
  const afterLine = endOfLine(source, comma === null ? end : comma + 1)
  const restOfLine = source.slice(comma === null ? end : comma + 1, afterLine)
  const hasTrailingComment = isOnOwnLine && /^\s*\/\//.test(restOfLine)
  const written = `${gap}${write(style, gap)}`
  if (comma !== null) {
    const start = hasTrailingComment ? afterLine : comma + 1
    return [{ start, end: start, text: `${written},` }]
  }
  if (!hasTrailingComment) return [{ start: end, end, text: `,${written}` }]
  return [
    { start: end, end, text: ',' },
    { start: afterLine, end: afterLine, text: written },
  ]
}

function writeValue(value: unknown, style: WritingStyle): string {
  if (style.isCompact && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const pad = style.isSpaced ? ' ' : ''
    const properties = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${JSON.stringify(one)}`)
    return `{${pad}${properties.join(', ')}${pad}}`
  }
  return JSON.stringify(value, null, style.unit).replace(/\n/g, `${style.lineEnd}${style.indent}`)
}

function endOf(node: Node): number {
  return node.offset + node.length
}

/** Where the comma after an item stands; null when there is none. */
function findComma(source: string, after: number): number | null {
  const scanner = createScanner(source, true)
  scanner.setPosition(after)
  scanner.scan()
  return source[scanner.getTokenOffset()] === ',' ? scanner.getTokenOffset() : null
}

function indentUnitOf(source: string): string {
  return /^([ \t]+)\S/m.exec(source)?.[1] ?? '  '
}

function indentAt(source: string, offset: number): string {
  return /^[ \t]*/.exec(source.slice(startOfLine(source, offset), offset))![0]
}

function startOfLine(source: string, offset: number): number {
  return source.lastIndexOf('\n', offset - 1) + 1
}

/** Before the line end, whichever it is. */
function endOfLine(source: string, offset: number): number {
  const end = source.indexOf('\n', offset)
  if (end === -1) return source.length
  return end > offset && source[end - 1] === '\r' ? end - 1 : end
}

function afterLineEnd(source: string, lineEnd: number): number {
  return lineEnd + (/^\r?\n/.exec(source.slice(lineEnd, lineEnd + 2))?.[0].length ?? 0)
}

function spacesAt(source: string, offset: number): number {
  return /^[ \t]*/.exec(source.slice(offset))![0].length
}

function spacesBefore(source: string, offset: number): number {
  return /[ \t]*$/.exec(source.slice(startOfLine(source, offset), offset))![0].length
}
