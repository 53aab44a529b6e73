/** Text as inline code of Markdown on one line, whatever is in it. */
export function codeSpan(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ')
  if (line === '') return '(nothing)'
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  const pad = /^`|`$/.test(line) ? ' ' : ''
  return `${fence}${pad}${line}${pad}${fence}`
}
