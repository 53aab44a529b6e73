import { blobId, createEditableTree, type EditableTree } from '#infra/files/editable-tree.ts'
import type { FileTree } from '#infra/files/file-tree.ts'

/** A tree of these files without changes on it yet. */
export function editableTree(files: Record<string, string | Buffer>): EditableTree {
  const contents = new Map(
    Object.entries(files)
      .map(([path, content]): [string, Buffer] => [path, Buffer.from(content)])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
  const entries = [...contents].map(([path, content]) => ({ path, size: content.length, id: blobId(content) }))
  return createEditableTree({
    entries: new Map(entries.map((entry) => [entry.path, entry])),
    read: async (path) => contents.get(path) ?? null,
    async [Symbol.asyncDispose]() {},
  })
}

/** What a tree holds now, as text. */
export async function textsOf(tree: FileTree): Promise<Record<string, string>> {
  const texts: Record<string, string> = {}
  for (const path of tree.entries.keys()) texts[path] = String(await tree.read(path))
  return texts
}

/** What was changed, as text; null for a deleted file. */
export function changesOf(tree: EditableTree): Record<string, string | null> {
  return Object.fromEntries(tree.changes().map(({ path, content }) => [path, content && String(content)]))
}
