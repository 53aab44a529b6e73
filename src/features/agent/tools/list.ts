import { z } from 'zod'
import { counted } from '#base/counted.ts'
import { DocentError } from '#base/errors.ts'
import { docsPathOf } from './paths.ts'
import { defineTool } from './tool.ts'

const mostLines = 500

export const list = defineTool({
  name: 'list',
  description:
    'List the files of a folder, all levels down. Folders with very many files are shown as one line with a count; list them by themselves.',
  input: z.object({
    folder: z.string().optional().describe('Folder, such as guides. Leave it out for everything.'),
    pattern: z.string().optional().describe('Only paths that contain this text, such as .mdx or install.'),
  }),
  writes: false,
  async run({ folder = '', pattern }, { run }) {
    const within = docsPathOf(run.tree, folder)
    const prefix = within === '' ? '' : `${within}/`
    const wanted = pattern?.toLowerCase() ?? ''
    const paths = [...run.tree.entries.keys()].filter(
      (path) => path.startsWith(prefix) && path.toLowerCase().includes(wanted),
    )
    const inFolder = within === '' ? '' : ` in ${within}`
    if (paths.length === 0) {
      const hint = run.tree.entries.has(within)
        ? 'It is a file: use read.'
        : 'List the parent folder to see what there is.'
      throw new DocentError('not_found', 'path.not_found', `There are no such files${inFolder}. ${hint}`)
    }
    const shown = fold(paths, prefix)
    const more = shown.length > mostLines ? `\n… and ${shown.length - mostLines} more lines; list a folder.` : ''
    return {
      text: `${counted(paths.length, 'file')}${inFolder}:\n${shown.slice(0, mostLines).join('\n')}${more}`,
      progress: `Listed ${within === '' ? 'the files' : within}`,
    }
  },
})

/**
 * The paths, or where those are too many, folders with how many files they hold: opened from the smallest on for as long
 * as there is room.
 */
export function fold(paths: string[], prefix: string, most = mostLines): string[] {
  if (paths.length <= most) return paths
  const shown = divide(paths, prefix)
  const closed = [...shown.keys()].filter((key) => key.endsWith('/'))
  closed.sort((a, b) => shown.get(a)!.length - shown.get(b)!.length)
  for (let folder = closed.shift(); folder !== undefined; folder = closed.shift()) {
    const inner = divide(shown.get(folder)!, folder)
    if (shown.size - 1 + inner.size > most) continue
    shown.delete(folder)
    for (const [key, held] of inner) {
      shown.set(key, held)
      if (key.endsWith('/')) closed.push(key)
    }
  }
  const lines = [...shown].sort(([a], [b]) => (a < b ? -1 : 1))
  return lines.map(([key, held]) => (key.endsWith('/') ? `${key} (${counted(held.length, 'file')})` : key))
}

/** By the next part of the path: files by themselves, folders with what is in them. */
function divide(paths: string[], prefix: string): Map<string, string[]> {
  return Map.groupBy(paths, (path) => {
    const slash = path.indexOf('/', prefix.length)
    return slash === -1 ? path : path.slice(0, slash + 1)
  })
}
