import { createHtmlTemplate, escapeHtml as escapeText } from '#infra/http/html.ts'

export { Html, type HtmlValue } from '#infra/http/html.ts'

export function escapeHtml(text: string): string {
  return escapeText(visible(text))
}

/** A template whose values are escaped and made visible, unless they are HTML themselves. */
export const html = createHtmlTemplate(escapeHtml)

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
