import { closest } from '#base/closest.ts'
import { DocentError } from '#base/errors.ts'
import type { FileTree } from '#infra/files/file-tree.ts'
import type { WorkingTree } from '../agent-run.ts'

/**
 * A path that a model wrote, as the tree spells it: `./guides//setup.mdx` is `guides/setup.mdx`. Throws `invalid` on
 * whatever leads outside or into git's own folder, so that no such path reaches the tree. Empty is the root.
 */
export function parsePath(written: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not pass
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(written)) throw refused(written, 'has control characters')
  if (written.includes('\\')) throw refused(written, 'has a backslash; folders are divided by /')
  if (written.length > 1000) throw refused(written, 'is too long')
  if (!written.isWellFormed()) throw refused(written, 'is not well-formed Unicode')
  // A page's address begins with a slash, and models write it so; it means the root of the docs and no other.
  const parts = written
    .trim()
    .replace(/^\/(?!\/)/, '')
    .split('/')
  if (parts.some((part) => part === '..')) throw refused(written, 'leads outside of the docs folder')
  if (written.startsWith('//') || /^[a-z]:/i.test(written)) throw refused(written, 'is absolute')
  if (parts.some(isGits)) throw refused(written, 'is git’s own')
  return parts.filter((part) => part !== '' && part !== '.').join('/')
}

// Names that some file system takes for `.git`: in any case, with dots and spaces after it, the short name of Windows,
// and with the characters that macOS skips.
function isGits(part: string): boolean {
  const plain = part.replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '').replace(/[. ]+$/, '')
  return /^(\.git|git~\d+)$/i.test(plain.split(':', 1)[0]!)
}

function refused(written: string, why: string): DocentError {
  const shown = JSON.stringify(written.slice(0, 200).toWellFormed())
  return new DocentError('invalid', 'path.refused', `The path ${shown} ${why}. Give one inside of the docs folder.`)
}

/** A path inside of the docs folder. One from the repository's root, as people name it in a task, means the same file. */
export function docsPathOf(tree: Pick<WorkingTree, 'docsPath' | 'entries'>, written: string): string {
  const path = parsePath(written)
  if (tree.docsPath === '' || !`${path}/`.startsWith(`${tree.docsPath}/`)) return path
  const isInside = tree.entries.keys().some((one) => one.startsWith(`${tree.docsPath}/`))
  return isInside ? path : path.slice(tree.docsPath.length + 1)
}

/** The path of a file that is there. Throws `not_found` with the likeliest one that was meant. */
export function existingPath(tree: WorkingTree, written: string): string {
  const path = docsPathOf(tree, written)
  if (tree.entries.has(path)) return path
  // As links and search results write it, with an anchor or a line; and with the other ending, or without one.
  const bare = path.replace(/(?:#.*|:\d+(?:-\d+)?)$/, '')
  const withoutEnding = bare.replace(/\.mdx?$/, '')
  const variants = [bare, ...['.mdx', '.md', '/index.mdx', '/index.md'].map((ending) => withoutEnding + ending)]
  const found = variants.find((one) => tree.entries.has(one))
  if (found !== undefined) return found
  const meant = likely(tree, path)
  const help = meant === null ? 'Use list or search to find it.' : `Did you mean ${meant}?`
  throw new DocentError('not_found', 'path.not_found', `There is no file ${path || '(empty path)'}. ${help}`)
}

function likely(tree: FileTree, path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.mdx?$/, '')
  const sameName = [...tree.entries.keys()].filter(
    (one) =>
      one
        .replace(/\.mdx?$/, '')
        .split('/')
        .at(-1) === name,
  )
  if (name !== '' && sameName.length > 0) return sameName.slice(0, 3).join(' or ')
  // Comparing is slow by nature: beyond this many files only those beside it.
  const all = [...tree.entries.keys()]
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  return closest(path, all.length <= 5000 ? all : all.filter((one) => one.startsWith(folder)).slice(0, 5000))
}

/** Throws `forbidden` when this path is closed to agents. */
export function demandWritable(tree: { refusal(path: string): string | null }, path: string): void {
  const why = path === '' ? 'The path is empty.' : tree.refusal(path)
  if (why !== null) throw new DocentError('forbidden', 'path.closed', `${path} cannot be changed: ${why}`)
}
