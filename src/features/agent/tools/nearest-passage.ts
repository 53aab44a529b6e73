import { linesOf, numbered } from './text-file.ts'

const mostLines = 12
const mostFileLines = 20_000

/** The lines that are most like a text which is not there, numbered, with what differs; null when nothing is alike. */
export function nearestPassage(text: string, wanted: string): string | null {
  const lines = linesOf(text).slice(0, mostFileLines)
  const wantedLines = wanted
    .split('\n')
    .filter((line, index, all) => line.trim() !== '' || (index > 0 && index < all.length - 1))
  if (wantedLines.length === 0 || lines.length === 0) return null
  const wantedWords = wantedLines.slice(0, mostLines).map(wordsOf)
  const words = lines.map(wordsOf)
  let best = { at: 0, score: 0 }
  for (let at = 0; at < lines.length; at++) {
    let score = 0
    for (let offset = 0; offset < wantedWords.length; offset++) score += alike(words[at + offset], wantedWords[offset]!)
    if (score > best.score) best = { at, score }
  }
  if (best.score / wantedWords.length < 0.4) return null
  const passage = lines.slice(best.at, best.at + Math.min(wantedLines.length, mostLines))
  const squeezed = (all: string[]) => all.map((line) => line.replace(/\s+/g, ' ').trim()).join('\n')
  const onlySpaces = squeezed(passage) === squeezed(wantedLines.slice(0, mostLines))
  const shown = passage.map((line) => (line.length > 500 ? `${line.slice(0, 500).toWellFormed()}…` : line))
  return `${numbered(shown, best.at + 1)}${onlySpaces ? '\n(Only spaces or empty lines differ.)' : ''}`
}

function wordsOf(line: string): Set<string> {
  return new Set(line.toLowerCase().match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]+/gu) ?? [])
}

/** Dice’s coefficient: 1 when the words are the same, 0 when none is. */
function alike(a: Set<string> | undefined, b: Set<string>): number {
  if (a === undefined) return 0
  if (a.size === 0 && b.size === 0) return 1
  let shared = 0
  for (const word of b) if (a.has(word)) shared++
  return (2 * shared) / (a.size + b.size)
}
