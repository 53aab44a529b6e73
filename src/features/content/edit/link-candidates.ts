import { editDistance } from '#base/closest.ts'
import { looseAnchor } from '../parse/heading-slug.ts'
import { pageExtension } from '../site/page-extension.ts'
import type { SiteMap } from '../site/site-map.ts'
import type { DocsTree } from './docs-tree.ts'

/** What a broken reference most likely means, or why that cannot be told. */
export type Candidate = { to: string } | { reason: string }

/** Names that so many pages have that one elsewhere says nothing. */
const commonNames = new Set(['index', 'overview', 'introduction', 'intro', 'readme', 'home', 'start', 'faq'])

export type FileGuesser = (route: string, options?: { isEntry?: boolean }) => Candidate

/** Finds the one file that a broken path can mean. Built once for a tree, as it sorts all its files. */
export function createFileGuesser(files: DocsTree['entries'], map: SiteMap): FileGuesser {
  const byLower = new Map<string, string[]>()
  const byName = new Map<string, string[]>()
  const byFolder = new Map<string, { name: string; path: string }[]>()
  const pages = new Set(map.pages)
  for (const path of files.keys()) {
    if (map.isIgnored(path) || (pageExtension.test(path) && !pages.has(path))) continue
    const bare = bareOf(path)
    for (const name of new Set([bare, bare.replace(/(^|\/)index$/, '')])) {
      push(byLower, name, path)
      push(byName, nameOf(name), path)
      push(byFolder, folderOf(name), { name, path })
    }
  }

  return (route, { isEntry = false } = {}) => {
    const bare = bareOf(route.replace(/^\/+|\/+$/g, ''))
    const [first] = steps(bare, isEntry)
    return first ?? { reason: 'nothing in the docs is called like it.' }
  }

  /** From the surest to the least sure; the first that finds anything decides. */
  function* steps(bare: string, isEntry: boolean): Generator<Candidate> {
    const sameButCase = byLower.get(bare) ?? byLower.get(bare.replace(/(^|\/)(index|readme)$/, ''))
    if (sameButCase) yield oneOf(sameButCase)
    // Written with the folder that the docs lie in.
    const inner = bare.includes('/') ? byLower.get(bare.slice(bare.indexOf('/') + 1)) : undefined
    if (inner && bare.split('/').length > 2) yield oneOf(inner)
    const namesakes = byName.get(nameOf(bare)) ?? []
    if (namesakes.length > 0) {
      const shared = (path: string) => sharedParts(bareOf(path), bare)
      const most = namesakes.reduce((best, path) => Math.max(best, shared(path)), 0)
      // A page of the same name in quite another part of the docs may well be another page.
      const parts = bare.split('/').length
      const isLikely = isEntry ? most > parts / 2 : most > 1 || !commonNames.has(nameOf(bare))
      if (isLikely) yield oneOf(namesakes.filter((path) => shared(path) === most))
    }
    const inFolder = byFolder.get(folderOf(bare)) ?? []
    const typo = nearest(
      nameOf(bare),
      inFolder.map(({ name, path }): [string, string] => [nameOf(name), path]),
    )
    if (typo) yield typo
    const folderTypo = nearest(
      folderOf(bare),
      namesakes.map((path): [string, string] => [folderOf(bareOf(path)), path]),
    )
    if (folderTypo) yield folderTypo
  }
}

/** Finds the one anchor of a page that a broken one can mean: much the same letters, or most of the same words. */
export function guessAnchor(anchor: string, anchors: Iterable<string>): Candidate {
  // The same heading may be among them in several spellings, of which the first is as good as any.
  const byLoose = new Map<string, string>()
  for (const one of anchors) if (!byLoose.has(foldAnchor(one))) byLoose.set(foldAnchor(one), one)
  const wanted = foldAnchor(anchor)
  const same = byLoose.get(wanted)
  if (same !== undefined) return { to: same }
  const typo = nearest(wanted, byLoose)
  if (typo && 'to' in typo) return typo
  const longer = [...byLoose].filter(([one]) => isCutAt(one, wanted) || isCutAt(wanted, one))
  if (longer.length === 1) return { to: longer[0]![1] }
  const words = [...byLoose].map(([one, to]) => ({ to, score: sharedWords(one, wanted) }))
  const [best, second] = words.sort((a, b) => b.score - a.score)
  if (best && best.score >= 0.6 && best.score - (second?.score ?? 0) >= 0.2) return { to: best.to }
  return typo ?? { reason: 'no heading there is much like it.' }
}

function foldAnchor(anchor: string): string {
  return looseAnchor(anchor).toLowerCase()
}

/** `install` of `install-the-cli`: a heading that was made longer or shorter. */
function isCutAt(long: string, short: string): boolean {
  return short.length >= 4 && long.startsWith(`${short}-`)
}

function sharedWords(a: string, b: string): number {
  const [left, right] = [new Set(a.split('-')), new Set(b.split('-'))]
  const shared = [...left].filter((word) => right.has(word)).length
  return shared / (left.size + right.size - shared)
}

/** The only candidate within a typing error or two; null when there is none at all. */
function nearest(word: string, candidates: Iterable<[name: string, to: string]>): Candidate | null {
  const most = word.length < 4 ? 0 : word.length < 8 ? 1 : 2
  let least = most + 1
  let found: string[] = []
  for (const [name, to] of candidates) {
    if (Math.abs(name.length - word.length) > most || name === word) continue
    const distance = editDistance(word, name)
    if (distance < least) [least, found] = [distance, [to]]
    else if (distance === least && distance <= most) found.push(to)
  }
  return found.length === 0 || least > most ? null : oneOf(found)
}

function oneOf(paths: readonly string[]): Candidate {
  const distinct = [...new Set(paths)]
  if (distinct.length === 1) return { to: distinct[0]! }
  return { reason: `it could be ${distinct.slice(0, 3).join(' or ')}${distinct.length > 3 ? ' or others' : ''}.` }
}

/** How many parts two paths have in common, from their ends and from their beginnings. */
function sharedParts(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')]
  const end = sharedStart(left.toReversed(), right.toReversed())
  return end + sharedStart(left.slice(0, left.length - end), right.slice(0, right.length - end))
}

function sharedStart(a: string[], b: string[]): number {
  const differs = a.findIndex((part, at) => part !== b[at])
  return differs === -1 ? a.length : differs
}

/** Lower case, and without what names a kind of page: people link to `setup.html` and `Setup.md` alike. */
function bareOf(path: string): string {
  return path.toLowerCase().replace(/\.(mdx?|html?)$/, '')
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

function push<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
