import { codeSpan } from '../code-span.ts'

/** Text as Markdown code; long texts are cut. */
export function code(text: string): string {
  return codeSpan(shorten(text, 120))
}

/** One line of at most so many characters. */
export function shorten(text: string, most: number): string {
  const letters = [...text.replace(/[\s\p{Cc}]+/gu, ' ').trim()]
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : letters.join('')
}
