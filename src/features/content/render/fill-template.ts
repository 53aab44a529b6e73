import type { Template } from './rendered-page.ts'
import { readUrl } from './safe-url.ts'

export interface HoleFillers {
  /** The address to write for one that stands in `from`. */
  link(url: string, from: string): string
  /** HTML of the code block that is this many-th in the template, from 0. */
  code(index: number): string
}

/** The text with its holes filled. */
export function fillTemplate({ parts }: Template, fill: HoleFillers, form: 'html' | 'markdown'): string {
  let text = ''
  let blocks = 0
  for (const part of parts) {
    if (typeof part === 'string') text += part
    else if (part.kind === 'code') text += fill.code(blocks++)
    else {
      const url = fill.link(part.url, part.from)
      // An address of docs.json may have come in between: a redirect leads wherever its author likes.
      const safe = readUrl(url, 'image') === null ? '#' : url
      text += form === 'html' ? escapeAttribute(safe) : escapeDestination(safe)
    }
  }
  return text
}

function escapeAttribute(text: string): string {
  return text.replace(/[&"'<>`]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** So that it ends neither the address nor the link of Markdown. */
function escapeDestination(url: string): string {
  return url.replace(/[\s()<>\\`[\]|]/g, (character) =>
    encodeURIComponent(character).replace('(', '%28').replace(')', '%29'),
  )
}
