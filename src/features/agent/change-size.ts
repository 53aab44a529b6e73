import type { EditableTree } from '#infra/files/editable-tree.ts'
import { mostFileBytes } from '#infra/files/file-tree.ts'
import type { WorkingTree } from './agent-run.ts'

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

/**
 * What the patch of all changes has at most, in bytes: all lines of both sides, the marks before them, and what git
 * writes above each part of a file. Most changes are so small that nobody has to ask git for the patch itself.
 */
export async function largestPatch(tree: WorkingTree): Promise<number> {
  let bytes = 0
  for (const { path, content } of tree.changes()) {
    const { size } = tree.base.entries.get(path) ?? { size: 0 }
    if (size > mostFileBytes) return Number.POSITIVE_INFINITY
    const before = await tree.base.read(path)
    // Names stand in four lines, and a byte of them takes up to four.
    bytes += 16 * Buffer.byteLength(`${tree.docsPath}/${path}`) + headBytes
    for (const side of [before, content]) if (side) bytes += side.length + linesOf(side) * lineBytes
  }
  return bytes
}

// `index …`, `new file mode …` and the like, and two notes that the last line has no end.
const headBytes = 400
// The mark, and a part of the line `@@ … @@ …` (at most 130 bytes), which stands above seven lines or a whole file.
const lineBytes = 20

function linesOf(content: Buffer): number {
  let lines = 1
  for (let at = content.indexOf(10); at !== -1; at = content.indexOf(10, at + 1)) lines++
  return lines
}

function differingLines(before: Buffer, after: Buffer): number {
  const counts = new Map<string, number>()
  for (const line of before.toString('latin1').split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1)
  for (const line of after.toString('latin1').split('\n')) counts.set(line, (counts.get(line) ?? 0) - 1)
  let bytes = 0
  for (const [line, count] of counts) bytes += Math.abs(count) * (line.length + 1)
  return bytes
}
