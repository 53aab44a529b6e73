import { z } from 'zod'
import { counted } from '#base/counted.ts'
import { replaceText } from '#features/content/service.ts'
import { docsPathOf } from './paths.ts'
import { defineTool } from './tool.ts'

export const replace = defineTool({
  name: 'replace',
  description:
    'Replace an exact text, in its exact case, everywhere in all text files or in those of one folder. For renames: search first, in any case, to see every form (Title Case, lower-case, in-links, in code) and what must stay, such as changelog entries, URLs and code identifiers.',
  input: z.object({
    text: z.string().min(1),
    replacement: z.string(),
    within: z.string().optional().describe('A folder or a file. Leave it out for everything.'),
    except: z.array(z.string()).optional().describe('Folders and files to leave as they are, such as the changelog.'),
  }),
  writes: true,
  async run({ text, replacement, within = '', except = [] }, { run, memory }) {
    const before = run.tree.entries
    const path = docsPathOf(run.tree, within)
    const { files, count, refused } = await replaceText(run.tree, {
      search: text,
      replacement: replacement.toWellFormed(),
      within: path === '' ? null : path,
      except: except.map((one) => docsPathOf(run.tree, one)).filter((one) => one !== ''),
      signal: run.signal,
    })
    if (!/\n/.test(text + replacement)) {
      for (const file of files) {
        memory.carry({ from: file.path, to: file.path }, { before, after: run.tree.entries })
      }
    }
    const closed = refused.length === 0 ? '' : `\nClosed, so left as they are: ${refused.slice(0, 30).join(', ')}.`
    if (count === 0)
      return {
        text: `Nothing to replace: no file has exactly this text.${closed}`,
        progress: 'Found nothing to replace',
      }
    const lines = files.slice(0, 100).map((file) => `${file.path}: ${file.count}`)
    const more = files.length > 100 ? `\n… and ${files.length - 100} more files` : ''
    const done = `Replaced ${counted(count, 'place')} in ${counted(files.length, 'file')}`
    return { text: `${done}:\n${lines.join('\n')}${more}${closed}`, progress: done }
  },
})
