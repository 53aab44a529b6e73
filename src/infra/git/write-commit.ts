import { DocentError } from '#base/errors.ts'
import type { FileChange } from '../files/editable-tree.ts'
import { type CommitText, formatCommit } from './commit-object.ts'
import { objectMissing } from './damage.ts'
import { isWritablePath } from './name-rules.ts'
import { type ObjectReader, openObjectReader } from './object-reader.ts'
import { folderMode, formatTree, parseTree, type TreeItem } from './tree-object.ts'
import { type NewObject, objectId, writeObjects } from './write-objects.ts'

export interface NewCommit extends CommitText {
  /** Null: the first commit of all. */
  parent: string | null
  /** The folder that the paths are relative to; empty: the root of the repository. */
  root: string
  changes: FileChange[]
  /** Reads what is there already; left out: one of its own. */
  objects?: ObjectReader
  signal?: AbortSignal | undefined
}

/** What becomes of one name in a folder: of the file of that name, of what lies below it, or both. */
interface Edit {
  path: string
  /** Undefined: this name itself is not touched. */
  content: Buffer | null | undefined
  below: Map<string, Edit>
}

/**
 * Writes a commit, and what it consists of, and returns its id; no branch moves. The same input gives the same id, so it
 * may be repeated. Files keep their modes; all that is not in `changes` stays as it is. Deleting what is not there is no
 * fault. Throws `invalid` `git.path_refused` for a path that git does not take or that is a link or a submodule.
 *
 * Only the folders on the way to a change are read and written: two processes for any number of changes, nothing beside
 * the objects, nothing left by a kill. On 50,000 files this takes a tenth of what `read-tree`, `update-index` and
 * `write-tree` take, which read and write all of them.
 */
export async function writeCommit(gitDir: string, commit: NewCommit): Promise<string> {
  const { parent, root, changes, signal } = commit
  const edit = collectEdits(root, changes)
  const objects = new Map<string, NewObject>()
  await using own = commit.objects ? null : openObjectReader({ gitDir, signal })
  const reader = commit.objects ?? own!
  const before = parent === null ? null : await treeOf({ gitDir, reader }, parent)
  const tree = (await rewrite(before, edit, { gitDir, reader, objects })) ?? add(objects, emptyTree)
  const id = add(objects, formatCommit({ ...commit, tree, parents: parent === null ? [] : [parent] }))
  await writeObjects(gitDir, objects, signal)
  return id
}

const emptyTree: NewObject = { type: 'tree', content: Buffer.alloc(0) }

function collectEdits(root: string, changes: FileChange[]): Edit {
  const top: Edit = { path: '', content: undefined, below: new Map() }
  for (const { path: inner, content } of changes) {
    const path = root === '' ? inner : `${root}/${inner}`
    if (inner === '' || !isWritablePath(path)) throw refused(path)
    let edit = top
    for (const part of path.split('/')) {
      const name = Buffer.from(part).toString('latin1')
      const next = edit.below.get(name) ?? {
        path: edit.path === '' ? part : `${edit.path}/${part}`,
        content: undefined,
        below: new Map(),
      }
      edit.below.set(name, next)
      edit = next
    }
    edit.content = content
  }
  return top
}

interface Source {
  gitDir: string
  reader: ObjectReader
}

interface Rewriting extends Source {
  objects: Map<string, NewObject>
}

/** The id of the folder after the edit; null when nothing is left in it. */
async function rewrite(before: string | null, edit: Edit, rewriting: Rewriting): Promise<string | null> {
  const items = before === null ? [] : parseTree(await readObject(rewriting, before, 'tree'))
  const byName = new Map(items.map((item) => [item.name, item]))
  let isChanged = false
  for (const [name, below] of edit.below) {
    const item = byName.get(name) ?? null
    const next = await rewriteItem(name, item, below, rewriting)
    if (next?.id === item?.id && next?.mode === item?.mode) continue
    isChanged = true
    if (next === null) byName.delete(name)
    else byName.set(name, next)
  }
  if (byName.size === 0) return null
  return isChanged || before === null
    ? add(rewriting.objects, { type: 'tree', content: formatTree(byName.values()) })
    : before
}

async function rewriteItem(
  name: string,
  before: TreeItem | null,
  edit: Edit,
  rewriting: Rewriting,
): Promise<TreeItem | null> {
  let item = before
  if (item && item.mode !== folderMode && !isFile(item)) throw refused(edit.path, 'it is a link or a submodule')
  if (edit.content === null && item && isFile(item)) item = null
  if (edit.below.size > 0 && (item === null || item.mode === folderMode)) {
    const id = await rewrite(item?.id ?? null, edit, rewriting)
    item = id === null ? null : { mode: folderMode, name, id }
  } else if (edit.below.size > 0 && writesAny(edit.below)) {
    throw refused(edit.path, 'it is a file')
  }
  if (!edit.content) return item
  if (item?.mode === folderMode) throw refused(edit.path, 'it is a folder')
  const id = add(rewriting.objects, { type: 'blob', content: edit.content })
  return { mode: item?.mode ?? '100644', name, id }
}

function isFile({ mode }: TreeItem): boolean {
  return mode.startsWith('100')
}

function writesAny(below: Map<string, Edit>): boolean {
  return [...below.values()].some((edit) => Boolean(edit.content) || writesAny(edit.below))
}

async function treeOf(source: Source, commit: string): Promise<string> {
  const text = await readObject(source, commit, 'commit')
  return text.toString('latin1', 'tree '.length, 'tree '.length + 40)
}

async function readObject({ gitDir, reader }: Source, id: string, type: 'commit' | 'tree'): Promise<Buffer> {
  const object = await reader.read(id)
  if (object?.type === type) return object.content
  throw await objectMissing(gitDir, `${type} ${id}`)
}

function add(objects: Map<string, NewObject>, object: NewObject): string {
  const id = objectId(object)
  objects.set(id, object)
  return id
}

function refused(path: string, why?: string): DocentError {
  const message = why
    ? `No file can be written at ${JSON.stringify(path)}: ${why}.`
    : `git takes no file with the path ${JSON.stringify(path)}.`
  return new DocentError('invalid', 'git.path_refused', message)
}
