import { DocentError } from '#base/errors.ts'
import { mostFileBytes } from '#infra/files/file-tree.ts'
import { readAhead } from '#infra/files/read-ahead.ts'
import { type DocsTree, filesUnder, findPage, isOpen, noSuchFile, requireOpen, tidyPath } from './docs-tree.ts'

export interface ReplaceTextInput {
  search: string
  replacement: string
  /** A file, a page with or without extension, or a folder; absent: everything. */
  within?: string | null
  /** Folders, files or pages that stay as they are. */
  except?: readonly string[]
  signal?: AbortSignal
}

export interface ReplacedText {
  files: { path: string; count: number }[]
  /** All of `files` together. */
  count: number
  /** Files that hold the text and are closed. */
  refused: string[]
}

/** What people write and read. Pictures that are text inside, such as SVG, are changed only when they are named. */
const textFiles =
  /\.(mdx?|markdown|txt|text|rst|adoc|json|jsonc|json5|ya?ml|toml|ini|xml|html?|css|scss|csv|tsv|jsx?|tsx?|mjs|cjs|graphql|gql|proto|vtt|srt)$/i

/**
 * Exact and case-sensitive, every occurrence. Files are compared as bytes, so what is around a hit stays as it is. In JSON
 * files quotes and the like in the new text are escaped.
 */
export async function replaceText(tree: DocsTree, input: ReplaceTextInput): Promise<ReplacedText> {
  const { search, replacement, within, except = [], signal } = input
  if (search === '') throw new DocentError('invalid', 'edit.empty_search', 'The text to replace is empty; name one.')
  const result: ReplacedText = { files: [], count: 0, refused: [] }
  const [from, plain] = [Buffer.from(search), Buffer.from(replacement)]
  // A search for JSON itself, with its quotes, is answered with JSON.
  const escaped = /["\\]/.test(search) ? plain : Buffer.from(JSON.stringify(replacement).slice(1, -1))
  const { entries } = tree
  const spared = except.flatMap((one) => namedBy(tree, one))
  const mayHold = filesWithin(tree, within ?? null).filter((path) => {
    const { size } = entries.get(path)!
    if (spared.some((one) => path === one || path.startsWith(`${one}/`))) return false
    return size <= mostFileBytes && size >= from.length
  })
  const changes: { path: string; after: Buffer }[] = []
  for await (const [path, before] of readAhead(tree, mayHold)) {
    signal?.throwIfAborted()
    if (before.indexOf(from) === -1 || isBinary(before)) continue
    if (!isOpen(tree, path)) {
      result.refused.push(path)
      continue
    }
    if (from.equals(plain)) continue
    const to = /\.json$/i.test(path) ? escaped : plain
    const { after, count } = replaceBytes(before, from, to)
    changes.push({ path, after })
    result.files.push({ path, count })
    result.count += count
  }
  for (const { path, after } of changes) tree.write(path, after)
  return result
}

/** A page and a folder of the same name are both meant. A name that nothing has would spare nothing, unnoticed. */
function namedBy(tree: DocsTree, given: string): string[] {
  const path = tidyPath(given)
  const named = [path, findPage(tree, path) ?? path]
  if (!named.some((one) => tree.entries.has(one)) && filesUnder(tree, path).length === 0) throw noSuchFile(tree, path)
  return named
}

function filesWithin(tree: DocsTree, within: string | null): string[] {
  if (within === null) return filesUnder(tree, '').filter((path) => textFiles.test(path))
  const path = tidyPath(within)
  const file = tree.entries.has(path) ? path : findPage(tree, path)
  const folder = filesUnder(tree, path).filter((one) => textFiles.test(one))
  // `guides` with both guides.mdx and a folder guides/: a name without extension and with pages below means the folder.
  if (file !== null && (file === path || folder.length === 0)) {
    requireOpen(tree, file)
    return [file]
  }
  if (folder.length > 0) return folder
  throw noSuchFile(tree, path)
}

function replaceBytes(before: Buffer, from: Buffer, to: Buffer): { after: Buffer; count: number } {
  const pieces: Buffer[] = []
  let position = 0
  let count = 0
  for (let at = before.indexOf(from); at !== -1; at = before.indexOf(from, position)) {
    pieces.push(before.subarray(position, at), to)
    position = at + from.length
    count++
  }
  pieces.push(before.subarray(position))
  return { after: Buffer.concat(pieces), count }
}

/** As git tells: a NUL near the beginning. */
function isBinary(content: Buffer): boolean {
  return content.subarray(0, 8000).includes(0)
}
