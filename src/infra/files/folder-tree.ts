import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DocentError } from '#base/errors.ts'
import { isInnerPath } from '../git/name-rules.ts'
import { blobId } from './editable-tree.ts'
import { type FileTree, mostFileBytes, type TreeEntry } from './file-tree.ts'

// Never docs, and often larger than all else.
const skippedFolders = new Set(['.git', 'node_modules'])

/**
 * The files of a folder on this machine as they are now. Throws `not_found` when there is no such folder, and `invalid`
 * when something in it cannot be read.
 */
export async function openFolderTree(folder: string): Promise<FileTree> {
  const found = await stat(folder).catch(() => null)
  if (!found?.isDirectory()) {
    throw new DocentError('not_found', 'folder.not_found', `There is no folder ${folder}.`)
  }
  const entries: TreeEntry[] = []
  await collect(folder, '', entries)
  entries.sort((a, b) => (a.path < b.path ? -1 : 1))
  const byPath = new Map(entries.map((entry) => [entry.path, entry]))
  return {
    entries: byPath,
    async read(path) {
      // Asked of the list and not of the disk: a path with dots in it would lead outside.
      const entry = byPath.get(path)
      if (!entry) return null
      if (entry.size > mostFileBytes) throw tooLarge(path, entry.size)
      return await readFile(join(folder, path))
    },
    async [Symbol.asyncDispose]() {},
  }
}

async function collect(folder: string, inner: string, entries: TreeEntry[]): Promise<void> {
  const place = join(folder, inner)
  for (const one of await readdir(place, { withFileTypes: true }).catch(unreadable(place))) {
    const path = inner === '' ? one.name : `${inner}/${one.name}`
    if (one.isDirectory() && !skippedFolders.has(one.name)) await collect(folder, path, entries)
    if (!one.isFile() || !isInnerPath(path)) continue
    // Null when it was deleted just now, and for a name that is not UTF-8.
    const found = await stat(join(folder, path)).catch(() => null)
    if (!found) continue
    const { size } = found
    if (size > mostFileBytes) {
      entries.push({ path, size, id: `large ${path}` })
      continue
    }
    const whole = join(folder, path)
    const content = await readFile(whole).catch(unreadable(whole))
    entries.push({ path, size, id: blobId(content) })
  }
}

function unreadable(path: string) {
  return (cause: NodeJS.ErrnoException): never => {
    const message = `${path} cannot be read (${cause.code}). Name the folder that has the docs, or let this user read it.`
    throw new DocentError('invalid', 'folder.unreadable', message, { cause })
  }
}

export function tooLarge(path: string, size: number): DocentError {
  const message = `${path} has ${size} bytes; files above ${mostFileBytes} are not opened.`
  return new DocentError('too_large', 'file.too_large', message)
}
