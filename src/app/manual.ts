import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { TreeFile } from '#infra/git/repository.ts'

/** Our own manual, which the demo project serves. */
export const manualFolder = join(import.meta.dirname, '..', '..', 'docs')

export async function manualFiles(): Promise<TreeFile[]> {
  const entries = await readdir(manualFolder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return await Promise.all(
    paths.sort().map(async (path) => ({ path: relative(manualFolder, path), content: await readFile(path, 'utf8') })),
  )
}
