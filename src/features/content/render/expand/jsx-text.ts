/** Text between elements as JSX reads it: line breaks with the space around them are one space, or nothing at an end. */
export function trimJsxText(text: string): string {
  if (!text.includes('\n')) return text
  const lines = text.split('\n')
  const kept = lines.map((line, index) => {
    const start = index === 0 ? line : line.replace(/^[ \t\r]+/, '')
    return index === lines.length - 1 ? start : trimEnd(start)
  })
  return kept.filter((line) => line !== '').join(' ')
}

/** Without an expression: one that looks for space at the end starts anew at each of them. */
function trimEnd(line: string): string {
  let end = line.length
  while (end > 0 && ' \t\r'.includes(line[end - 1]!)) end--
  return line.slice(0, end)
}

/** Elements that stand in a line of text. */
const phrasing = new Set(
  'a abbr b bdi bdo br button cite code data del dfn em i img input ins kbd label mark q s samp small span strong sub sup svg time u var wbr'.split(
    ' ',
  ),
)

export function isPhrasing(name: string): boolean {
  return phrasing.has(name)
}
