import type { DiffLine, Hunk } from '#infra/git/read-diff.ts'
import type { LineTokens } from './highlight.ts'
import { type Html, html } from './html.ts'

/** Both texts of a file, coloured; null: plain. */
export interface Colours {
  before: LineTokens[] | null
  after: LineTokens[] | null
}

interface Pair {
  left: DiffLine | null
  right: DiffLine | null
}

/** One column: what was taken away, then what came in its place. */
export function unifiedView({ hunks, colours, name }: { hunks: Hunk[]; colours: Colours; name: string }): Html {
  const rows = hunks.map(withoutEqualLineEnds).map((hunk, index) => {
    const others = counterparts(hunk)
    const lines = hunk.lines.map(
      (line) => html`<tr class="${line.kind}">
<td class="number">${line.oldNumber}</td><td class="number">${line.newNumber}</td>
<td class="sign">${signOf(line)}</td><td class="line">${lineOf(line, others.get(line) ?? null, colours)}</td></tr>
`,
    )
    return html`${index > 0 && html`<tr class="gap"><td colspan="4">⋯</td></tr>`}${lines}`
  })
  return html`<table class="diff unified"><caption>${name}</caption>
<thead><tr><th scope="col">Old line</th><th scope="col">New line</th><th scope="col">Change</th><th scope="col">Text</th></tr></thead>
<tbody>${rows}</tbody></table>`
}

/** Two columns: before and after. */
export function splitView({ hunks, colours, name }: { hunks: Hunk[]; colours: Colours; name: string }): Html {
  const rows = hunks.map(withoutEqualLineEnds).map((hunk, index) => {
    const others = counterparts(hunk)
    const cells = (line: DiffLine | null, number: number | null) =>
      line
        ? html`<td class="number ${line.kind}">${number}</td><td class="sign ${line.kind}">${signOf(line)}</td><td class="line ${line.kind}">${lineOf(line, others.get(line) ?? null, colours)}</td>`
        : html`<td class="number none"></td><td class="sign none"></td><td class="line none"></td>`
    const lines = pairsOf(hunk).map(
      ({ left, right }) =>
        html`<tr>${cells(left, left?.oldNumber ?? null)}${cells(right, right?.newNumber ?? null)}</tr>
`,
    )
    return html`${index > 0 && html`<tr class="gap"><td colspan="6">⋯</td></tr>`}${lines}`
  })
  return html`<table class="diff split"><caption>${name}</caption>
<colgroup><col class="number"><col class="sign"><col><col class="number"><col class="sign"><col></colgroup>
<thead><tr><th scope="col" colspan="3">Before</th><th scope="col" colspan="3">After</th></tr></thead>
<tbody>${rows}</tbody></table>`
}

/** In a file whose lines all end with a carriage return it tells nobody anything. */
function withoutEqualLineEnds(hunk: Hunk): Hunk {
  const isEqual = hunk.lines.every(({ text, isUnfinished }) => text.endsWith('\r') || isUnfinished)
  return isEqual
    ? { ...hunk, lines: hunk.lines.map((line) => ({ ...line, text: line.text.replace(/\r$/, '') })) }
    : hunk
}

function signOf({ kind }: DiffLine): string {
  return kind === 'added' ? '+' : kind === 'deleted' ? '−' : ''
}

/** Lines as they stand beside each other: within a block, the first that went beside the first that came. */
function pairsOf({ lines }: Hunk): Pair[] {
  const pairs: Pair[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at]!
    if (line.kind === 'context') {
      pairs.push({ left: line, right: line })
      at++
      continue
    }
    const removed: DiffLine[] = []
    const added: DiffLine[] = []
    while (lines[at]?.kind === 'deleted') removed.push(lines[at++]!)
    while (lines[at]?.kind === 'added') added.push(lines[at++]!)
    for (let row = 0; row < Math.max(removed.length, added.length); row++) {
      pairs.push({ left: removed[row] ?? null, right: added[row] ?? null })
    }
  }
  return pairs
}

/** For each changed line the one on the other side, where both are there. */
function counterparts(hunk: Hunk): Map<DiffLine, DiffLine> {
  const others = new Map<DiffLine, DiffLine>()
  for (const { left, right } of pairsOf(hunk)) {
    if (left && right && left !== right) others.set(left, right).set(right, left)
  }
  return others
}

function lineOf(line: DiffLine, other: DiffLine | null, colours: Colours): Html {
  const tokens = line.newNumber === null ? colours.before?.[line.oldNumber! - 1] : colours.after?.[line.newNumber - 1]
  const marked = other ? differing(line.text, other.text) : null
  return html`${pieces(line.text, { tokens: tokens ?? null, marked })}${line.isUnfinished && html` <span class="unended">no line break at the end</span>`}`
}

interface Range {
  from: number
  to: number
}

/** The part that two lines do not share, if they share enough for it to help. */
export function differing(text: string, other: string): Range | null {
  const shorter = Math.min(text.length, other.length)
  let from = 0
  while (from < shorter && text[from] === other[from]) from++
  let end = 0
  while (end < shorter - from && text[text.length - 1 - end] === other[other.length - 1 - end]) end++
  // Not through the middle of a character.
  if (isLowSurrogate(text, from) && from > 0) from--
  if (isLowSurrogate(text, text.length - end)) end--
  const to = text.length - end
  return (from + end) * 3 >= text.length && from < to ? { from, to } : null
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff
}

/** The line in pieces that are coloured and marked alike. */
export function pieces(text: string, { tokens, marked }: { tokens: LineTokens | null; marked: Range | null }): Html {
  const length = tokens?.reduce((sum, [size]) => sum + size, 0)
  // Colours of another text: the highlighter takes a carriage return for a line's end.
  const runs: LineTokens =
    tokens && length! <= text.length ? [...tokens, [text.length - length!, 0]] : [[text.length, 0]]
  const parts: Html[] = []
  let at = 0
  for (const [size, kind] of runs) {
    const end = at + size
    for (const { from, to, isMarked } of cut({ from: at, to: end }, marked)) {
      const piece = withLineEnd(text.slice(from, to))
      const content = isMarked ? html`<mark>${piece}</mark>` : piece
      parts.push(kind === 0 ? html`${content}` : html`<span class="t${kind}">${content}</span>`)
    }
    at = end
  }
  return html`${parts}`
}

function* cut(range: Range, marked: Range | null): Generator<Range & { isMarked: boolean }> {
  const [from, to] = marked ? [Math.max(range.from, marked.from), Math.min(range.to, marked.to)] : [0, 0]
  if (from >= to) {
    if (range.from < range.to) yield { ...range, isMarked: false }
    return
  }
  if (range.from < from) yield { from: range.from, to: from, isMarked: false }
  yield { from, to, isMarked: true }
  if (to < range.to) yield { from: to, to: range.to, isMarked: false }
}

/** A carriage return may be all that changed. */
function withLineEnd(text: string): string {
  return text.replaceAll('\r', '␍')
}
