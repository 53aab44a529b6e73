import type { FileTree } from '#infra/files/file-tree.ts'
import { folderOf, joinPath } from '../site/docs-config.ts'
import type { PageImport } from './parse-page.ts'

/** An import of a module, as it stands in a page's source: the names (1 or 2) and what it is imported from (4). */
export const importStatement =
  /^[ \t]*(?:import\s+(?:([^'";]{1,2000}?)\s*\bfrom\s*)?|export\s+(\{[^}'"]{0,2000}\}|\*)\s*from\s*)(["'])([^"'\n]+)\3/gm

const longestStatement = 2_000
const mostStatements = 5_000

/**
 * What a file imports, as written, without parsing it: what looks like an import and is none (in code that is shown) does
 * no harm. Each character is looked at a few times only, whatever the file holds.
 */
export function readImportSources(source: string): string[] {
  const found: string[] = []
  let statements = 0
  for (const start of source.matchAll(/^[ \t]{0,20}(import|export)\b/gm)) {
    if (++statements > mostStatements) break
    const from = start.index + start[0].length
    const text = source.slice(from, from + longestStatement)
    const at = text.search(/["';]/)
    const quote = text[at]
    if (quote !== '"' && quote !== "'") continue
    const before = text.slice(0, at).trimEnd()
    const isFrom = before.endsWith('from') || (before === '' && start[1] === 'import')
    const end = text.indexOf(quote, at + 1)
    if (isFrom && end > at + 1) found.push(text.slice(at + 1, end))
  }
  return found
}

// What an import may leave out.
const extensions = ['', '.mdx', '.md', '.jsx', '.tsx', '.js', '.ts', '.json', '/index.mdx', '/index.jsx', '/index.js']

type Written = Pick<PageImport, 'source' | 'via'>

/** Not `react` and the like, which whoever shows the page provides. */
export function isFileImport({ source }: Pick<PageImport, 'source'>): boolean {
  return /^(?:\.{0,2}\/)/.test(source) || /\.(?:mdx?|jsx?|tsx?|json|ya?ml|svg|png)$/i.test(source)
}

/** Where an import on `from` may lead, without extensions that are left out; never outside of the docs. */
export function importPlaces(from: string, { source, via }: Written): string[] {
  const here = joinPath(folderOf(from), source)
  const places = via === 'element' ? [joinPath('snippets', source), joinPath('_snippets', source), here] : [here]
  // Without a slash or a dot in front it counts from the root.
  if (!/^[./]/.test(source)) places.push(joinPath('', source))
  return places.filter((place) => place !== null)
}

/** The file that an import on `from` leads to, or null. */
export function findImport(tree: Pick<FileTree, 'entries'>, from: string, written: Written): string | null {
  for (const place of importPlaces(from, written)) {
    const found = extensions.find((extension) => tree.entries.has(place + extension))
    if (found !== undefined) return place + found
  }
  return null
}
