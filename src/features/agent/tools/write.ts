import { z } from 'zod'
import { counted } from '#base/counted.ts'
import { DocentError } from '#base/errors.ts'
import { blobId } from '#infra/files/editable-tree.ts'
import type { WorkingTree } from '../agent-run.ts'
import { hasSeen, wholeFile } from './file-memory.ts'
import { demandWritable, docsPathOf } from './paths.ts'
import { linesOf, readText, showWhole } from './text-file.ts'
import { defineTool } from './tool.ts'

export const write = defineTool({
  name: 'write',
  description:
    'Create a file, or replace a whole one that you have read. For changes inside of a file use edit. A new page also needs a place in the navigation.',
  input: z.object({
    path: z.string().describe('Such as guides/setup.mdx.'),
    content: z.string().describe('The whole content.'),
  }),
  writes: true,
  async run({ path: written, content }, { run, memory }) {
    const named = docsPathOf(run.tree, written)
    let text = withoutFence(content.toWellFormed(), named)
    const path = fileFor(run.tree, named, text)
    demandWritable(run.tree, path)
    demandNoClash(run.tree.entries, path)
    const before = run.tree.entries.get(path)
    if (before) {
      const old = await readText(run.tree, path)
      const seen = memory.find(path)
      if (seen?.id !== before.id || !hasSeen(seen, [1, Math.max(1, linesOf(old).length)])) {
        const shown = showWhole(path, old)
        if (shown !== null) memory.note(path, before.id, wholeFile)
        const next =
          shown === null ? 'Read it first, or use edit for a part.' : `Here it is; edit what must change:\n${shown}`
        const message = `${path} exists and you have not read all of it as it is now. ${next}`
        throw new DocentError('conflict', 'write.unread', message)
      }
      text = keepManners(text, old)
    } else text = withLastLineEnd(text)
    const bytes = Buffer.from(text)
    run.tree.write(path, bytes)
    memory.note(path, blobId(bytes), wholeFile)
    const done = before ? 'Rewrote' : 'Created'
    return { text: `${done} ${path} (${counted(linesOf(text).length, 'line')}).`, progress: `${done} ${path}` }
  },
})

/** A page that is named by its address gets the ending that pages have here. */
function fileFor({ entries }: WorkingTree, path: string, content: string): string {
  const isNamed = entries.has(path) || /\.\w+$/.test(path) || path === ''
  if (isNamed || !/^---\r?\n/.test(content)) return path
  const existing = ['.mdx', '.md'].find((ending) => entries.has(path + ending))
  const pages = [...entries.keys()].filter((one) => /\.mdx?$/.test(one))
  return path + (existing ?? (pages.every((one) => one.endsWith('.md')) && pages.length > 0 ? '.md' : '.mdx'))
}

/** Some models put a page into a fence, as they would show it to a person. */
function withoutFence(content: string, path: string): string {
  const [, inner] = /^\s*```(?:mdx?|markdown)[ \t]*\r?\n([\s\S]*\n)```\s*$/.exec(content) ?? []
  return inner !== undefined && !/\.(?!mdx?$)\w+$/.test(path) ? inner : content
}

function withLastLineEnd(content: string): string {
  return content === '' || content.endsWith('\n') ? content : `${content}\n`
}

/** A whole file from a model comes with plain line ends: it gets those of the file that it replaces, and its mark. */
function keepManners(text: string, old: string): string {
  const hasMark = old.startsWith('\ufeff')
  const bare = text.replace(/^\ufeff/, '')
  const plain = old.endsWith('\n') ? withLastLineEnd(bare) : bare
  const isWindows = /\r\n/.test(old) && !/(?<!\r)\n/.test(old)
  const ended = isWindows ? plain.replace(/\r\n|\n/g, '\r\n') : plain
  return hasMark ? `\ufeff${ended}` : ended
}

/** A name cannot be a file and a folder; git would refuse the tree. */
export function demandNoClash(entries: ReadonlyMap<string, unknown>, path: string): void {
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
    const parent = path.slice(0, slash)
    if (entries.has(parent)) throw new DocentError('conflict', 'write.clash', `${parent} is a file, so no folder.`)
  }
  for (const other of entries.keys()) {
    if (other.startsWith(`${path}/`)) throw new DocentError('conflict', 'write.clash', `${path} is a folder.`)
  }
}
