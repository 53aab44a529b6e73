/** Text that is HTML already: made by `html`, never by a cast. */
export class Html {
  readonly text: string
  /** Only for what was escaped piece by piece. */
  constructor(text: string) {
    this.text = text
  }
}

export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[]

/** A template whose values are escaped, unless they are HTML themselves. Attributes must stand in double quotes. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(strings.reduce((text, part, index) => text + textOf(values[index - 1]) + part))
}

function textOf(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(textOf).join('')
  return escapeHtml(String(value))
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export function escapeHtml(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => entities[character]!)
}

// Controls, marks that turn the direction of writing, and characters without width: a page that shows them as they are
// shows another text than the one that would be merged.
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
const harmless = new Set(['\n', '\t'])

/** The text with every character that nobody sees as its code, such as `[U+202E]`. */
export function visible(text: string): string {
  return text.toWellFormed().replace(unseen, (character) => {
    if (harmless.has(character)) return character
    return `[U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`
  })
}
