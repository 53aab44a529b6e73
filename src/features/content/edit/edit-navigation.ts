import { closest } from '#base/closest.ts'
import { DocentError } from '#base/errors.ts'
import { type DocsTree, findPage, folderOf, getPage, requireOpen, tidyPath, withoutExtension } from './docs-tree.ts'
import { insertIntoList, insertProperty, removeFromList } from './edit-json.ts'
import {
  type ConfigFile,
  findNavigation,
  type Navigation,
  type NavigationEntry,
  type NavigationGroup,
  type NavigationList,
  propertiesOf,
} from './editable-navigation.ts'
import { getGroup, groupList, placeOf } from './find-group.ts'
import { applySplices, type Splice } from './splice.ts'

export type NavigationChange =
  | { action: 'add_page'; page: string; group?: string; before?: string; after?: string }
  | { action: 'remove_page'; page: string }
  | { action: 'move_page'; page: string; group?: string; before?: string; after?: string }
  | { action: 'rename_group'; group: string; name: string }
  | { action: 'add_group'; group: string; parent?: string; pages?: string[] }

export interface NavigationEdit {
  /** False: it was so already. */
  changed: boolean
  /** What was done, in one sentence. */
  done: string
}

/**
 * Changes docs.json or mint.json, or the file that they refer to, at the one entry. A group is named by its own name or,
 * where that is not enough, by those around it too: `Guides / Deploy`.
 */
export async function editNavigation(tree: DocsTree, change: NavigationChange): Promise<NavigationEdit> {
  const navigation = await findNavigation(tree)
  if (!navigation) {
    const message =
      'This site has no docs.json or mint.json: its navigation follows the folders and file names. Move or rename files ' +
      'instead, or write a docs.json first.'
    throw new DocentError('unsupported', 'navigation.follows_folders', message)
  }
  switch (change.action) {
    case 'add_page':
      return addPageEntry(tree, navigation, change)
    case 'remove_page':
      return await removePageEntry(tree, navigation, change.page)
    case 'move_page':
      return await movePageEntry(tree, navigation, change)
    case 'rename_group':
      return renameGroup(tree, navigation, change)
    case 'add_group':
      return addGroup(tree, navigation, change)
  }
}

type Position = { page: string; group?: string; before?: string; after?: string }

function addPageEntry(tree: DocsTree, navigation: Navigation, change: Position): NavigationEdit {
  const page = getPage(tree, change.page)
  const [there] = pageEntries(tree, navigation, page)
  if (there) {
    const place = there.within.join(' / ') || 'the top'
    return { changed: false, done: `${withoutExtension(page)} is in the navigation already, under ${place}.` }
  }
  return insertEntry(tree, navigation, { ...change, page })
}

function insertEntry(tree: DocsTree, navigation: Navigation, position: Position): NavigationEdit {
  const { list, index, place } = findPlace(tree, navigation, position)
  const style = navigation.entries.find(({ kind }) => kind === 'page')?.value ?? ''
  const name = (style.startsWith('/') ? '/' : '') + withoutExtension(position.page)
  write(tree, list.file, insertIntoList(list.file.text, list.node, { index, value: name }))
  return { changed: true, done: `Added ${withoutExtension(position.page)} to ${place} in ${list.file.path}.` }
}

/** Beside a neighbour, else at the end of a group, else beside the page's nearest relatives. */
function findPlace(
  tree: DocsTree,
  navigation: Navigation,
  { page, group, before, after }: Position,
): { list: NavigationList; index: number; place: string } {
  const beside = before ?? after
  const within = group === undefined ? null : getGroup(navigation, group)
  if (beside !== undefined) {
    const neighbour = listedPage(tree, navigation, beside)
    const entries = pageEntries(tree, navigation, neighbour).filter(({ kind }) => kind === 'page')
    const entry = entries.find((one) => within === null || one.node.parent === within.pages?.node)
    if (!entry) {
      const where = within ? `the group “${within.names.at(-1)}”` : 'the navigation'
      throw new DocentError(
        'not_found',
        'navigation.no_such_entry',
        `${withoutExtension(neighbour)} is not in ${where}.`,
      )
    }
    const list = { file: entry.file, node: entry.node.parent! }
    const index = list.node.children!.indexOf(entry.node) + (before === undefined ? 1 : 0)
    return { list, index, place: placeOf(entry.within) }
  }
  if (within) {
    if (!within.pages) {
      const message = `The group “${within.names.join(' / ')}” holds no list of pages; name another. ${groupList(navigation)}`
      throw new DocentError('invalid', 'navigation.group_without_pages', message)
    }
    return { list: within.pages, index: within.pages.node.children?.length ?? 0, place: placeOf(within.names) }
  }
  return findFittingPlace(tree, navigation, page)
}

/** A neighbour is in the navigation, so its bare name is enough where only one entry ends with it. */
function listedPage(tree: DocsTree, navigation: Navigation, given: string): string {
  if (findPage(tree, given) === null) {
    const name = `/${withoutExtension(tidyPath(given))}`
    const pages = navigation.entries.filter(isPageEntry).map(({ value }) => findPage(tree, value))
    const [only, ...others] = new Set(
      pages.filter((page) => page !== null && `/${withoutExtension(page)}`.endsWith(name)),
    )
    if (only && others.length === 0) return only
    if (only) {
      const message = `Several pages are called ${name.slice(1)}: ${[only, ...others].join(', ')}. Write the whole path.`
      throw new DocentError('conflict', 'navigation.several_pages', message)
    }
  }
  return getPage(tree, given)
}

/** After the last entry of the same folder, or of the nearest folder above it that has any; else the first list. */
function findFittingPlace(tree: DocsTree, navigation: Navigation, page: string): ReturnType<typeof findPlace> {
  const listed = navigation.entries
    .filter(({ kind, node }) => kind === 'page' && node.parent?.type === 'array')
    .map((entry) => ({ entry, path: findPage(tree, entry.value) ?? tidyPath(entry.value) }))
  for (let folder = folderOf(page); ; folder = folderOf(folder)) {
    const exact = listed.filter(({ path }) => folderOf(path) === folder)
    const siblings =
      exact.length > 0 || folder === '' ? exact : listed.filter(({ path }) => path.startsWith(`${folder}/`))
    const last = siblings.at(-1)?.entry
    if (last) {
      const list = { file: last.file, node: last.node.parent! }
      return { list, index: list.node.children!.indexOf(last.node) + 1, place: placeOf(last.within) }
    }
    if (folder === '') break
  }
  const first = navigation.groups.find(({ pages, isGroup }) => isGroup && pages !== null)
  const list = first?.pages ?? navigation.topPages
  if (!list) {
    const message = `The navigation in ${navigation.main.path} has no list of pages to add to; add a group first.`
    throw new DocentError('invalid', 'navigation.no_groups', message)
  }
  return { list, index: list.node.children?.length ?? 0, place: placeOf(first?.names ?? []) }
}

async function removePageEntry(tree: DocsTree, navigation: Navigation, given: string): Promise<NavigationEdit> {
  const page = findPage(tree, given)
  const name = withoutExtension(tidyPath(given))
  const removed = await removeEntries(tree, ({ value }) =>
    page === null ? withoutExtension(tidyPath(value)) === name : findPage(tree, value) === page,
  )
  if (removed !== null) return { changed: true, done: `Removed ${name} from ${placeOf(removed.within)}.` }
  const names = navigation.entries.filter(isPageEntry).map(({ value }) => value)
  const likely = closest(name, names)
  const hint = likely ? ` Did you mean ${likely}?` : ''
  throw new DocentError('not_found', 'navigation.no_such_entry', `The navigation has no entry for ${name}.${hint}`)
}

/** Removes every page entry that is meant; returns the first. One at a time, as neighbours share a comma. */
async function removeEntries(
  tree: DocsTree,
  isMeant: (entry: NavigationEntry) => boolean,
): Promise<NavigationEntry | null> {
  let first: NavigationEntry | null = null
  for (;;) {
    const navigation = await findNavigation(tree)
    const entry = navigation?.entries.find((one) => isPageEntry(one) && isMeant(one))
    if (!entry) return first
    write(tree, entry.file, entryRemoval(entry))
    first ??= entry
  }
}

/** Takes out an item of a list of pages, or a property such as `root`. */
function entryRemoval({ file, node }: NavigationEntry): Splice[] {
  const item = node.parent!.type === 'property' ? node.parent! : node
  const list = item.parent!
  return removeFromList(file.text, list, list.children!.indexOf(item))
}

async function movePageEntry(tree: DocsTree, navigation: Navigation, change: Position): Promise<NavigationEdit> {
  const page = getPage(tree, change.page)
  const beside = change.before ?? change.after
  if (beside !== undefined && findPage(tree, beside) === page) {
    return { changed: false, done: `${withoutExtension(page)} is there already.` }
  }
  // Asked first, so that a wrong place is found out before the entry is gone.
  requireOpen(tree, findPlace(tree, navigation, { ...change, page }).list.file.path)
  await removeEntries(tree, ({ kind, value }) => kind === 'page' && findPage(tree, value) === page)
  const after = await findNavigation(tree)
  const edit = insertEntry(tree, after!, { ...change, page })
  return { changed: true, done: edit.done.replace(/^Added/, 'Moved') }
}

function renameGroup(tree: DocsTree, navigation: Navigation, change: { group: string; name: string }): NavigationEdit {
  const group = getGroup(navigation, change.group)
  const own = group.names.at(-1)!
  if (own === change.name) return { changed: false, done: `“${own}” has this name already.` }
  const node = propertiesOf(group.node).find(([, value]) => value.type === 'string' && value.value === own)![1]
  write(tree, group.file, [{ start: node.offset, end: node.offset + node.length, text: JSON.stringify(change.name) }])
  return { changed: true, done: `Renamed “${own}” to “${change.name}” in ${group.file.path}.` }
}

function addGroup(
  tree: DocsTree,
  navigation: Navigation,
  change: { group: string; parent?: string; pages?: string[] },
): NavigationEdit {
  const pages = (change.pages ?? []).map((one) => withoutExtension(getPage(tree, one)))
  const value = { group: change.group, pages }
  const parent = change.parent === undefined ? null : getGroup(navigation, change.parent)
  const same = (names: string[]) =>
    names.at(-1) === change.group && (parent === null ? true : names.at(-2) === parent.names.at(-1))
  if (navigation.groups.some(({ names, isGroup }) => isGroup && same(names))) {
    const message = `There is a group “${change.group}” already. ${groupList(navigation)}`
    throw new DocentError('conflict', 'navigation.group_exists', message)
  }
  const { file, splices } = parent ? groupInside(parent, value) : groupAtTop(navigation, value)
  write(tree, file, splices)
  return {
    changed: true,
    done: `Added the group “${change.group}” to ${placeOf(parent?.names ?? [])} in ${file.path}.`,
  }
}

interface FileSplices {
  file: ConfigFile
  splices: Splice[]
}

function groupInside(parent: NavigationGroup, value: { group: string; pages: string[] }): FileSplices {
  const { file, node } = parent
  const groups = propertiesOf(node).find(([key, one]) => key === 'groups' && one.type === 'array')?.[1]
  if (groups) return appended({ file, node: groups }, value)
  if (parent.pages) return appended(parent.pages, value)
  const key = parent.isGroup ? 'pages' : 'groups'
  return { file, splices: insertProperty(file.text, node, { key, value: [value] }) }
}

function groupAtTop(navigation: Navigation, value: { group: string; pages: string[] }): FileSplices {
  const { main } = navigation
  const top = propertiesOf(main.root).find(([key]) => key === 'navigation')?.[1]
  if (!top) {
    const whole = main.path === 'mint.json' ? [value] : { groups: [value] }
    return { file: main, splices: insertProperty(main.text, main.root, { key: 'navigation', value: whole }) }
  }
  if (top.type === 'array') return appended({ file: main, node: top }, value)
  const groups = propertiesOf(top).find(([key, one]) => key === 'groups' && one.type === 'array')?.[1]
  if (groups) return appended({ file: main, node: groups }, value)
  if (navigation.topPages) return appended(navigation.topPages, value)
  const divided = navigation.groups.some(({ names }) => names.length === 1)
  if (!divided) return { file: main, splices: insertProperty(main.text, top, { key: 'groups', value: [value] }) }
  const message = `This navigation is divided at the top; name the parent that the group goes into. ${groupList(navigation)}`
  throw new DocentError('invalid', 'navigation.parent_needed', message)
}

function appended({ file, node }: NavigationList, value: unknown): FileSplices {
  return { file, splices: insertIntoList(file.text, node, { index: node.children?.length ?? 0, value }) }
}

function isPageEntry({ kind }: NavigationEntry): boolean {
  return kind === 'page' || kind === 'root'
}

function pageEntries(tree: DocsTree, navigation: Navigation, page: string): NavigationEntry[] {
  return navigation.entries.filter((entry) => isPageEntry(entry) && findPage(tree, entry.value) === page)
}

function write(tree: DocsTree, file: ConfigFile, splices: Splice[]): void {
  writeAll(tree, [{ file, splices }])
}

/** All of it or nothing: no file is written when one is closed. */
function writeAll(tree: DocsTree, edits: FileSplices[]): void {
  for (const { file } of edits) requireOpen(tree, file.path)
  const byFile = Map.groupBy(edits, ({ file }) => file)
  for (const [file, of] of byFile) {
    tree.write(
      file.path,
      Buffer.from(
        applySplices(
          file.text,
          of.flatMap(({ splices }) => splices),
        ),
      ),
    )
  }
}
