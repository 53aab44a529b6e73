import type { SearchHit } from '../edition/edition.ts'
import { eachWord } from './words.ts'

interface Span {
  start: number
  end: number
}

const width = 160
// Before the first word that was found, so that it can be understood.
const before = 40
// Of a very long section the beginning is looked through.
const mostCharacters = 30_000
const mostSpans = 200

/** The part of a text that has most of what was looked for, with that marked. */
export function excerptOf(text: string, isMatch: (word: string) => boolean): SearchHit['excerpt'] {
  const shown = text.slice(0, mostCharacters)
  const spans = findSpans(shown, isMatch)
  const { start, end } = chooseWindow(shown, spans)
  const pieces: SearchHit['excerpt'] = []
  const push = (from: number, to: number, isMarked: boolean) => {
    const piece = shown.slice(from, to).replace(/\s+/g, ' ').toWellFormed()
    if (piece !== '') pieces.push({ text: piece, isMatch: isMarked })
  }
  let at = start
  for (const span of spans) {
    if (span.start < at || span.end > end) continue
    push(at, span.start, false)
    push(span.start, span.end, true)
    at = span.end
  }
  push(at, end, false)
  if (pieces.length === 0) return []
  if (start > 0) pieces[0]!.text = `…${pieces[0]!.text.trimStart()}`
  else pieces[0]!.text = pieces[0]!.text.trimStart()
  const last = pieces.at(-1)!
  last.text = last.text.trimEnd() + (end < text.length ? '…' : '')
  return pieces.filter(({ text: piece }) => piece !== '')
}

/** What matches, in order and without overlaps. */
function findSpans(text: string, isMatch: (word: string) => boolean): Span[] {
  const found: Span[] = []
  eachWord(text, (word, start, end) => {
    if (found.length < mostSpans && isMatch(word)) found.push({ start, end })
  })
  found.sort((a, b) => a.start - b.start || b.end - a.end)
  const joined: Span[] = []
  for (const span of found) {
    const last = joined.at(-1)
    if (last && span.start < last.end) last.end = Math.max(last.end, span.end)
    else joined.push({ ...span })
  }
  return joined
}

function chooseWindow(text: string, spans: Span[]): Span {
  if (text.length <= width + before) return { start: 0, end: text.length }
  let best = 0
  let most = 0
  for (const [index, { start }] of spans.entries()) {
    let inside = 0
    const words = new Set<string>()
    for (let next = index; next < spans.length && spans[next]!.end <= start + width - before; next++) {
      const word = text.slice(spans[next]!.start, spans[next]!.end).toLowerCase()
      // Different words say more than the same one again.
      inside += words.has(word) ? 0.1 : 1
      words.add(word)
    }
    if (inside > most) {
      most = inside
      best = start
    }
  }
  const start = toWord(text, spans.length === 0 ? 0 : Math.max(0, best - before))
  let end = Math.min(text.length, start + width)
  if (end < text.length) {
    const space = text.lastIndexOf(' ', end)
    if (space > start + width / 2) end = space
  }
  return { start, end }
}

/** The beginning of a word near to it, where there are spaces at all. */
function toWord(text: string, at: number): number {
  if (at === 0) return 0
  const space = text.slice(at, at + before).search(/\s/)
  return space < 0 ? at : at + space + 1
}
