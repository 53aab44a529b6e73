import { z } from 'zod'
import { counted } from '#base/counted.ts'
import { DocentError } from '#base/errors.ts'
import { findPage, movePage } from '#features/content/service.ts'
import type { WorkingTree } from '../agent-run.ts'
import { demandWritable, docsPathOf, existingPath } from './paths.ts'
import { defineTool } from './tool.ts'
import { demandNoClash } from './write.ts'

export const move = defineTool({
  name: 'move',
  description:
    'Move or rename a page, a folder of pages, or another file. For pages, links to them, the navigation and redirects follow by themselves.',
  input: z.object({ from: z.string(), to: z.string().describe('The new path, with the file name.') }),
  writes: true,
  async run({ from: writtenFrom, to: writtenTo }, { run, pageCache, memory }) {
    const { tree } = run
    const from = docsPathOf(tree, writtenFrom)
    const to = docsPathOf(tree, writtenTo)
    const before = tree.entries
    const isFolder = !tree.entries.has(from) && [...tree.entries.keys()].some((path) => path.startsWith(`${from}/`))
    if (!isFolder && findPage(tree, from) === null) {
      const file = existingPath(tree, from)
      await moveFile(tree, file, to)
      const text = `Moved ${file} to ${to}. What refers to it was left as it is: search for ${file}.`
      return { text, progress: `Moved ${file} to ${to}` }
    }
    const { moved, relinked, entries, redirects, refused } = await movePage(tree, {
      from: from + slashOf(writtenFrom),
      to: to + slashOf(writtenTo),
      cache: pageCache,
      signal: run.signal,
    })
    for (const one of moved) memory.carry(one, { before, after: tree.entries })
    for (const { path } of relinked) memory.carry({ from: path, to: path }, { before, after: tree.entries })
    const parts = [`Moved ${listed(moved.map((one) => `${one.from} to ${one.to}`))}.`]
    if (relinked.length > 0) parts.push(`Links were rewritten in ${listed(relinked.map(({ path }) => path))}.`)
    if (entries > 0) parts.push(`${counted(entries, 'place')} of the navigation follow.`)
    if (redirects.length > 0)
      parts.push(`Redirects were added: ${listed(redirects.map((one) => `${one.from} → ${one.to}`))}.`)
    if (refused.length > 0) parts.push(`These link to it and are closed: ${listed(refused)}.`)
    const what =
      moved.length === 1 ? `${moved[0]!.from} to ${moved[0]!.to}` : `${counted(moved.length, 'page')} to ${to}`
    return { text: parts.join('\n'), progress: `Moved ${what}` }
  },
})

/** A slash at the end says that a folder is meant. */
function slashOf(written: string): string {
  return written.trim().endsWith('/') ? '/' : ''
}

async function moveFile(tree: WorkingTree, from: string, to: string): Promise<void> {
  demandWritable(tree, from)
  demandWritable(tree, to)
  if (tree.entries.has(to)) throw new DocentError('conflict', 'move.exists', `There is a file ${to} already.`)
  demandNoClash(tree.entries, to)
  tree.write(to, (await tree.read(from))!)
  tree.delete(from)
}

function listed(items: string[]): string {
  return items.length > 30 ? `${items.slice(0, 30).join(', ')} and ${items.length - 30} more` : items.join(', ')
}
