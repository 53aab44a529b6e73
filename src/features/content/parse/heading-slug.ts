import { slug } from 'github-slugger'

/**
 * The anchors that a page's headings have. Sites of this format are written for two ways of making them: GitHub's
 * (punctuation dropped, a second one is `-1`) and Mintlify's (apostrophes, slashes and ampersands kept, a second one is
 * `-2`). A link that follows either is good.
 */
export interface AnchorCollector {
  /** A heading, or a component that makes an anchor of its title. */
  addTitle(text: string): void
  /** An id as it is written. */
  addId(id: string): void
  readonly anchors: Set<string>
}

export function createAnchorCollector(): AnchorCollector {
  const anchors = new Set<string>()
  const seen = new Map<string, number>()
  function addCounted(base: string, way: string, numbering: (count: number) => number): void {
    const count = seen.get(`${way} ${base}`) ?? 0
    seen.set(`${way} ${base}`, count + 1)
    anchors.add(count === 0 ? base : `${base}-${numbering(count)}`)
  }
  return {
    anchors,
    addTitle(text) {
      addCounted(slug(text.trim()), 'github', (count) => count)
      addCounted(mintlifySlug(text), 'mintlify', (count) => count + 1)
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
    .replace(/[().,:;!?"“”`*<>[\]{}]/g, (mark) => (mark === '.' ? '-' : ''))
    .replace(/\s+/g, '-')
}

/** Punctuation is where ways of making anchors differ most; this leaves it out of the comparison. */
export function looseAnchor(anchor: string): string {
  return anchor
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
}
