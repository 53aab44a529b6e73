import { randomBytes } from 'node:crypto'
import type { Hole, Template } from './rendered-page.ts'
import { readUrl, type UrlUse } from './safe-url.ts'

/** The places of a text that are filled later. Until it is cut up, marks that nobody can guess stand in them. */
export interface Holes {
  /** Text to write for an address, or null when it must not be written. */
  link(url: string, from: string, use: UrlUse): string | null
  add(hole: Hole): string
  /** The text, cut at its marks. */
  cut(text: string): Template
}

export function createHoles(): Holes {
  // Letters and digits alone, so that neither HTML nor Markdown writes them another way.
  const mark = `h${randomBytes(12).toString('hex')}n`
  const pattern = new RegExp(`${mark}(\\d+)e`)
  const holes: Hole[] = []
  const byUrl = new Map<string, string>()

  function add(hole: Hole): string {
    holes.push(hole)
    return `${mark}${holes.length - 1}e`
  }

  return {
    add,
    link(written, from, use) {
      if (written.startsWith(mark)) return written
      const read = readUrl(written, use)
      if (read === null || read.kind === 'fixed') return read?.url ?? null
      const key = `${from}\n${read.url}`
      const known = byUrl.get(key) ?? add({ kind: 'link', url: read.url, from })
      byUrl.set(key, known)
      return known
    },
    cut(text) {
      const parts: Template['parts'] = []
      for (const [index, piece] of text.split(pattern).entries()) {
        if (index % 2 === 1) parts.push(holes[Number(piece)]!)
        else if (piece !== '') parts.push(piece)
      }
      return { parts }
    },
  }
}
