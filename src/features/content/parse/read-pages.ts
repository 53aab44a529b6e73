import { DocentError } from '#base/errors.ts'
import type { FileTree } from '#infra/files/file-tree.ts'
import { pageExtension } from '../site/page-extension.ts'
import type { PageCache } from './page-cache.ts'
import { type ParsedPage, unreadablePage } from './parse-page.ts'

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
// Links, headings and imports of all pages together: about 500 MB in memory. 20,000 ordinary pages have half a million.
const mostParts = 4_000_000

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
  // A repository may have one file under ten thousand names.
  const namesOf = Map.groupBy(
    paths.filter((path) => !pages.has(path)),
    keyOf,
  )
  const missing = [...namesOf.values()].map(([first]) => first!)
  const losses = { count: 0 }
  let parts = 0
  // While one part is parsed, the next is read.
  let reading = readTexts(missing.slice(0, readAtOnce))
  for (let from = 0; from < missing.length; from += readAtOnce) {
    const texts = await reading
    signal?.throwIfAborted()
    reading = readTexts(missing.slice(from + readAtOnce, from + 2 * readAtOnce))
    // An error is thrown when its turn comes; until then it must not count as unhandled.
    reading.catch(() => {})
    const parsed = await cache.parser.parse(texts, { signal, losses })
    for (const [index, { path }] of texts.entries()) {
      const page = parsed[index]!
      const names = namesOf.get(keyOf(path))!
      onPages?.(names.length)
      cache.set(keyOf(path), page)
      for (const name of names) pages.set(name, page)
      parts += page.links.length + page.anchors.size + page.imports.length
    }
    if (parts > mostParts) throw tooMany()
  }
  // In the order asked for, whatever was remembered.
  return new Map(paths.map((path) => [path, pages.get(path) ?? unreadablePage()]))

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

function tooMany(): DocentError {
  const message = `The docs have more than ${mostParts} links and headings, which is more than can be checked. Set the project’s docsPath to a part of them.`
  return new DocentError('too_large', 'content.too_many_links', message)
}
