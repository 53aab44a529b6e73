import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TreeFile } from '#infra/git/repository.ts'

const folder = join(import.meta.dirname, 'starter')

/** Characters that JSON takes as they are, and YAML does not, or takes for the end of a line. */
const notInYaml = /[\p{Cc}\u2028\u2029\ufeff\ufffe\uffff]/gu

/** The files a new project begins with, in the docs folder, with the project's name filled in. */
export async function starterFiles({ name, docsPath }: { name: string; docsPath: string }): Promise<TreeFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return await Promise.all(
    paths.sort().map(async (path) => {
      const relative = path.slice(folder.length + 1)
      // In docs.json and in frontmatter the name stands between double quotes, where JSON and YAML agree on what an
      // escape means; YAML wants more of them.
      const quoted = JSON.stringify(name).slice(1, -1).replace(notInYaml, escapeCharacter)
      const content = (await readFile(path, 'utf8')).replaceAll('{{project name}}', () => quoted)
      return { path: docsPath ? `${docsPath}/${relative}` : relative, content }
    }),
  )
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
