/** What is done with each word: as search knows it, and where it stands in the text. */
export type VisitWord = (word: string, start: number, end: number) => void

// Written without spaces between words, or with endings that stick to them: known by pairs of letters.
const unspaced =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}ー'
const runPattern = new RegExp(`([${unspaced}]+)|[[\\p{L}\\p{N}\\p{M}_]--[${unspaced}]]+`, 'gv')
const stickyPattern = new RegExp(runPattern.source, 'vy')
const partBoundary = /_+|(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u
const isAscii = /^\w+$/
const hasParts = /_|[\p{Ll}\d]\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u
// Longer ones are keys and hashes, of which nobody types more.
const longestWord = 64
const untouchedByUnicode: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i' }

/**
 * The words of a text: lower case and without accents. Of identifiers also the parts (`max_retries`, `getUserId`), of
 * text without spaces all pairs of neighbouring letters, and the last letter, so that each can be found by its beginning.
 */
export function eachWord(text: string, visit: VisitWord): void {
  const { length } = text
  for (let at = 0; at < length; ) {
    const kind = text.charCodeAt(at) < 128 ? asciiKinds[text.charCodeAt(at)]! : otherLetter
    if (kind === noLetter) {
      at++
      continue
    }
    let end = at
    let kinds = 0
    let next: number = kind
    while (next !== noLetter && next !== otherLetter) {
      kinds |= next
      end++
      const code = text.charCodeAt(end)
      next = end === length ? noLetter : code < 128 ? asciiKinds[code]! : otherLetter
    }
    if (next === noLetter) {
      // Most words of most texts: nothing to fold, and no parts.
      if (kinds === lowerOrDigit && end - at <= longestWord) visit(text.slice(at, end), at, end)
      else eachPart(text.slice(at, end), at, visit)
      at = end
    } else at = otherRun(text, at, visit)
  }
}

const [noLetter, lowerOrDigit, upper, underscore, otherLetter] = [0, 1, 2, 4, 8]
const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code)
  if (letter === '_') return underscore
  return /[a-z\d]/.test(letter) ? lowerOrDigit : /[A-Z]/.test(letter) ? upper : noLetter
})

/** A word with letters beyond ASCII in it, or one such character that is no letter. Gives where it ends. */
function otherRun(text: string, at: number, visit: VisitWord): number {
  stickyPattern.lastIndex = at
  const run = stickyPattern.exec(text)
  if (run === null) return at + (text.codePointAt(at)! > 0xffff ? 2 : 1)
  if (run[1] === undefined) eachPart(run[0], at, visit)
  else eachPair(run[0], at, visit)
  return at + run[0].length
}

/** A query's words, each with what may stand for it. */
export interface QueryWord {
  /** As a whole; of text without spaces a pair, or a single letter. */
  whole: string
  /** All of these together mean the same. */
  parts: string[]
  /** What begins with it counts too: the reader may still be typing. */
  isPrefix: boolean
  /** Whether it is a word that can be misspelt. */
  isSpelt: boolean
}

export function wordsOfQuery(text: string): QueryWord[] {
  const words: QueryWord[] = []
  for (const run of text.matchAll(runPattern)) {
    const isLast = run.index + run[0].length === text.length
    if (run[1] === undefined) {
      const [whole, ...parts] = collect((visit) => eachPart(run[0], 0, visit))
      if (whole !== undefined) words.push({ whole, parts, isPrefix: isLast, isSpelt: true })
    } else {
      const pairs = collect((visit) => eachPair(run[0], 0, visit))
      // The last is a single letter, which the pair before it has already.
      const wanted = pairs.length > 1 ? pairs.slice(0, -1) : pairs
      for (const whole of wanted) words.push({ whole, parts: [], isPrefix: pairs.length === 1, isSpelt: false })
    }
  }
  return words
}

/** A text as search compares titles: its words and nothing between them. */
export function foldText(text: string): string {
  return [...text.matchAll(runPattern)].map(([run]) => fold(run)).join(' ')
}

function collect(run: (visit: VisitWord) => void): string[] {
  const words: string[] = []
  run((word) => words.push(word))
  return words
}

function eachPart(run: string, at: number, visit: VisitWord): void {
  if (!hasParts.test(run)) {
    const word = fold(run)
    if (word !== '') visit(word, at, at + run.length)
    return
  }
  const whole = fold(run.replace(/^_+|_+$/g, ''))
  if (whole === '') return
  visit(whole, at, at + run.length)
  const parts = run.split(partBoundary).filter(Boolean)
  if (parts.length < 2) return
  let from = 0
  for (const part of parts) {
    from = run.indexOf(part, from)
    const word = fold(part)
    if (word !== '') visit(word, at + from, at + from + part.length)
    from += part.length
  }
}

function eachPair(run: string, at: number, visit: VisitWord): void {
  const letters = Array.from(run)
  let start = at
  for (const [index, letter] of letters.entries()) {
    const next = letters[index + 1] ?? ''
    const word = fold(letter + next)
    if (word !== '') visit(word, start, start + letter.length + next.length)
    start += letter.length
  }
}

function fold(word: string): string {
  const lower = word.slice(0, longestWord).toLowerCase()
  if (isAscii.test(lower)) return lower
  return (
    lower
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]/g, '')
      .normalize('NFC')
      .replace(/[ßæœøłđı]/g, (letter) => untouchedByUnicode[letter]!)
      // What Unicode takes for the same may be several words, or have brackets around it.
      .replace(/[^\p{L}\p{N}\p{M}_]+/gu, '')
      .toLowerCase()
  )
}
