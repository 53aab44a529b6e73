import type { FileTree } from '#infra/files/file-tree.ts'
import type { PageCache } from './page-cache.ts'
import { type ParsedPage, unreadablePage } from './parse-page.ts'
import { pageExtension } from './site-map.ts'

export interface ReadPagesInput {
  paths: readonly string[]
  cache: PageCache
  signal?: AbortSignal | undefined
  onPages?: ((count: number) => void) | undefined
}

// As many files are in memory at once; enough to keep both the reader and the parsers busy.
const readAtOnce = 200
// The largest pages of real sites have 700 kB.
const mostPageBytes = 2_000_000

/** Parses pages and snippets, those that are not remembered. Paths that are no Markdown or not there are left out. */
export async function readPages(tree: FileTree, input: ReadPagesInput): Promise<Map<string, ParsedPage>> {
  const { cache, signal, onPages } = input
  const paths = input.paths.filter((path) => pageExtension.test(path) && tree.entries.has(path))
  const pages = new Map<string, ParsedPage>()
  for (const path of paths) {
    const known = cache.get(keyOf(path))
    if (known) pages.set(path, known)
  }
  if (pages.size > 0) onPages?.(pages.size)
  const missing = paths.filter((path) => !pages.has(path))
  // While one part is parsed, the next is read.
  let reading = readTexts(missing.slice(0, readAtOnce))
  for (let from = 0; from < missing.length; from += readAtOnce) {
    const texts = await reading
    signal?.throwIfAborted()
    reading = readTexts(missing.slice(from + readAtOnce, from + 2 * readAtOnce))
    // An error is thrown when its turn comes; until then it must not count as unhandled.
    reading.catch(() => {})
    const parsed = await cache.parser.parse(texts, { signal })
    for (const [index, { path }] of texts.entries()) {
      cache.set(keyOf(path), parsed[index]!)
      pages.set(path, parsed[index]!)
    }
    onPages?.(texts.length)
  }
  // In the order asked for, whatever was remembered.
  return new Map(paths.map((path) => [path, pages.get(path) ?? unreadablePage('')]))

  function keyOf(path: string): string {
    return `${tree.entries.get(path)!.id} ${path.toLowerCase().endsWith('.md') ? 'md' : 'mdx'}`
  }

  async function readTexts(part: string[]): Promise<{ path: string; source: string }[]> {
    const texts = await Promise.all(part.map(async (path) => ({ path, source: await readText(tree, path) })))
    return texts.flatMap(({ path, source }) => (source === null ? [] : [{ path, source }]))
  }
}

/** Null when it is larger than any page. */
async function readText(tree: FileTree, path: string): Promise<string | null> {
  const { size } = tree.entries.get(path)!
  if (size > mostPageBytes) return null
  return (await tree.read(path))?.toString('utf8') ?? null
}
