import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DocentError } from '#base/errors.ts'

const configNames = ['docs.json', 'mint.json']
/** Where repositories of code keep their docs. */
const usualDocsFolders = ['docs', 'doc', 'documentation', 'website', 'site', 'apps/docs', 'packages/docs']

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

export function noDocs(folder: string): DocentError {
  const places = usualDocsFolders.slice(0, 3).join(', ')
  const message = `There are no docs in ${folder}: no docs.json or mint.json there or in ${places} …, and no pages. Name the folder that has them.`
  return new DocentError('not_found', 'check.no_docs', message)
}
