import type { NavigationGroup, NavigationItem, NavigationTree } from './navigation-tree.ts'

export interface FolderPage {
  path: string
  route: string
}

// They tell about a repository and not about its subject: to be read, but not shown to everybody.
const repositoryNames = /^(?:license|changelog|contributing|code_of_conduct|security)\.mdx?$/i
// Deeper folders stand beside their parents: whatever walks the tree may do so by calling itself.
const mostDepth = 50

interface Folder {
  name: string
  folders: Map<string, Folder>
  pages: { name: string; route: string }[]
  root: string | null
}

/** The navigation of a site that describes none: its folders. A folder's own page is its index or README. */
export function folderNavigation(pages: Iterable<FolderPage>): NavigationTree {
  const top = makeFolder('')
  for (const { path, route } of pages) {
    if (repositoryNames.test(path)) continue
    const parts = path.split('/')
    const name = parts.pop()!.replace(/\.mdx?$/i, '')
    let folder = top
    for (const part of parts.slice(0, mostDepth)) {
      const next = folder.folders.get(part) ?? makeFolder(part)
      folder.folders.set(part, next)
      folder = next
    }
    const isOwn = /^(?:index|readme)$/i.test(name) && `/${parts.join('/')}` === route && parts.length <= mostDepth
    if (isOwn && folder.root === null) folder.root = route
    else folder.pages.push({ name, route })
  }
  const home: NavigationItem[] = top.root === null ? [] : [{ kind: 'page', route: top.root }]
  return { root: { divisions: [], items: [...home, ...itemsOf(top)] }, global: [] }
}

function makeFolder(name: string): Folder {
  return { name, folders: new Map(), pages: [], root: null }
}

function itemsOf(folder: Folder): NavigationItem[] {
  const named: [string, NavigationItem][] = [
    ...folder.pages.map(({ name, route }): [string, NavigationItem] => [name, { kind: 'page', route }]),
    ...[...folder.folders.values()].map((inner): [string, NavigationItem] => [inner.name, groupOf(inner)]),
  ]
  return sortByName(named).map(([, item]) => item)
}

function groupOf(folder: Folder): NavigationGroup {
  return {
    kind: 'group',
    label: labelFor(folder.name),
    icon: null,
    tag: null,
    root: folder.root,
    isHidden: false,
    isExpanded: false,
    boost: 1,
    items: itemsOf(folder),
  }
}

const byLocale = new Intl.Collator('en', { numeric: true })

/** By the number in front of names, those with one first; then by name. */
function sortByName<T>(named: [string, T][]): [string, T][] {
  const keyed = named.map((one) => {
    const { order, rest } = splitOrder(one[0])
    return { order, rest, one }
  })
  keyed.sort((a, b) => a.order - b.order || byLocale.compare(a.rest, b.rest) || (a.one[0] < b.one[0] ? -1 : 1))
  return keyed.map(({ one }) => one)
}

/** `01-setup` and `2. setup` are ordered by their number; `2fa` and `404` are names. */
function splitOrder(name: string): { order: number; rest: string } {
  const [, digits, rest] = /^(\d{1,6})(?:[-_. ]+)(?=\D)(.+)$/.exec(name) ?? []
  return digits === undefined ? { order: Number.POSITIVE_INFINITY, rest: name } : { order: Number(digits), rest: rest! }
}

/** `01-getting_started` becomes `Getting started`. */
export function labelFor(name: string): string {
  const words = splitOrder(name).rest.replace(/[-_]+/g, ' ').trim()
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1)
}
