import { z } from 'zod'
import { counted } from '#base/counted.ts'
import { DocentError } from '#base/errors.ts'
import { readAhead } from '#infra/files/read-ahead.ts'
import { createLineFinder } from './line-finder.ts'
import { docsPathOf } from './paths.ts'
import { asResults, isText, linesOf } from './text-file.ts'
import { defineTool } from './tool.ts'

const mostHits = 100
const mostShownLine = 500
/** Above this a file is data, such as a bundled script or a search index. */
const mostBytes = 1_000_000
const notText = /\.(png|jpe?g|gif|webp|avif|ico|svgz|pdf|zip|gz|mp4|mov|webm|mp3|woff2?|ttf|otf|eot)$/i

export const search = defineTool({
  name: 'search',
  description:
    'Find lines in all files, with their numbers: the text itself, in any case, unless you set regex or caseSensitive. At most 100 hits are shown, the rest are counted by file. Use it to find every place that a change must reach.',
  input: z.object({
    text: z.string().min(1).max(1000).describe('What to find, within one line.'),
    regex: z.boolean().optional().describe('The text is a JavaScript regular expression.'),
    caseSensitive: z.boolean().optional(),
    folder: z.string().optional().describe('Only files below this folder, or only this file.'),
  }),
  writes: false,
  async run({ text, regex = false, caseSensitive = false, folder = '' }, { run, memory }) {
    const within = docsPathOf(run.tree, folder)
    const choice = regex ? null : choiceOf(text)
    const isRegex = regex || choice !== null
    const find = createLineFinder({ text: choice ?? text, isRegex, caseSensitive })
    const shown: string[] = []
    const uncounted = new Map<string, number>()
    let [hits, files] = [0, 0]
    const isWithin = (path: string) => {
      return within === '' || path.startsWith(`${within}/`) || path.replace(/\.mdx?$/, '') === within || path === within
    }
    const inside = [...run.tree.entries.values()].filter(({ path }) => isWithin(path))
    if (inside.length === 0 && within !== '') {
      const message = `There is no folder or file ${within}. Leave it out to search everything.`
      throw new DocentError('not_found', 'path.not_found', message)
    }
    const wanted = inside.filter(({ path, size }) => size <= mostBytes && !notText.test(path))
    const paths = wanted.map(({ path }) => path)
    for await (const [path, bytes] of readAhead(run.tree, paths)) {
      run.signal.throwIfAborted()
      if (!isText(bytes)) continue
      const lines = linesOf(bytes.toString('utf8'))
      const found = find(lines)
      if (found.length === 0) continue
      files++
      hits += found.length
      const fitting = found.slice(0, Math.max(0, mostHits - shown.length))
      for (const index of fitting) {
        const line = lines[index]!
        shown.push(`${path}:${index + 1}\t${excerpt(line, isRegex ? '' : text)}`)
        // A line that was shown whole is as good as read.
        if (line.length <= mostShownLine) memory.note(path, run.tree.entries.get(path)!.id, [index + 1, index + 1])
      }
      if (fitting.length < found.length) uncounted.set(path, found.length - fitting.length)
    }
    const progress = `Searched: ${counted(hits, 'hit')} in ${counted(files, 'file')}`
    if (hits === 0) {
      const isPattern = !isRegex && /[|*+?^$\\[\](){}]/.test(text)
      const hint = isPattern ? 'Set regex if that is meant as a pattern.' : 'Try fewer or other words.'
      return { text: `Nothing found. ${hint}`, progress }
    }
    const rest = [...uncounted].slice(0, 100).map(([path, count]) => `${path}: ${count} more`)
    const more = uncounted.size === 0 ? '' : `\nNot shown:\n${rest.join('\n')}${uncounted.size > 100 ? '\n…' : ''}`
    return {
      text: `${counted(hits, 'hit')} in ${counted(files, 'file')}:\n${asResults(shown.join('\n'))}${more}`,
      progress,
    }
  },
})

/** Words with bars between them are meant as a choice, which also finds them with the bars. Null for all else. */
function choiceOf(text: string): string | null {
  if (!/^[\w\s./-]+(\|[\w\s./-]+)+$/.test(text)) return null
  return text.replaceAll('.', '\\.')
}

/** A long line around what was found in it. */
function excerpt(line: string, text: string): string {
  if (line.length <= mostShownLine) return line
  const at = Math.max(0, line.toLowerCase().indexOf(text.toLowerCase()))
  const start = Math.max(0, Math.min(at - 100, line.length - mostShownLine))
  const end = start + mostShownLine
  return `${start > 0 ? '…' : ''}${line.slice(start, end).toWellFormed()}${end < line.length ? '…' : ''}`
}
