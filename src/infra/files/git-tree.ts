import { isUtf8 } from 'node:buffer'
import { DocentError } from '#base/errors.ts'
import { objectMissing } from '../git/damage.ts'
import { isInnerPath } from '../git/name-rules.ts'
import { type ObjectReader, openObjectReader } from '../git/object-reader.ts'
import { attemptGit, runGit } from '../git/run-git.ts'
import { type FileTree, mostFileBytes, type TreeEntry } from './file-tree.ts'
import { tooLarge } from './folder-tree.ts'
import { createGitCache, type GitCache } from './git-cache.ts'

export interface GitTreeOptions {
  gitDir: string
  commit: string
  /** The folder that is the tree's root; empty: that of the repository. */
  root: string
  /** What is known already, and is added to. */
  cache?: GitCache
  signal?: AbortSignal | undefined
}

// The list of 50,000 files has about 5 MB.
const mostListBytes = 200_000_000

export interface GitTree extends FileTree {
  /** What the files are read with, as long as the tree is open. */
  readonly objects: ObjectReader
}

/**
 * The files of a commit, read as they are asked for. Throws `not_found` `git.folder_not_found` when the commit has no
 * such folder, and `unavailable` when git is stopped.
 */
export async function openGitTree(options: GitTreeOptions): Promise<GitTree> {
  const { gitDir, commit, root, cache = createGitCache(), signal } = options
  const key = `${gitDir} ${commit} ${root}`
  const entries = cache.lists.find(key) ?? (await listFiles({ gitDir, commit, root, signal }))
  cache.lists.keep(key, entries)
  const objects = openObjectReader({ gitDir, known: cache.objects, signal })

  return {
    entries,
    objects,
    async read(path) {
      const entry = entries.get(path)
      if (!entry) return null
      if (entry.size > mostFileBytes) throw tooLarge(path, entry.size)
      const object = await objects.read(entry.id)
      if (object?.type !== 'blob') throw await objectMissing(gitDir, `file ${path}`)
      return object.content
    },
    [Symbol.asyncDispose]: () => objects[Symbol.asyncDispose](),
  }
}

/** One ordinary file of a commit; null when there is none. Throws `too_large` above `mostBytes`. */
export async function readFileAt(
  gitDir: string,
  {
    commit,
    path,
    mostBytes = mostFileBytes,
    signal,
  }: { commit: string; path: string; mostBytes?: number; signal?: AbortSignal | undefined },
): Promise<Buffer | null> {
  if (path === '' || !isInnerPath(path)) return null
  const args = ['ls-tree', '-z', '-l', '--full-tree', treeOf(commit, ''), '--', path]
  const found = parseList(await runGit({ gitDir, args, signal })).find((entry) => entry.path === path)
  if (!found) return null
  if (Number.isNaN(found.size)) throw await objectMissing(gitDir, `file ${path}`)
  if (found.size > mostBytes) throw tooLarge(path, found.size)
  return await runGit({ gitDir, args: ['cat-file', 'blob', found.id], signal })
}

async function listFiles({ gitDir, commit, root, signal }: GitTreeOptions): Promise<Map<string, TreeEntry>> {
  const args = ['ls-tree', '-r', '-z', '-l', '--full-tree', treeOf(commit, root)]
  const { code, stdout, stderr, isCut } = await attemptGit({ gitDir, args, signal, mostBytes: mostListBytes })
  if (isCut) {
    const message = `The commit has more files than can be listed (${mostListBytes} bytes of names).`
    throw new DocentError('too_large', 'git.tree_too_large', message)
  }
  if (code === 0) {
    const entries = parseList(stdout).sort((a, b) => (a.path < b.path ? -1 : 1))
    const lost = entries.find(({ size }) => Number.isNaN(size))
    if (lost) throw await objectMissing(gitDir, `file ${lost.path}`)
    return new Map(entries.map((entry) => [entry.path, entry]))
  }
  // With another line before it, there is such a folder, and it cannot be read.
  if (/^fatal: (Not a valid object name|not a tree object)/.test(stderr)) {
    throw folderNotFound(commit, root)
  }
  throw await objectMissing(gitDir, `tree of the commit ${commit}: ${stderr.trim()}`)
}

function folderNotFound(commit: string, root: string): DocentError {
  const message =
    root === ''
      ? `There is no commit ${commit}.`
      : `There is no folder ${root} in the commit ${commit}. Push one, or set another as the project’s docsPath.`
  return new DocentError('not_found', 'git.folder_not_found', message)
}

function treeOf(commit: string, root: string): string {
  // Only an id: a name could be read as an option or as an expression.
  if (!/^[0-9a-f]{40}$/.test(commit) || !isInnerPath(root)) {
    throw folderNotFound(commit, root)
  }
  return `${commit}:${root}`
}

/** Ordinary files whose names stay inside, of what `ls-tree -z -l` printed: `<mode> <type> <id> <size>\t<path>`. */
function parseList(printed: Buffer): TreeEntry[] {
  const records = isUtf8(printed) ? printed.toString('utf8').split('\0') : decodeEach(printed)
  const entries: TreeEntry[] = []
  for (const record of records) {
    // Links (120000), submodules (160000) and folders are not in it.
    if (!record.startsWith('100')) continue
    const tab = record.indexOf('\t')
    const path = record.slice(tab + 1)
    // `BAD`, and so no number, for an object that is missing.
    const size = Number(record.slice(52, tab))
    if (isInnerPath(path) && path !== '') {
      entries.push({ path, size, id: record.slice(12, 52) })
    }
  }
  return entries
}

/** What is not UTF-8 is left out: no path that we could print or send would lead back to that file. */
function decodeEach(printed: Buffer): string[] {
  const records: string[] = []
  let start = 0
  for (let end = printed.indexOf(0); end >= 0; end = printed.indexOf(0, start)) {
    const record = printed.subarray(start, end)
    if (isUtf8(record)) records.push(record.toString('utf8'))
    start = end + 1
  }
  return records
}
