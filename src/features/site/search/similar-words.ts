import { editDistance } from '#base/closest.ts'
import type { IndexedSections } from './indexed-sections.ts'
import type { QueryWord } from './words.ts'

// Three letters are one mistake away from half of all such words.
const shortest = 4
const longest = 30
const mostSimilar = 4
// Of a word that is still being typed, so much may be to come.
const mostToCome = 12

/** Words of the site that somebody may have meant who typed this one, the likeliest first. */
export function similarWords(index: IndexedSections, { whole, isPrefix, isSpelt }: QueryWord): string[] {
  // Of numbers, one digit more or less is another number.
  if (!isSpelt || whole.length < shortest || whole.length > longest || /\d/.test(whole)) return []
  const most = whole.length < 8 ? 1 : 2
  const found: { word: string; distance: number }[] = []
  const letters = lettersOf(whole)
  // The second letter, as the first two change places easily.
  for (const first of new Set([whole[0]!, whole[1]!])) {
    const form = { first, shortest: whole.length - most, longest: whole.length + (isPrefix ? mostToCome : most) }
    for (const word of index.wordsLike(form)) {
      if (word === whole) continue
      // Each mistake changes two letters at most: nearly all words are told apart by this alone.
      const beginning = isPrefix ? word.slice(0, whole.length + most) : word
      if (countBits(letters ^ lettersOf(beginning)) > 2 * most + (isPrefix ? most : 0)) continue
      const distance = distanceTo(word)
      if (distance <= most) found.push({ word, distance })
    }
  }
  found.sort((a, b) => a.distance - b.distance || a.word.length - b.word.length)
  return found.slice(0, mostSimilar).map(({ word }) => word)

  function distanceTo(word: string): number {
    if (!isPrefix || word.length <= whole.length + most) return editDistance(whole, word)
    // Its beginning, as far as it was typed; one letter more or less may be the mistake. A little less likely than a whole.
    const ends = [0, -1, 1].map((change) => word.slice(0, whole.length + change))
    return Math.min(...ends.map((beginning) => editDistance(whole, beginning))) + 0.5 * (most > 1 ? 1 : 0)
  }
}

/** Which letters it has, a bit each. */
function lettersOf(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31)
  return letters
}

function countBits(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++
  return count
}
