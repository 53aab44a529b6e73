import type { EditableTree } from '#infra/files/editable-tree.ts'
import { mostFileBytes } from '#infra/files/file-tree.ts'

/**
 * About how large the patch of all changes would be: the bytes of lines that only one side has. Where lines stand is left
 * out of it, which makes it quick and never more than the patch itself. `sizes` keeps what was worked out for a content,
 * as most files stay as they are from one call to the next.
 */
export async function measureChanges(
  tree: EditableTree,
  sizes = new Map<string, number>(),
): Promise<{ files: number; bytes: number }> {
  const changes = tree.changes()
  let bytes = 0
  for (const { path, content } of changes) {
    const key = `${path}\n${content === null ? 'deleted' : tree.entries.get(path)!.id}`
    const size = sizes.get(key) ?? (await sizeOf(tree, { path, content }))
    sizes.set(key, size)
    bytes += size
  }
  return { files: changes.length, bytes }
}

async function sizeOf({ base }: EditableTree, change: { path: string; content: Buffer | null }): Promise<number> {
  const { path, content } = change
  const before = base.entries.get(path)?.size ?? 0
  // A file that is too large to be read can still be deleted or replaced.
  if (content === null || before === 0 || before > mostFileBytes) return before + (content?.length ?? 0)
  return differingLines((await base.read(path))!, content)
}

function differingLines(before: Buffer, after: Buffer): number {
  const counts = new Map<string, number>()
  for (const line of before.toString('latin1').split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1)
  for (const line of after.toString('latin1').split('\n')) counts.set(line, (counts.get(line) ?? 0) - 1)
  let bytes = 0
  for (const [line, count] of counts) bytes += Math.abs(count) * (line.length + 1)
  return bytes
}
