import { type ConfigObject, type ConfigScalar, type ConfigValue, textField } from './docs-config.ts'
import { languageName } from './languages.ts'
import type {
  DivisionKind,
  NavigationDivision,
  NavigationGroup,
  NavigationItem,
  NavigationLevel,
  NavigationTree,
} from './navigation-tree.ts'
import { type OperationPages, parseOperation, readUses, type SpecUse } from './operation-pages.ts'
import { readIcon } from './read-site-settings.ts'
import { safeAddress } from './safe-address.ts'

export interface BuildNavigationInput {
  /** In the shape of docs.json. */
  navigation: ConfigObject
  /** The route of an entry's page; null when there is none. */
  routeOf(target: string): string | null
  operations: OperationPages
  /** What entries mean where no part of the navigation around them names a specification. */
  specs: SpecUse[]
  /** Told of a specification whose pages are not shown, as it could not be read. */
  reportUnread(source: string, value: ConfigValue): void
  /** Told of what cannot be used. */
  report(rule: 'config' | 'navigation', value: ConfigValue, message: string): void
}

// In the order in which they narrow down, each with the field that holds its name.
const divisionLists: [list: string, kind: DivisionKind, label: string][] = [
  ['languages', 'language', 'language'],
  ['versions', 'version', 'version'],
  ['products', 'product', 'product'],
  ['dropdowns', 'dropdown', 'dropdown'],
  ['tabs', 'tab', 'tab'],
  ['menu', 'menu', 'item'],
  ['anchors', 'anchor', 'anchor'],
]
const itemLists = ['groups', 'pages']
const contentLists = [...divisionLists.map(([list]) => list), ...itemLists]
// Far above what people write. Whatever walks the tree may do so by calling itself.
const mostDepth = 100
// A reference can repeat a file, and a specification its pages, in every place.
const mostItems = 100_000
const mostBoost = 100

type TextScalar = ConfigScalar & { value: string }

/** What holds for everything inside, until something inside says otherwise. */
interface Inherited {
  specs: SpecUse[]
  boost: number
  depth: number
}

/** The navigation as docs.json describes it. Pages that are not there are left out. */
export function buildNavigationTree(input: BuildNavigationInput): NavigationTree {
  const { navigation, routeOf, operations, report, reportUnread } = input
  let items = 0
  const start: Inherited = { specs: input.specs, boost: 1, depth: 0 }
  const root = readLevel(navigation, start)
  const global = navigation.fields.get('global')
  return { root, global: global?.kind === 'object' ? readDivisions(global, start) : [] }

  function readLevel(node: ConfigObject, from: Inherited): NavigationLevel {
    if (from.depth > mostDepth) {
      report('config', node, `The navigation nests deeper than ${mostDepth} levels.`)
      return { divisions: [], items: [] }
    }
    const inherited = inherit(node, from)
    const level: NavigationLevel = { divisions: readDivisions(node, inherited), items: [] }
    for (const [name, value] of node.fields) if (itemLists.includes(name)) addItems(level.items, value, inherited)
    if (isBare(node)) {
      const declared = operations.declared(node)
      for (const { source } of declared) if (!operations.isKnown(source)) reportUnread(source, node)
      generateItems(level.items, declared, inherited)
    }
    // Channels are added to the pages that are named.
    else if (node.fields.has('pages')) generateItems(level.items, readUses(node.fields.get('asyncapi')), inherited)
    return level
  }

  /** Without pages of its own, the pages of its specification are what it holds. */
  function isBare(node: ConfigObject): boolean {
    return contentLists.every((name) => {
      const list = node.fields.get(name)
      return list === undefined || (list.kind === 'list' && list.items.length === 0)
    })
  }

  function inherit(node: ConfigObject, from: Inherited): Inherited {
    const own = operations.declared(node)
    return {
      specs: own.length === 0 ? from.specs : own,
      boost: readBoost(node) ?? from.boost,
      depth: from.depth + 1,
    }
  }

  function readDivisions(node: ConfigObject, from: Inherited): NavigationDivision[] {
    return divisionLists.flatMap(([list, kind, labelName]) => {
      const value = node.fields.get(list)
      if (value?.kind !== 'list') return []
      const divisions = value.items.flatMap((item) => {
        if (item.kind !== 'object' || !mayAdd()) return []
        const division = readDivision(item, { kind, labelName, from })
        // One whose pages are all missing leads nowhere.
        const { href, level } = division
        return href === null && level.divisions.length + level.items.length === 0 ? [] : [division]
      })
      markDefault(divisions)
      return divisions
    })
  }

  function readDivision(
    node: ConfigObject,
    { kind, labelName, from }: { kind: DivisionKind; labelName: string; from: Inherited },
  ): NavigationDivision {
    const code = labelOf(node, labelName) ?? ''
    const name = kind === 'language' ? languageName(code) : code
    return {
      kind,
      label: textField(node, 'label')?.value ?? (name || 'Untitled'),
      code: code || name,
      icon: readIcon(node),
      description: textField(node, 'description')?.value ?? null,
      tag: textField(node, 'tag')?.value ?? null,
      isDefault: isTrue(node, 'default'),
      isHidden: isTrue(node, 'hidden'),
      href: readHref(node),
      level: readLevel(node, from),
    }
  }

  function addItems(into: NavigationItem[], list: ConfigValue, from: Inherited): void {
    if (list.kind !== 'list') return
    for (const item of list.items) {
      if (item.kind === 'object') addObject(into, item, from)
      else if (item.kind === 'scalar' && typeof item.value === 'string') addPage(into, item as TextScalar, from)
    }
  }

  function addObject(into: NavigationItem[], node: ConfigObject, from: Inherited): void {
    if (!mayAdd()) return
    const label = labelOf(node, 'group') ?? ''
    const href = readHref(node)
    if (href !== null && isBare(node)) {
      into.push({ kind: 'link', label: label || href, href, icon: readIcon(node) })
      return
    }
    const root = textField(node, 'root')
    const { divisions, items } = readLevel(node, from)
    const [only] = items
    // A group that is all of one tag needs no second name for it.
    const isOneTag = isBare(node) && items.length === 1 && only?.kind === 'group'
    const group: NavigationGroup = {
      kind: 'group',
      label: label || 'Untitled',
      icon: readIcon(node),
      tag: textField(node, 'tag')?.value ?? null,
      root: root && routeOfEntry(root, from),
      isHidden: isTrue(node, 'hidden'),
      isExpanded: isTrue(node, 'expanded'),
      boost: readBoost(node) ?? from.boost,
      // A group cannot be divided; what was written inside is shown all the same.
      items: isOneTag ? only.items : [...items, ...divisions.flatMap(asGroup)],
    }
    // A group of pages that are all missing leads nowhere.
    if (group.items.length > 0 || group.root !== null) into.push(group)
  }

  function addPage(into: NavigationItem[], entry: TextScalar, from: Inherited): void {
    if (!mayAdd()) return
    const { value: target } = entry
    const route = routeOfEntry(entry, from)
    if (route !== null) into.push({ kind: 'page', route })
    else if (/^https?:\/\//i.test(target)) into.push({ kind: 'link', label: target, href: target, icon: null })
  }

  function routeOfEntry(entry: TextScalar, { specs }: Inherited): string | null {
    const reference = parseOperation(entry.value)
    if (reference === null) return routeOf(entry.value)
    const route = operations.routeOf(reference, specs)
    const looked = reference.source === null ? specs.map(({ source }) => source) : [reference.source]
    // Where a specification cannot be read, what it has is not known.
    if (route === null && looked.length > 0 && looked.every((source) => operations.isKnown(source))) {
      report('navigation', entry, `${reference.method} ${reference.path} is not in ${looked.join(', ')}.`)
    }
    return route
  }

  function generateItems(into: NavigationItem[], specs: SpecUse[], { boost }: Inherited): void {
    const byTag = new Map<string, NavigationGroup>()
    for (const use of specs) {
      for (const { route, tag } of operations.generate(use)) {
        if (!mayAdd()) return
        let group = tag === null ? null : byTag.get(tag)
        if (group === undefined) {
          group = makeGroup(tag!, boost)
          byTag.set(tag!, group)
          into.push(group)
        }
        ;(group?.items ?? into).push({ kind: 'page', route })
      }
    }
  }

  function mayAdd(): boolean {
    if (++items === mostItems) report('config', navigation, `The navigation has more than ${mostItems} entries.`)
    return items < mostItems
  }
}

function makeGroup(label: string, boost: number): NavigationGroup {
  const isHidden = false
  return { kind: 'group', label, icon: null, tag: null, root: null, isHidden, isExpanded: false, boost, items: [] }
}

function asGroup({ label, icon, tag, href, level, isHidden }: NavigationDivision): NavigationItem[] {
  const items = [...level.items, ...level.divisions.flatMap(asGroup)]
  if (items.length > 0) return [{ ...makeGroup(label, 1), icon, tag, isHidden, items }]
  return href === null ? [] : [{ kind: 'link', label, href, icon }]
}

/** Exactly one of several: the one that says so, else the first that readers see and that is of this site. */
function markDefault(divisions: NavigationDivision[]): void {
  const chosen =
    divisions.find(({ isDefault }) => isDefault) ??
    divisions.find(({ isHidden, href }) => !isHidden && href === null) ??
    divisions[0]
  for (const division of divisions) division.isDefault = division === chosen
}

function labelOf(node: ConfigObject, name: string): string | null {
  for (const field of [name, 'name', 'title', 'label']) {
    const value = node.fields.get(field)
    // Versions are often written as numbers.
    if (value?.kind === 'scalar' && typeof value.value === 'number') return String(value.value)
    if (value?.kind === 'scalar' && typeof value.value === 'string' && value.value !== '') return value.value
  }
  return null
}

function readHref(node: ConfigObject): string | null {
  const href = textField(node, 'href')?.value
  return href === undefined ? null : safeAddress(href)
}

function isTrue(node: ConfigObject, name: string): boolean {
  const value = node.fields.get(name)
  return value?.kind === 'scalar' && value.value === true
}

function readBoost(node: ConfigObject): number | null {
  const value = node.fields.get('boost')
  if (value?.kind !== 'scalar' || typeof value.value !== 'number' || !(value.value >= 0)) return null
  return Math.min(value.value, mostBoost)
}
