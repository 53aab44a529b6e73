/** A stretch of a text, in UTF-16 units, and what is to stand there instead. */
export interface Splice {
  start: number
  end: number
  text: string
}

/** Splices must not overlap; several at one place go in as listed. Everything outside of them stays as it is. */
export function applySplices(source: string, splices: readonly Splice[]): string {
  const ordered = [...splices].sort((a, b) => a.start - b.start || a.end - b.end)
  let result = ''
  let position = 0
  for (const { start, end, text } of ordered) {
    if (start < position) throw new RangeError(`Two edits overlap at ${start}.`)
    result += source.slice(position, start) + text
    position = end
  }
  return result + source.slice(position)
}

/** The line end that a file uses: that of its first line. */
export function lineEndOf(source: string): string {
  return /\r\n|\n|\r/.exec(source)?.[0] ?? '\n'
}
