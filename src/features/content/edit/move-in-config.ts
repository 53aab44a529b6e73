import type { Node } from 'jsonc-parser'
import { DocentError } from '#base/errors.ts'
import type { SiteMap } from '../site/site-map.ts'
import { type DocsTree, isPage, requireOpen, tidyPath } from './docs-tree.ts'
import { insertAllIntoList, insertProperty, removeFromList } from './edit-json.ts'
import { findNavigation, type Navigation, type NavigationEntry, propertiesOf } from './editable-navigation.ts'
import { splitTarget, writeTarget } from './link-style.ts'
import { applySplices, type Splice } from './splice.ts'

export interface ConfigMove {
  /** Places of the navigation, and links beside it, that name a moved file. */
  entries: number
  redirects: { from: string; to: string }[]
}

/** Where every file goes, by where it is. */
export type Moves = ReadonlyMap<string, string>

interface MoveInput {
  moves: Moves
  /** The site as it was. */
  before: SiteMap
  /** The site once the files have moved. */
  after: SiteMap
}

/** Makes docs.json or mint.json follow files that moved. */
export async function moveInConfig(tree: DocsTree, input: MoveInput): Promise<ConfigMove> {
  const navigation = await findNavigation(tree)
  if (!navigation) return { entries: 0, redirects: [] }
  for (const { path } of navigation.files) {
    if (!input.moves.has(path)) continue
    const message = `${path} is part of the site's configuration; move what is beside it one by one.`
    throw new DocentError('unsupported', 'edit.config_moves', message)
  }
  const entries = rewriteStrings(tree, navigation, input)
  const redirects = await keepRedirects(tree, input)
  return { entries, redirects }
}

/** All texts of the configuration that name a moved file, in one go: their places do not depend on each other. */
function rewriteStrings(tree: DocsTree, navigation: Navigation, input: MoveInput): number {
  const splices = new Map<string, Splice[]>()
  let count = 0
  for (const entry of navigation.entries) {
    const to = newValue(navigation, entry, input)
    if (to === null || to === entry.value) continue
    requireOpen(tree, entry.file.path)
    splices.set(entry.file.path, [...(splices.get(entry.file.path) ?? []), textSplice(entry.node, to)])
    count++
  }
  for (const { path, text } of navigation.files) {
    const of = splices.get(path)
    if (of) tree.write(path, Buffer.from(applySplices(text, of)))
  }
  return count
}

function newValue(navigation: Navigation, entry: NavigationEntry, { moves, before }: MoveInput): string | null {
  const { kind, value } = entry
  if (kind === 'file') {
    const to = moves.get(tidyPath(value))
    return to === undefined || isPage(to) ? null : value.replace(tidyPath(value), () => to)
  }
  // In mint.json the `url` of a tab is the beginning of addresses and no page.
  if (kind === 'href' && !value.startsWith('/') && navigation.main.path === 'mint.json') return null
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(value)) return null
  const { path } = splitTarget(value)
  const from = before.pageAt(tidyPath(path))
  const to = from === null ? undefined : moves.get(from)
  if (to === undefined) return null
  return writeTarget({ written: value, from: '', to, isPlain: true })
}

function textSplice(node: Node, text: string): Splice {
  return { start: node.offset, end: node.offset + node.length, text: JSON.stringify(text) }
}

interface Redirect {
  index: number
  /** Null when it is a pattern. */
  sourceRoute: string | null
  destination: string
  destinationNode: Node
}

/**
 * Redirects to what moved lead to where it is now, so that no reader goes through two; one from an address that a page
 * has now would hide that page, so it goes.
 */
async function keepRedirects(tree: DocsTree, { moves, before, after }: MoveInput): Promise<ConfigMove['redirects']> {
  const wasPage = new Set(before.pages)
  const pages = [...moves].filter(([from]) => wasPage.has(from))
  const newRoutes = new Map(pages.map(([from, to]) => [before.routeOf(from), after.routeOf(to)]))
  const served = new Set(newRoutes.values())
  const wanted = new Map([...newRoutes].filter(([from]) => after.pageAt(from) === null))

  let navigation = (await findNavigation(tree))!
  const splices: Splice[] = []
  for (const { destination, destinationNode, sourceRoute } of redirectsOf(navigation)) {
    const { path, rest } = splitTarget(destination)
    const moved = sourceRoute === null ? undefined : wanted.get(sourceRoute)
    const to = moved ?? newRoutes.get(`/${tidyPath(path)}`)
    if (to === undefined || to + rest === destination) continue
    splices.push(textSplice(destinationNode, moved === undefined ? to + rest : to))
  }
  navigation = await write(tree, navigation, splices)

  for (;;) {
    const list = navigation.redirects
    const useless = redirectsOf(navigation).find(
      ({ sourceRoute, destination }) =>
        sourceRoute !== null &&
        (served.has(sourceRoute) || sourceRoute === `/${tidyPath(splitTarget(destination).path)}`),
    )
    if (!list || !useless) break
    navigation = await write(tree, navigation, removeFromList(list.file.text, list.node, useless.index))
  }

  const present = new Set(redirectsOf(navigation).map(({ sourceRoute }) => sourceRoute))
  const redirects = [...wanted].map(([from, to]) => ({ from, to }))
  const values = redirects
    .filter(({ from }) => !present.has(from))
    .map(({ from, to }) => ({ source: from, destination: to }))
  if (values.length === 0) return redirects
  const list = navigation.redirects
  if (list) {
    const index = list.node.children?.length ?? 0
    await write(tree, navigation, insertAllIntoList(list.file.text, list.node, { index, values }))
    return redirects
  }
  const { main } = navigation
  requireOpen(tree, main.path)
  const added = insertProperty(main.text, main.root, { key: 'redirects', value: values })
  tree.write(main.path, Buffer.from(applySplices(main.text, added)))
  return redirects
}

/** Writes the file that the redirects are in, and reads the configuration again. */
async function write(tree: DocsTree, navigation: Navigation, splices: Splice[]): Promise<Navigation> {
  const { redirects } = navigation
  if (!redirects || splices.length === 0) return navigation
  requireOpen(tree, redirects.file.path)
  tree.write(redirects.file.path, Buffer.from(applySplices(redirects.file.text, splices)))
  return (await findNavigation(tree))!
}

/** Those to one plain address: what a pattern stands for depends on what is asked for. */
function redirectsOf({ redirects }: Navigation): Redirect[] {
  return (redirects?.node.children ?? []).flatMap((item, index) => {
    const fields = new Map(propertiesOf(item))
    const [source, destination] = [fields.get('source'), fields.get('destination')]
    if (source?.type !== 'string' || destination?.type !== 'string') return []
    const [from, to] = [String(source.value), String(destination.value)]
    if (/^[a-z][a-z\d+.-]*:|^\/\/|[:*]/i.test(to)) return []
    const sourceRoute = /[:*]/.test(from) ? null : `/${tidyPath(from)}`
    return [{ index, sourceRoute, destination: to, destinationNode: destination }]
  })
}
