import { decodeEntities } from './entities.ts'

export interface Destination {
  /** Span of the address as written, without angle brackets. */
  start: number
  end: number
  /** The address with escapes and character references decoded. */
  url: string
}

// Parsers stop at this depth too.
const mostParentheses = 32
// A page that has more of these inside one link is made to waste our time.
const mostCandidates = 1_000

/**
 * Finds the address of a link or image, whose source ends at `end`, by trying each `](` from `from` on. The parser says
 * what the address is but not where it stands.
 */
export function findResource(source: string, input: { from: number; end: number; url: string }): Destination | null {
  const { from, end, url } = input
  let at = source.indexOf('](', from)
  for (let tried = 0; at !== -1 && at < end && tried < mostCandidates; tried++) {
    const found = readDestination(source, at + 2, end)
    if (found && found.url === url && closesAt(source, found.after, end)) return found
    at = source.indexOf('](', at + 1)
  }
  return null
}

/** The address of a definition, `[label]: address`. */
export function findDefinition(source: string, input: { from: number; end: number; url: string }): Destination | null {
  const { from, end, url } = input
  let at = source.indexOf(']:', from)
  for (let tried = 0; at !== -1 && at < end && tried < mostCandidates; tried++) {
    const found = readDestination(source, at + 2, end)
    if (found && found.url === url) return found
    at = source.indexOf(']:', at + 1)
  }
  return null
}

function readDestination(source: string, from: number, limit: number): (Destination & { after: number }) | null {
  const start = skipSpace(source, from)
  if (source[start] === '<') {
    for (let at = start + 1; at < limit; at++) {
      const character = source[at]
      if (character === '\\') at++
      else if (character === '>') return destination(source, start + 1, at, at + 1)
      else if (character === '<' || character === '\n') return null
    }
    return null
  }
  let depth = 0
  let at = start
  for (; at < limit; at++) {
    const code = source.charCodeAt(at)
    if (code === 0x5c) at++
    else if (code <= 0x20) break
    else if (code === 0x28 && ++depth > mostParentheses) return null
    else if (code === 0x29 && --depth < 0) break
  }
  return destination(source, start, Math.min(at, limit), Math.min(at, limit))
}

function destination(source: string, start: number, end: number, after: number): Destination & { after: number } {
  const url = decodeEntities(source.slice(start, end).replace(/\\([!-/:-@[-`{-~])/g, '$1'))
  return { start, end, url, after }
}

/** Whether nothing but a title stands between the address and the closing parenthesis, which is the link's last. */
function closesAt(source: string, after: number, end: number): boolean {
  if (source[end - 1] !== ')') return false
  const rest = source.slice(after, end - 1)
  return /^[\s>]*$/.test(rest) || /^[\s>]+["'(][\s\S]*["')][\s>]*$/.test(rest)
}

function skipSpace(source: string, from: number): number {
  let at = from
  let afterNewline = false
  while (at < source.length) {
    const character = source[at]!
    if (character === '\n') afterNewline = true
    else if (character !== ' ' && character !== '\t' && character !== '\r' && !(afterNewline && character === '>'))
      break
    at++
  }
  return at
}
