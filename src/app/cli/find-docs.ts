import { stat } from 'node:fs/promises'
import { join } from 'node:path'

const configNames = ['docs.json', 'mint.json']
/** Where repositories of code keep their docs. */
export const usualDocsFolders = ['docs', 'doc', 'documentation', 'website', 'site', 'apps/docs', 'packages/docs']

/** The folder itself, or the one inside of it that has a docs.json. */
export async function findDocs(folder: string): Promise<string> {
  for (const inner of ['', ...usualDocsFolders]) {
    for (const name of configNames) {
      const found = await stat(join(folder, inner, name)).catch(() => null)
      if (found?.isFile()) return join(folder, inner)
    }
  }
  return folder
}
