import { slug } from 'github-slugger'

/**
 * The anchors that a page's headings have. Sites of this format are written for two ways of making them: GitHub's
 * (punctuation dropped, a second one is `-1`) and Mintlify's (apostrophes, colons, slashes and ampersands kept, a second one is
 * `-2`). A link that follows either is good.
 */
export interface AnchorCollector {
  /** A heading, or a component that makes an anchor of its title. Returns the anchors that it gave. */
  addTitle(text: string): string[]
  /** An id as it is written. */
  addId(id: string): void
  readonly anchors: Set<string>
}

export const longestTitle = 200

export function createAnchorCollector(): AnchorCollector {
  const anchors = new Set<string>()
  const seen = new Map<string, number>()
  function addCounted(base: string, way: string, numbering: (count: number) => number): string {
    const count = seen.get(`${way} ${base}`) ?? 0
    seen.set(`${way} ${base}`, count + 1)
    const anchor = count === 0 ? base : `${base}-${numbering(count)}`
    if (base !== '') anchors.add(anchor)
    return anchor
  }
  return {
    anchors,
    addTitle(text) {
      const title = text.replace(/\s+/g, ' ').trim().slice(0, longestTitle)
      return [
        addCounted(slug(title), 'github', (count) => count),
        addCounted(mintlifySlug(title), 'mintlify', (count) => count + 1),
      ]
    },
    addId(id) {
      if (id !== '') anchors.add(id)
    },
  }
}

export function mintlifySlug(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/'/g, '’')
    .replace(/[().,;!?"“”`*<>[\]{}]/g, (mark) => (mark === '.' ? '-' : ''))
    .replace(/\s+/g, '-')
}

/** A heading's words without the badges beside them, and without the dash that sets those apart. */
export function trimSeparators(words: string): string {
  return words.replace(/^[\s–—:|·-]+|[\s–—:|·-]+$/g, '')
}

/**
 * What a field's anchors are made of. Links are written to `#param-…` also of what answers hold, to `#body-…` and the
 * like, and to the name alone.
 */
export function fieldTitles({ kind, name, place }: { kind: 'param' | 'response'; name: string; place: string | null }) {
  const prefixes = kind === 'param' ? ['param-'] : ['response-', 'param-']
  if (place !== null) prefixes.push(`${place}-`)
  return [...prefixes, ''].map((prefix) => prefix + name)
}

/** Punctuation is where ways of making anchors differ most; this leaves it out of the comparison. */
export function looseAnchor(anchor: string): string {
  return anchor
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
}
