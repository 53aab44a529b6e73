import { DocentError } from '#base/errors.ts'
import { mostFileBytes } from '#infra/files/file-tree.ts'
import { readAhead } from '#infra/files/read-ahead.ts'
import { createPageCache, type PageCache } from '../parse/page-cache.ts'
import { readPages } from '../parse/read-pages.ts'
import { readSiteMap } from '../site/site-map.ts'
import { newPagePath } from './add-page.ts'
import {
  allOrNothing,
  type DocsTree,
  filesUnder,
  findPage,
  findText,
  folderOf,
  isOpen,
  isPage,
  noSuchFile,
  requireOpen,
  tidyPath,
  withoutExtension,
} from './docs-tree.ts'
import { encodePath, routeOf, splitTarget, writeTarget } from './link-style.ts'
import { type Moves, moveInConfig } from './move-in-config.ts'
import { type Reference, referencesOf, resolveReference, type Site } from './resolve-target.ts'
import { applySplices, type Splice } from './splice.ts'

export interface MovePageInput {
  from: string
  to: string
  /** Shared with checks of the same files. */
  cache?: PageCache
  signal?: AbortSignal | undefined
}

export interface MovedPages {
  moved: { from: string; to: string }[]
  /** Files in which links were rewritten, as they are called now, with how many. */
  relinked: { path: string; count: number }[]
  /** Places of docs.json or mint.json that were rewritten. */
  entries: number
  redirects: { from: string; to: string }[]
  /** Files that link to what moved and are closed: their links are as they were. */
  refused: string[]
}

/**
 * Moves a page, or a folder when `from` ends with a slash or only a folder has that name. Links to it are rewritten in
 * the way each is written, as are its own relative ones, imports and the navigation; its old address is redirected.
 * `to` is a path from the root of the docs like `from`, or a folder to move it into.
 */
export async function movePage(tree: DocsTree, input: MovePageInput): Promise<MovedPages> {
  const { from, to, cache = createPageCache(), signal } = input
  const moves = planMoves(tree, from, to)
  for (const [old, now] of moves) {
    requireOpen(tree, old)
    requireOpen(tree, now)
  }
  return await allOrNothing(tree, async (staged) => {
    const before = { files: tree.entries, map: await readSiteMap(tree) }
    await moveFiles(staged, moves)
    const after = { files: staged.entries, map: await readSiteMap(staged) }
    const { relinked, refused } = await relink(staged, { moves, before, after, cache, signal })
    const config = await moveInConfig(staged, { moves, before: before.map, after: after.map })
    return { moved: [...moves].map(([old, now]) => ({ from: old, to: now })), relinked, refused, ...config }
  })
}

async function moveFiles(staged: DocsTree, moves: Moves): Promise<void> {
  const contents: [string, Buffer][] = []
  for await (const [path, content] of readAhead(staged, [...moves.keys()])) contents.push([path, content])
  for (const path of moves.keys()) staged.delete(path)
  for (const [path, content] of contents) staged.write(moves.get(path)!, content)
}

function planMoves(tree: DocsTree, from: string, to: string): Moves {
  const page = from.trim().endsWith('/') ? null : findPage(tree, from)
  if (page !== null) return new Map([[page, pageDestination(tree, page, to)]])
  const folder = tidyPath(from)
  const files = folder === '' ? [] : filesUnder(tree, folder)
  if (files.length === 0) throw noSuchFile(tree, folder, 'page')
  const target = filesUnder(tree, tidyPath(to)).length > 0 && tidyPath(to) !== folder ? `${to}/${nameOf(folder)}` : to
  const into = tidyPath(target)
  if (into === '' || into.startsWith('..') || isPage(into) || into === folder || into.startsWith(`${folder}/`)) {
    const message = `The folder ${folder} cannot move to ${to}; name another folder, not inside of it.`
    throw new DocentError('invalid', 'edit.bad_path', message)
  }
  const taken = filesUnder(tree, into)
  if (taken.length > 0) {
    throw new DocentError('conflict', 'edit.folder_exists', `There is a folder ${into} already; choose another name.`)
  }
  return new Map(files.map((path) => [path, `${into}/${path.slice(folder.length + 1)}`]))
}

function pageDestination(tree: DocsTree, page: string, to: string): string {
  const extension = /\.mdx?$/i.exec(page)![0]
  const target = tidyPath(to)
  const isFolder = !isPage(target) && (to.trim().endsWith('/') || filesUnder(tree, target).length > 0)
  const wanted = isFolder ? `${target}/${nameOf(page)}` : withoutExtension(target) + extension
  if (tidyPath(wanted) === page) {
    throw new DocentError('conflict', 'edit.page_exists', `${page} is there already; choose another path.`)
  }
  // Names that differ in case only are the page itself, renamed.
  if (wanted.toLowerCase() === page.toLowerCase()) return tidyPath(wanted)
  return newPagePath(tree, wanted, extension)
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

interface RelinkInput {
  moves: Moves
  /** What links meant. */
  before: Site
  /** What they mean now. */
  after: Site
  cache: PageCache
  signal: AbortSignal | undefined
}

/** Rewrites links in every page of the tree, in which the files have moved already. */
async function relink(tree: DocsTree, input: RelinkInput): Promise<Pick<MovedPages, 'relinked' | 'refused'>> {
  const { moves, cache, signal } = input
  const cameFrom = new Map([...moves].map(([from, to]) => [to, from]))
  const relinked: MovedPages['relinked'] = []
  const refused: string[] = []
  const pages = await readPages(tree, { paths: await pagesToParse(tree, input), cache, signal })
  const changes: [string, Buffer][] = []
  for (const [path, page] of pages) {
    const was = cameFrom.get(path) ?? path
    const splices = referencesOf(page).flatMap((reference): Splice[] => {
      const { start, end, target } = reference
      const text = newTarget(reference, { ...input, was, now: path })
      return text === null || text === target ? [] : [{ start, end, text }]
    })
    const text = splices.length > 0 ? await findText(tree, path) : null
    if (text === null) continue
    if (!isOpen(tree, path)) refused.push(path)
    else {
      changes.push([path, Buffer.from(applySplices(text, splices))])
      relinked.push({ path, count: splices.length })
    }
  }
  for (const [path, content] of changes) tree.write(path, content)
  return { relinked, refused }
}

/** Those that moved, and those that may mention what did. */
async function pagesToParse(tree: DocsTree, { moves, after, signal }: RelinkInput): Promise<string[]> {
  const isNew = new Set(moves.values())
  const mayMention = mentionFinder(moves)
  const pages = [...after.files.values()].filter(({ path, size }) => isPage(path) && size <= mostFileBytes)
  const found: string[] = []
  for await (const [path, content] of readAhead(
    tree,
    pages.map((entry) => entry.path),
  )) {
    signal?.throwIfAborted()
    if (isNew.has(path) || mayMention(content)) found.push(path)
  }
  return found
}

type PageInput = RelinkInput & { was: string; now: string }

/** What a reference has to say to go on meaning the same file; null when it does. */
function newTarget(reference: Reference, { moves, before, after, was, now }: PageInput): string | null {
  const { target, via } = reference
  const meant = resolveReference(before, was, reference)
  if (meant === null) return null
  const to = moves.get(meant.file) ?? meant.file
  const means = (url: string) => resolveReference(after, now, { url, via })?.file === to
  if (means(reference.url)) return null
  const isFromFolder = meant.base === folderOf(was)
  const asWritten = writeTarget({
    written: target,
    from: now,
    to: to.endsWith(meant.omitted) ? to.slice(0, to.length - meant.omitted.length) : to,
    isPlain: via !== 'link',
    ...(isFromFolder ? {} : { base: meant.base }),
  })
  const { rest } = splitTarget(target)
  const encode = via === 'link' ? encodePath : (path: string) => path
  // Another file may stand in the way of the short forms; the long ones name no other.
  const forms = [
    asWritten,
    ...[after.map.routeOf(to), `/${withoutExtension(to)}`, `/${to}`].map((path) => encode(path) + rest),
  ]
  return forms.find(means) ?? asWritten
}

/** Most pages name nothing that moves, which bytes tell much sooner than a parser. */
function mentionFinder(moves: Moves): (content: Buffer) => boolean {
  const names = new Set([...moves].flat().map(lastNameOfRoute))
  // Too many to look for one by one, or one that a link may leave out (`..`, `/`) or encode.
  if (names.size > 20 || [...names].some((name) => !/^[\w.-]{2,}$/.test(name))) return () => true
  return (content) => [...names].some((name) => mentions(content, name))
}

const percentByte = 0x25

/** Whether a name stands in the text as a whole: `page-7` does not in `page-71`. */
function mentions(content: Buffer, name: string): boolean {
  for (let at = content.indexOf(name); at !== -1; at = content.indexOf(name, at + 1)) {
    const isEncodedBefore = content[at - 3] === percentByte
    if ((isEncodedBefore || !isNameByte(content[at - 1])) && !isNameByte(content[at + name.length])) return true
  }
  return false
}

/** A letter, digit, `-` or `_`. Any other letter counts as an end, which is on the safe side. */
function isNameByte(byte: number | undefined): boolean {
  return byte !== undefined && /[\w-]/.test(String.fromCharCode(byte))
}

function lastNameOfRoute(path: string): string {
  return isPage(path) ? nameOf(routeOf(path)) : nameOf(path)
}
