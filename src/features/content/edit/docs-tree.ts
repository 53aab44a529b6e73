import { closest } from '#base/closest.ts'
import { DocentError } from '#base/errors.ts'
import { createEditableTree, type EditableTree } from '#infra/files/editable-tree.ts'
import { mostFileBytes } from '#infra/files/file-tree.ts'

/** The docs folder that an operation changes. Some paths may be closed to whoever asked for it. */
export interface DocsTree extends EditableTree {
  /** Why this path must not be written, as a sentence; null or absent when it may. */
  refusal?(path: string): string | null
}

/** Runs an edit of several files on top of the tree and takes it over when it is done: an error leaves nothing behind. */
export async function allOrNothing<Result>(
  tree: DocsTree,
  edit: (staged: DocsTree) => Promise<Result>,
): Promise<Result> {
  const staged = createEditableTree(tree)
  const result = await edit(Object.assign(staged, { refusal: (path: string) => tree.refusal?.(path) ?? null }))
  for (const { path, content } of staged.changes()) {
    if (content === null) tree.delete(path)
    else tree.write(path, content)
  }
  return result
}

/** Pages in the order in which one is preferred where two have one route. */
const pageExtensions = ['.mdx', '.md'] as const

export function isPage(path: string): boolean {
  return /\.mdx?$/i.test(path)
}

/** Strict, so that a file which is not UTF-8 is left alone instead of losing bytes. Keeps a byte order mark. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of a file whose every byte survives being written again; null when there is none, or it is no such text. */
export async function findText(tree: DocsTree, path: string): Promise<string | null> {
  const entry = tree.entries.get(path)
  if (!entry || entry.size > mostFileBytes) return null
  const content = await tree.read(path)
  return content && decodeText(content)
}

/** Null for bytes that are no UTF-8. */
function decodeText(content: Buffer): string | null {
  try {
    return utf8.decode(content)
  } catch {
    return null
  }
}

export async function getText(tree: DocsTree, path: string): Promise<string> {
  const text = await findText(tree, path)
  if (text !== null) return text
  if (!tree.entries.has(path)) throw noSuchFile(tree, path)
  const message = `${path} cannot be edited as text: it is not UTF-8 or larger than ${mostFileBytes} bytes.`
  throw new DocentError('invalid', 'edit.not_text', message)
}

/** Throws `forbidden` when a path is closed. */
export function requireOpen(tree: DocsTree, path: string): void {
  const refusal = tree.refusal?.(path) ?? null
  if (refusal !== null) throw new DocentError('forbidden', 'edit.path_refused', refusal)
}

export function isOpen(tree: DocsTree, path: string): boolean {
  return (tree.refusal?.(path) ?? null) === null
}

/** A path as people write it, without the parts that say nothing: `/guides//setup/` is `guides/setup`. */
export function tidyPath(given: string): string {
  const parts: string[] = []
  for (const part of given.trim().split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

/** The page that a path means, with or without its extension, as a file or as an address of the site. */
export function findPage(tree: DocsTree, given: string): string | null {
  const path = tidyPath(given.replace(/[?#].*$/, ''))
  if (isPage(path) && tree.entries.has(path)) return path
  const inFolder = path === '' ? 'index' : `${path}/index`
  for (const name of path === '' ? [inFolder] : [path, inFolder]) {
    for (const extension of pageExtensions) {
      if (tree.entries.has(name + extension)) return name + extension
    }
  }
  return null
}

export function getPage(tree: DocsTree, given: string): string {
  const page = findPage(tree, given)
  if (page === null) throw noSuchFile(tree, tidyPath(given), 'page')
  return page
}

/** Every file under a folder, in order; empty when there is no such folder. */
export function filesUnder(tree: DocsTree, folder: string): string[] {
  if (folder === '') return [...tree.entries.keys()]
  return [...tree.entries.keys()].filter((path) => path.startsWith(`${folder}/`))
}

export function noSuchFile(tree: DocsTree, path: string, noun: 'page' | 'file' = 'file'): DocentError {
  const candidates = [...tree.entries.keys()].filter((one) => noun === 'file' || isPage(one))
  const likely = likelyPath(path, candidates)
  const hint = likely ? ` Did you mean ${likely}?` : ''
  return new DocentError('not_found', `edit.no_such_${noun}`, `There is no ${noun} ${path}.${hint}`)
}

/** The path that was most likely meant: the same file name elsewhere, or one that is written much the same. */
function likelyPath(path: string, candidates: readonly string[]): string | null {
  const name = baseName(path).toLowerCase()
  const sameName = candidates.filter((one) => baseName(one).toLowerCase() === name)
  if (sameName.length === 1) return sameName[0]!
  const byBare = new Map(candidates.map((one) => [withoutExtension(one), one]))
  const close = closest(withoutExtension(path), byBare.keys())
  return close === null ? null : byBare.get(close)!
}

function baseName(path: string): string {
  return withoutExtension(path.slice(path.lastIndexOf('/') + 1))
}

export function withoutExtension(path: string): string {
  return path.replace(/\.mdx?$/i, '')
}

export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash === -1 ? '' : path.slice(0, slash)
}
