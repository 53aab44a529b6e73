import { type QueryWord, wordsOfQuery } from './words.ts'

/** One word of a query with everything that is taken for it. */
export interface Term {
  word: QueryWord
  /** Other words that it may mean, as they are. */
  similar: string[]
  /** What begins like this may be meant too. */
  stem: string | null
}

// A person types a few words, an agent a sentence; what is longer was pasted.
const mostCharacters = 300
const mostWords = 10
// Words that say nothing about what is looked for, where there are others.
const fillers = new Set(
  'a an and are as at be by can do does for from how i in is it me my of on or our that the there this to use was we what when where which who why will with you your'.split(
    ' ',
  ),
)
const endings = /(?:ations?|ings?|ed|es|s)$/
const shortestStem = 4
const shortestBeginning = 3

export function parseQuery(text: string): Term[] {
  const seen = new Set<string>()
  const words = wordsOfQuery(cut(text)).filter(({ whole }) => !seen.has(whole) && seen.add(whole))
  const telling = words.filter(({ whole, isPrefix }) => isPrefix || !fillers.has(whole))
  return (telling.length > 0 ? telling : words).slice(0, mostWords).map((word) => ({ word, similar: [], stem: null }))
}

/** Not inside a letter of two units. */
function cut(text: string): string {
  return text.length <= mostCharacters
    ? text
    : text
        .slice(0, mostCharacters)
        .toWellFormed()
        .replace(/\uFFFD$/, '')
}

/** As they are looked for in texts: there, half of all words begin with some letter or two. */
export function inTexts(terms: Term[]): Term[] {
  return terms.map((term) => {
    const { whole, isPrefix, isSpelt } = term.word
    return isPrefix && isSpelt && whole.length < shortestBeginning
      ? { ...term, word: { ...term.word, isPrefix: false } }
      : term
  })
}

/** What a word is the form of, in English: `webhooks`, `installing`. */
export function stemOf({ whole, isSpelt }: QueryWord): string | null {
  const stem = isSpelt ? whole.replace(endings, '') : whole
  return stem !== whole && stem.length >= shortestStem ? stem : null
}

/** In FTS5's language. Words hold letters and digits only, and stand in quotes: nothing of a query is taken for syntax. */
export function allOf(terms: Term[]): string {
  return terms.map(oneOf).join(' AND ')
}

export function anyOf(terms: Term[]): string {
  return terms.map(oneOf).join(' OR ')
}

function oneOf({ word: { whole, parts, isPrefix }, similar, stem }: Term): string {
  const end = isPrefix ? ' *' : ''
  const forms = [`"${whole}"${end}`]
  if (parts.length > 0) {
    const inner = parts.map((part, index) => `"${part}"${index === parts.length - 1 ? end : ''}`)
    forms.push(`(${inner.join(' AND ')})`)
  }
  for (const other of similar) forms.push(`"${other}"`)
  if (stem !== null) forms.push(`"${stem}" *`)
  return forms.length === 1 ? forms[0]! : `(${forms.join(' OR ')})`
}

/** Whether a word of a text is one that was looked for. */
export function createMatcher(terms: Term[]): (word: string) => boolean {
  const exact = new Set<string>()
  const beginnings: string[] = []
  for (const { word, similar, stem } of terms) {
    for (const one of [word.whole, ...word.parts, ...similar]) exact.add(one)
    if (word.isPrefix) beginnings.push(word.whole, ...word.parts.slice(-1))
    if (stem !== null) beginnings.push(stem)
  }
  return (word) => exact.has(word) || beginnings.some((beginning) => word.startsWith(beginning))
}
