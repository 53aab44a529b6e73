import { counted } from '#base/counted.ts'
import {
  addPage,
  type DocsTree,
  fixBrokenLinks,
  movePage,
  type PageCache,
  replaceText,
  setFrontmatter,
} from '#features/content/service.ts'
import { code, shorten } from './markdown-text.ts'
import type { Instruction } from './parse-instructions.ts'

/** What came of one instruction. Kept as a step, so it is plain JSON. */
export interface Done {
  /** False: everything was so already. */
  changed: boolean
  /** In the imperative, for the pull request: `Replace “A” with “B” in 3 files`. */
  title: string
  /** For the person who follows the job, in one line. */
  progress: string
  /** What changed, for the summary: a sentence, and points below it. Markdown. */
  sentence: string
  points: string[]
}

interface Options {
  cache: PageCache
  signal: AbortSignal
}

/** Changes the tree as one instruction says. Throws when it cannot be done, and then has changed nothing. */
export async function carryOut(tree: DocsTree, instruction: Instruction, options: Options): Promise<Done> {
  switch (instruction.kind) {
    case 'replace':
      return await replace(tree, instruction, options)
    case 'move':
      return await move(tree, instruction, options)
    case 'fix_links':
      return await fixLinks(tree, instruction, options)
    case 'add':
      return await add(tree, instruction)
    case 'set':
      return await set(tree, instruction)
  }
}

type Asked<Kind extends Instruction['kind']> = Extract<Instruction, { kind: Kind }>

async function replace(tree: DocsTree, asked: Asked<'replace'>, { signal }: Options): Promise<Done> {
  const { search, replacement, within } = asked
  const { files, count, refused } = await replaceText(tree, { search, replacement, within, signal })
  const place = within === null ? '' : ` in ${code(within)}`
  const closed = refused.map((path) => `${code(path)} has it too and was left as it is: it is closed to edits.`)
  const what = `“${shorten(search, 40)}” with “${shorten(replacement, 40)}”`
  if (count === 0) {
    const reason = search === replacement ? 'Both texts are the same' : `${code(search)} does not occur${place}`
    return nothing(`Replace ${what}`, `${reason}; nothing to replace.`, capped(closed))
  }
  const times = `${counted(count, 'occurrence')} in ${counted(files.length, 'file')}`
  return {
    changed: true,
    title: `Replace ${what} in ${files.length === 1 ? shorten(files[0]!.path, 60) : counted(files.length, 'file')}`,
    progress: `replaced ${times}`,
    sentence: `Replaced ${code(search)} with ${code(replacement)}${place}: ${times}.`,
    points: [...capped(files.map((file) => `${code(file.path)}: ${file.count}`)), ...capped(closed)],
  }
}

async function move(tree: DocsTree, { from, to }: Asked<'move'>, options: Options): Promise<Done> {
  const { moved, relinked, entries, redirects, refused } = await movePage(tree, { from, to, ...options })
  const links = relinked.reduce((sum, { count }) => sum + count, 0)
  const [only] = moved
  const what = moved.length === 1 ? `${only!.from} to ${only!.to}` : `${counted(moved.length, 'file')} to ${to}`
  return {
    changed: true,
    title: `Move ${shorten(what, 100)}`,
    progress: `moved ${counted(moved.length, 'file')}, rewrote ${counted(links, 'link')}`,
    sentence: `Moved ${counted(moved.length, moved.length === 1 ? 'page' : 'file')} and rewrote ${counted(links, 'link')}.`,
    points: [
      ...capped(moved.map((one) => `${code(one.from)} → ${code(one.to)}`)),
      ...capped(relinked.map(({ path, count }) => `${code(path)}: ${counted(count, 'link')}`)),
      ...(entries > 0 ? [`Navigation: ${counted(entries, 'place')}.`] : []),
      ...capped(redirects.map((one) => `Redirect: ${code(one.from)} → ${code(one.to)}`)),
      ...capped(refused.map((path) => `${code(path)} links to it and was left as it is: it is closed to edits.`)),
    ],
  }
}

async function fixLinks(tree: DocsTree, { within }: Asked<'fix_links'>, options: Options): Promise<Done> {
  const { fixed, left } = await fixBrokenLinks(tree, { within, ...options })
  const unsolved = capped(
    left.map(({ path, line, target, reason }) => `Left: ${code(target)} in ${code(path)}, line ${line}: ${reason}`),
  )
  if (fixed.length === 0) {
    const sentence =
      left.length === 0
        ? 'No broken links were found.'
        : `${counted(left.length, 'broken link')} found; none has one clear repair.`
    return nothing('Fix broken links', sentence, unsolved)
  }
  const rest = left.length === 0 ? '' : ` ${counted(left.length, 'more broken link')} left, without one clear repair.`
  return {
    changed: true,
    title: `Fix ${counted(fixed.length, 'broken link')}`,
    progress: `fixed ${counted(fixed.length, 'broken link')}, left ${left.length}`,
    sentence: `Fixed ${counted(fixed.length, 'broken link')}.${rest}`,
    points: [
      ...capped(fixed.map((one) => `${code(one.path)}, line ${one.line}: ${code(one.from)} → ${code(one.to)}`)),
      ...unsolved,
    ],
  }
}

async function add(tree: DocsTree, { path, title, text }: Asked<'add'>): Promise<Done> {
  const added = await addPage(tree, { path, title, text })
  return {
    changed: true,
    title: `Add page ${shorten(added.path, 80)}`,
    progress: `added ${shorten(added.path, 200)}`,
    sentence: `Added the page ${code(added.path)}, titled ${code(title)}.`,
    points: added.navigation === null ? [] : [added.navigation],
  }
}

async function set(tree: DocsTree, { key, value, path }: Asked<'set'>): Promise<Done> {
  const { path: page, changed } = await setFrontmatter(tree, { path, key, value })
  const title = `Set ${shorten(key, 30)} to “${shorten(String(value), 40)}” in ${shorten(page, 60)}`
  if (!changed) return nothing(title, `${code(key)} of ${code(page)} is ${code(String(value))} already.`)
  const sentence = `Set ${code(key)} to ${code(String(value))} in the frontmatter of ${code(page)}.`
  return { changed: true, title, progress: `set ${shorten(key, 100)} in ${shorten(page, 200)}`, sentence, points: [] }
}

/** A list that nobody reads to its end. */
export function capped(points: string[]): string[] {
  const most = 50
  return points.length > most ? [...points.slice(0, most), `and ${points.length - most} more`] : points
}

function nothing(title: string, sentence: string, points: string[] = []): Done {
  return { changed: false, title, progress: 'nothing to change', sentence, points }
}
