import type { EditableTree } from '#infra/files/editable-tree.ts'

/**
 * About how large the patch of all changes would be: the bytes of lines that only one side has. `sizes` keeps what was
 * worked out for a content, as most files stay as they are from one call to the next.
 */
export async function measureChanges(
  tree: EditableTree,
  sizes: Map<string, number>,
): Promise<{ files: number; bytes: number }> {
  const changes = tree.changes()
  let bytes = 0
  for (const { path, content } of changes) {
    const key = `${path}\n${content === null ? 'deleted' : tree.entries.get(path)!.id}`
    let size = sizes.get(key)
    if (size === undefined) {
      size = difference(await tree.base.read(path).catch(() => null), content)
      sizes.set(key, size)
    }
    bytes += size
  }
  return { files: changes.length, bytes }
}

function difference(before: Buffer | null, after: Buffer | null): number {
  if (before === null || after === null) return (before ?? after)?.length ?? 0
  const counts = new Map<string, number>()
  for (const line of before.toString('latin1').split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1)
  for (const line of after.toString('latin1').split('\n')) counts.set(line, (counts.get(line) ?? 0) - 1)
  let bytes = 0
  for (const [line, count] of counts) bytes += Math.abs(count) * (line.length + 1)
  return bytes
}
