import type { EditableTree } from '#infra/files/editable-tree.ts'

/**
 * About how many bytes a patch of the changes has: the lines that are in one version and not in the other. Where lines
 * stand is left out of it, which makes it quick and never more than the patch itself.
 */
export async function patchSize(tree: EditableTree): Promise<number> {
  let size = 0
  for (const { path, content } of tree.changes()) {
    const before = tree.base.entries.has(path) ? await tree.base.read(path) : null
    size += differingLines(before ?? Buffer.alloc(0), content ?? Buffer.alloc(0))
  }
  return size
}

function differingLines(before: Buffer, after: Buffer): number {
  const counts = new Map<string, number>()
  for (const line of before.toString('latin1').split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1)
  for (const line of after.toString('latin1').split('\n')) counts.set(line, (counts.get(line) ?? 0) - 1)
  let size = 0
  for (const [line, count] of counts) size += Math.abs(count) * (line.length + 1)
  return size
}
