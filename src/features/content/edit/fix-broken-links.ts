import { createAnchorFinder, followImports, type ImportGraph } from '../check/check-imports.ts'
import { looseAnchor } from '../parse/heading-slug.ts'
import { createPageCache, type PageCache } from '../parse/page-cache.ts'
import type { PageLink } from '../parse/parse-page.ts'
import { readPages } from '../parse/read-pages.ts'
import { pageExtension } from '../site/page-extension.ts'
import { readSiteMap, type SiteMap } from '../site/site-map.ts'
import {
  allOrNothing,
  type DocsTree,
  filesUnder,
  findPage,
  findText,
  isOpen,
  noSuchFile,
  tidyPath,
} from './docs-tree.ts'
import { findNavigation, type Navigation } from './editable-navigation.ts'
import { createFileGuesser, type FileGuesser, guessAnchor } from './link-candidates.ts'
import { encodePath, splitTarget, writeTarget } from './link-style.ts'
import { applySplices, type Splice } from './splice.ts'

export interface FixBrokenLinksInput {
  /** A page or a folder; absent: everything, the navigation too. */
  within?: string | null
  signal?: AbortSignal | undefined
  cache?: PageCache
}

export interface FixedLinks {
  fixed: { path: string; line: number; from: string; to: string }[]
  left: { path: string; line: number; target: string; reason: string }[]
}

/**
 * Repairs each link, anchor and navigation entry that leads to nothing and can mean only one thing: a page that moved,
 * another case or ending, a typing error, a heading that was renamed. What could mean several things, or nothing, is
 * left and reported.
 */
export async function fixBrokenLinks(tree: DocsTree, input: FixBrokenLinksInput = {}): Promise<FixedLinks> {
  const { within = null, signal, cache = createPageCache() } = input
  const isMeant = scopeOf(tree, within)
  return await allOrNothing(tree, async (staged) => {
    const result: FixedLinks = { fixed: [], left: [] }
    const map = await readSiteMap(tree)
    const guessFile = createFileGuesser(tree.entries, map)
    const pages = await readPages(tree, { paths: map.pages, cache, signal })
    const imports = await followImports(tree, pages, (paths) => readPages(tree, { paths, cache, signal }))
    const repair = createLinkRepair({ map, imports, guessFile })
    const isPage = new Set(map.pages)
    for (const [path, { links }] of imports.files) {
      signal?.throwIfAborted()
      if (!isMeant(path)) continue
      // A snippet's relative addresses and its `#…` depend on the page that shows it.
      const own = links.filter(({ kind, url }) => kind !== 'import' && (isPage.has(path) || url.startsWith('/')))
      const repaired = await repairFile(tree, { path, links: own, repair, result })
      if (repaired !== null) staged.write(path, repaired)
    }
    if (within === null) await repairNavigation(staged, { map, guessFile, result })
    return result
  })
}

function scopeOf(tree: DocsTree, within: string | null): (path: string) => boolean {
  if (within === null) return () => true
  const path = tidyPath(within)
  const inFolder = new Set(filesUnder(tree, path))
  const page = findPage(tree, path)
  if (page === null && inFolder.size === 0) throw noSuchFile(tree, path, 'page')
  return (one) => (inFolder.size > 0 && !pageExtension.test(path) ? inFolder.has(one) : one === page)
}

type Repair = { to: string } | { reason: string }

/** What to write in place of a link's target; null when it is good. */
function createLinkRepair({ map, imports, guessFile }: { map: SiteMap; imports: ImportGraph; guessFile: FileGuesser }) {
  const hasAnchor = createAnchorFinder(imports)

  return (path: string, { target, url }: PageLink): Repair | null => {
    const found = map.resolveLink(path, url)
    if (found.kind === 'page') return found.anchor === null ? null : anchorRepair(target, found.path, found.anchor)
    if (found.kind !== 'missing') return null
    if (found.redirectedTo !== null)
      return { reason: `it is redirected to ${found.redirectedTo}, which does not exist.` }
    const guess = guessFile(found.route)
    if ('reason' in guess) return guess
    const to = linkTo(path, { target, file: guess.to })
    const now = map.resolveLink(path, to)
    if (now.kind !== 'page' || now.anchor === null) return { to }
    const anchor = anchorRepair(to, now.path, now.anchor)
    return anchor !== null && 'to' in anchor ? anchor : { to }
  }

  function linkTo(path: string, { target, file }: { target: string; file: string }): string {
    const { rest } = splitTarget(target)
    const forms = [
      writeTarget({ written: target, from: path, to: file }),
      encodePath(map.routeOf(file)) + rest,
      encodePath(`/${file}`) + rest,
    ]
    const means = (form: string) => {
      const one = map.resolveLink(path, form)
      return (one.kind === 'page' || one.kind === 'asset') && one.path === file
    }
    return forms.find(means) ?? forms[0]!
  }

  function anchorRepair(target: string, page: string, anchor: string): Repair | null {
    if (anchor === '' || anchor.toLowerCase() === 'top' || anchor.startsWith(':~:')) return null
    const wanted = looseAnchor(anchor)
    const all = new Set<string>()
    const isThere = hasAnchor(page, (anchors) => {
      for (const one of anchors) all.add(one)
      return anchors.has(anchor) || [...anchors].some((one) => looseAnchor(one) === wanted)
    })
    if (isThere !== false) return null
    const guess = guessAnchor(anchor, all)
    return 'reason' in guess ? guess : { to: `${target.slice(0, target.indexOf('#'))}#${encodeAnchor(guess.to)}` }
  }
}

function encodeAnchor(anchor: string): string {
  return anchor.replace(
    /[\s()<>"'`\\{}|%]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  )
}

/** The file's new content; null when it stays as it is. */
async function repairFile(
  tree: DocsTree,
  input: { path: string; links: PageLink[]; repair: ReturnType<typeof createLinkRepair>; result: FixedLinks },
): Promise<Buffer | null> {
  const { path, links, repair, result } = input
  const splices: Splice[] = []
  let text: string | null = null
  for (const link of links) {
    const { line, target, start, end } = link
    const repaired = repair(path, link)
    if (repaired === null) continue
    text ??= isOpen(tree, path) ? await findText(tree, path) : null
    if (text === null) result.left.push({ path, line, target, reason: 'this file is closed to edits.' })
    else if ('reason' in repaired) result.left.push({ path, line, target, reason: repaired.reason })
    else {
      splices.push({ start, end, text: repaired.to })
      result.fixed.push({ path, line, from: target, to: repaired.to })
    }
  }
  return text !== null && splices.length > 0 ? Buffer.from(applySplices(text, splices)) : null
}

async function repairNavigation(
  tree: DocsTree,
  { map, guessFile, result }: { map: SiteMap; guessFile: FileGuesser; result: FixedLinks },
): Promise<void> {
  // A file that is referred to twice has its entries twice.
  const entries = new Map(map.navigation.entries.map((entry) => [`${entry.file} ${entry.start}`, entry]))
  const broken = [...entries.values()].filter(
    ({ kind, target }) => (kind !== 'href' || target.startsWith('/')) && map.resolveEntry(target).kind === 'missing',
  )
  if (broken.length === 0) return
  const listed = new Set(
    map.navigation.entries.flatMap(({ kind, target }) => {
      const found = map.resolveEntry(target)
      return kind !== 'href' && found.kind === 'page' ? [found.path] : []
    }),
  )
  const navigation = await findNavigation(tree).catch(() => null)
  const splices = new Map<string, Splice[]>()
  for (const { kind, file: path, line, start, end, target } of broken) {
    const leave = (reason: string) => result.left.push({ path, line, target, reason })
    const guess = guessFile(target, { isEntry: true })
    if ('reason' in guess) leave(guess.reason)
    else if (!pageExtension.test(guess.to)) leave('nothing in the docs is called like it.')
    else if (kind !== 'href' && listed.has(guess.to)) leave(`${guess.to} is in the navigation already.`)
    else if (!navigation || !isOpen(tree, path)) leave('this file is closed to edits.')
    else {
      listed.add(guess.to)
      const to = writeTarget({ written: target, from: '', to: guess.to, isPlain: true })
      splices.set(path, [...(splices.get(path) ?? []), { start, end, text: JSON.stringify(to).slice(1, -1) }])
      result.fixed.push({ path, line, from: target, to })
    }
  }
  writeConfig(tree, navigation, splices)
}

function writeConfig(tree: DocsTree, navigation: Navigation | null, splices: ReadonlyMap<string, Splice[]>): void {
  for (const { path, text } of navigation?.files ?? []) {
    const of = splices.get(path)
    if (of) tree.write(path, Buffer.from(applySplices(text, of)))
  }
}
