/** Classes of a line that its author marked: `// [!code ++]`. */
export type LineMark = 'added' | 'removed' | 'highlighted' | 'focused' | 'warning' | 'error'

export interface MarkedText {
  /** Without the marks. */
  lines: string[]
  /** By number of the line as it was written, from 1, for numbers that stand beside the block. */
  numbers: number[]
  /** As long as `lines`. */
  marks: Set<LineMark>[]
}

const names: Record<string, LineMark> = {
  '++': 'added',
  '--': 'removed',
  highlight: 'highlighted',
  hl: 'highlighted',
  focus: 'focused',
  warning: 'warning',
  error: 'error',
}

const mark = /\[!code (\+\+|--|highlight|hl|focus|warning|error)(?::(\d{1,5}))?\]/
const opening = /(?:\/\/|#|<!--|\/\*|\{\/\*|--|;|%)[ \t]{0,20}$/
const closing = /^[ \t]{0,20}(?:\*\/\}|\*\/|-->)/

/** Takes the marks out of a text. A mark on a line of its own is for the line after it. */
export function readLineMarks(text: string): MarkedText {
  const written = text.split(/\r\n|\n|\r/)
  const marked: MarkedText = { lines: [], numbers: [], marks: [] }
  const open: { mark: LineMark; left: number }[] = []
  for (const [at, line] of written.entries()) {
    const found = line.includes('[!code') ? mark.exec(line) : null
    const rest = found ? withoutMark(line, found) : line
    if (found) open.push({ mark: names[found[1]!]!, left: Number(found[2] ?? 1) })
    if (found && rest.trim() === '') continue
    marked.lines.push(rest)
    marked.numbers.push(at + 1)
    marked.marks.push(new Set(open.filter(({ left }) => left > 0).map((one) => one.mark)))
    for (const one of open) one.left--
  }
  return marked
}

function withoutMark(line: string, found: RegExpExecArray): string {
  const before = line.slice(0, found.index)
  const after = line.slice(found.index + found[0].length)
  const comment = opening.exec(before.slice(-30))
  if (!comment) return (before + after).trimEnd()
  const kept = before.slice(0, before.length - comment[0].length).trimEnd()
  return (kept + after.replace(closing, '')).trimEnd()
}
