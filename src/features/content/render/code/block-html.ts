import type { CodeBlock } from '../rendered-page.ts'
import { type MarkedText, readLineMarks } from './line-marks.ts'

/** A line as pieces, each with its kind: see token-kinds.ts. */
export type Token = [text: string, kind: number]

/** What is written inside `<code>`. Lines are elements only where something is to be said of one. */
export function blockHtml(block: CodeBlock, text: MarkedText, tokens: Token[][] | null): string {
  const highlighted = new Set(block.highlighted)
  const focused = new Set(block.focused)
  const hasMarks = text.marks.some(({ size }) => size > 0)
  const hasLines = block.hasLineNumbers || hasMarks || highlighted.size > 0 || focused.size > 0
  const lines = text.lines.map((line, at) => {
    const content = tokens?.[at] ? tokensHtml(tokens[at]) : escapeText(line)
    if (!hasLines) return content
    const classes = new Set<string>(['line', ...text.marks[at]!])
    if (highlighted.has(text.numbers[at]!)) classes.add('highlighted')
    if (focused.has(text.numbers[at]!)) classes.add('focused')
    // The break is inside, so that a line that is a block has a height when it is empty, and is copied as a line.
    return `<span class="${[...classes].join(' ')}">${content}\n</span>`
  })
  return lines.join(hasLines ? '' : '\n')
}

/** Without colours: where there is no grammar, or no time. */
export function plainBlock(block: CodeBlock): string {
  return blockHtml(block, readLineMarks(block.text), null)
}

function tokensHtml(tokens: Token[]): string {
  let html = ''
  for (let at = 0; at < tokens.length; at++) {
    const kind = tokens[at]![1]
    let text = tokens[at]![0]
    // Space has no colour: it goes with what is before it.
    while (at + 1 < tokens.length && (tokens[at + 1]![1] === kind || tokens[at + 1]![0].trim() === '')) {
      text += tokens[++at]![0]
    }
    html += kind === 0 || text.trim() === '' ? escapeText(text) : `<span class="t${kind}">${escapeText(text)}</span>`
  }
  return html
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (character) => entities[character]!)
}
