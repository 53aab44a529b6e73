/** Text as Markdown code, whatever is in it; long texts are cut. */
export function code(text: string): string {
  const line = shorten(text, 120)
  if (line === '') return '(nothing)'
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  const pad = /^`|`$/.test(line) ? ' ' : ''
  return `${fence}${pad}${line}${pad}${fence}`
}

/** One line of at most so many characters. */
export function shorten(text: string, most: number): string {
  const letters = [...text.replace(/[\s\p{Cc}]+/gu, ' ').trim()]
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : letters.join('')
}
