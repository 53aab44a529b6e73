import { z } from 'zod'
import { DocentError } from '#base/errors.ts'
import { wholeFile } from './file-memory.ts'
import { existingPath } from './paths.ts'
import { asData, linesOf, numbered, readText } from './text-file.ts'
import { defineTool } from './tool.ts'

const mostLines = 2000
const mostBytes = 50_000

export const read = defineTool({
  name: 'read',
  description:
    'Read a file, with line numbers (the number and the tab are not part of the file). At most 2,000 lines or 50 kB at a time: give a range for more. Read a file before you edit it.',
  input: z.object({
    path: z.string(),
    from: z.coerce.number().int().min(1).optional().describe('First line, from 1.'),
    to: z.coerce.number().int().min(1).optional().describe('Last line, included.'),
  }),
  writes: false,
  async run({ path: written, from = 1, to }, { run, memory }) {
    const path = existingPath(run.tree, written)
    const lines = linesOf(await readText(run.tree, path))
    const { id } = run.tree.entries.get(path)!
    if (lines.length === 0) {
      memory.note(path, id, wholeFile)
      return { text: `${path} is empty.`, progress: `Read ${path}` }
    }
    if (to !== undefined && to < from) {
      throw new DocentError('invalid', 'read.empty_range', `The last line, ${to}, comes before the first, ${from}.`)
    }
    if (from > lines.length) {
      const message = `${path} has ${lines.length} lines; line ${from} is beyond its end.`
      throw new DocentError('invalid', 'read.beyond_end', message)
    }
    const wanted = lines.slice(from - 1, Math.min(to ?? lines.length, from - 1 + mostLines))
    const shown = fitting(wanted)
    const last = from + shown.length - 1
    const isWhole = from === 1 && last === lines.length
    const isCut = shown.at(-1) !== wanted[shown.length - 1]
    memory.note(path, id, isWhole && !isCut ? wholeFile : [from, isCut ? last - 1 : last])
    const rest =
      last < lines.length && last < (to ?? lines.length)
        ? `\nThese are lines ${from} to ${last} of ${lines.length}. Read from ${last + 1} for more.`
        : ''
    const range = isWhole ? '' : ` (lines ${from} to ${last} of ${lines.length})`
    return { text: asData(path, numbered(shown, from)) + rest, progress: `Read ${path}${range}` }
  },
})

/** As many of the lines as fit. One that is too long by itself is cut, and says so. */
function fitting(lines: string[]): string[] {
  const kept: string[] = []
  let bytes = 0
  for (const line of lines) {
    bytes += Buffer.byteLength(line) + 8
    if (bytes > mostBytes && kept.length > 0) break
    if (bytes > mostBytes)
      return [`${line.slice(0, 10_000).toWellFormed()}… [cut: the line has ${line.length} characters]`]
    kept.push(line)
  }
  return kept
}
