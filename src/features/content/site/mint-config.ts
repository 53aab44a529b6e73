import type { ConfigList, ConfigObject, ConfigScalar, ConfigValue, DocsConfig } from './docs-config.ts'
import { splitUrl } from './split-url.ts'

// Each holds all groups that name no version, divided among all tabs and anchors.
const mostVersions = 50
const mostDivisions = 200

/**
 * The configuration in the shape of docs.json: mint.json, its older form, says the same in other fields. Places in the
 * files are kept, so that problems are shown where they were written.
 */
export function modernConfig(config: DocsConfig): ConfigObject | null {
  const { root } = config
  if (root === null) return null
  const isOlder = config.path === 'mint.json' || root.fields.get('navigation')?.kind === 'list'
  return isOlder ? upgrade(root) : root
}

function upgrade(root: ConfigObject): ConfigObject {
  const fields = new Map(root.fields)
  const put = (name: string, value: ConfigValue | null | undefined) => {
    if (value && !root.fields.has(name)) fields.set(name, value)
  }
  const field = (...path: string[]) => at(root, path)
  const make = (parts: Record<string, ConfigValue | null | undefined>, from: ConfigValue = root) => object(from, parts)

  fields.set('navigation', upgradeNavigation(root))
  put('navbar', make({ links: links(field('topbarLinks')), primary: button(field('topbarCtaButton')) }))
  const columns = eachObject(at(root, ['footer', 'links'])).map((column) =>
    rename(column, { title: 'header', links: 'items' }, (name, value) => (name === 'items' ? links(value) : value)),
  )
  fields.set(
    'footer',
    make({
      socials: socials(field('footerSocials') ?? field('footer', 'socials')),
      links: columns.length === 0 ? null : list(root, columns),
    }),
  )
  put('fonts', isObject(field('font')) ? rename(field('font') as ConfigObject, { headings: 'heading' }) : null)
  const hidesToggle = field('modeToggle', 'isHidden')
  put('appearance', make({ default: field('modeToggle', 'default'), strict: hidesToggle }))
  const background = field('colors', 'background')
  if (isObject(background)) put('background', make({ color: background }, background))
  const seo = field('seo', 'indexHiddenPages')
  const indexesAll = seo?.kind === 'scalar' && seo.value === true
  fields.set('seo', make({ metatags: field('metadata'), indexing: indexesAll ? text(seo, 'all') : null }))
  fields.delete('metadata')
  fields.set(
    'api',
    make({
      openapi: field('openapi') ?? field('api', 'openapi'),
      asyncapi: field('asyncapi') ?? field('api', 'asyncapi'),
      examples: make({ languages: field('api', 'request', 'example', 'languages') }),
      mdx: make({ server: field('api', 'baseUrl'), auth: field('api', 'auth') }),
    }),
  )
  return { ...root, fields }
}

function upgradeNavigation(root: ConfigObject): ConfigObject {
  const navigation = root.fields.get('navigation')
  if (isObject(navigation)) return navigation
  const at = navigation ?? root
  const groups = eachObject(navigation)
  const divisions = (name: string) => eachObject(root.fields.get(name)).slice(0, mostDivisions)
  const all = { groups, tabs: divisions('tabs'), anchors: divisions('anchors') }
  const versions = root.fields.get('versions')
  const names = versions?.kind === 'list' ? versions.items.slice(0, mostVersions).flatMap(versionName) : []
  const { owned } = share(groups, all.anchors)
  const isShownEverywhere = (anchor: ConfigObject) => !owned.has(anchor) && !anchor.fields.has('openapi')
  const global = object(at, { anchors: list(at, all.anchors.filter(isShownEverywhere).map(anchorOf)) })
  const divided = { ...all, anchors: all.anchors.filter((anchor) => !isShownEverywhere(anchor)) }
  if (names.length === 0) return object(at, { ...contentOf(root, divided), global })
  const versioned = names.map(({ name, item, isLanguage, isDefault }) => {
    const isIn = (one: ConfigObject) => {
      const version = one.fields.get('version')
      return version === undefined || (version.kind === 'scalar' && version.value === name.value)
    }
    const content = contentOf(root, {
      groups: divided.groups.filter(isIn),
      tabs: divided.tabs.filter(isIn),
      anchors: divided.anchors.filter(isIn),
    })
    const href = isObject(item) ? item.fields.get('url') : undefined
    return object(item, { [isLanguage ? 'language' : 'version']: name, default: isDefault, href, ...content })
  })
  const areLanguages = names.every(({ isLanguage }) => isLanguage)
  return object(at, { [areLanguages ? 'languages' : 'versions']: list(at, versioned), global })
}

interface Parts {
  groups: ConfigObject[]
  tabs: ConfigObject[]
  anchors: ConfigObject[]
}

/** Tabs and anchors have the groups whose pages lie under their address; what no other has, the first one has. */
function contentOf(root: ConfigObject, { groups, tabs, anchors }: Parts): Record<string, ConfigValue> {
  if (tabs.length === 0) return anchoredContent(root, { groups, anchors })
  const { rest, owned } = share(groups, tabs)
  const name = at(root, ['primaryTab', 'name']) ?? text(root, 'Documentation')
  const first = object(root, { tab: name, ...anchoredContent(root, { groups: rest, anchors }) })
  // The first one is named among the others too, by some.
  const isFirst = (tab: ConfigObject) => !owned.has(tab) && rest.length > 0 && sameText(tab.fields.get('name'), name)
  const shown = tabs.filter((tab) => !isFirst(tab))
  const others = shown.map((tab) => {
    const renamed = rename(tab, { name: 'tab', isDefaultHidden: 'hidden' })
    const own = owned.get(tab)
    renamed.fields.delete('url')
    if (own) return object(tab, { ...asParts(renamed), groups: list(tab, own) })
    if (!tab.fields.has('openapi')) renamed.fields.set('href', tab.fields.get('url') ?? text(tab, '/'))
    return renamed
  })
  return { tabs: list(root, rest.length === 0 ? others : [first, ...others]) }
}

function anchoredContent(root: ConfigObject, { groups, anchors }: Omit<Parts, 'tabs'>): Record<string, ConfigValue> {
  const { rest, owned } = share(groups, anchors)
  const shown = anchors.filter((anchor) => owned.has(anchor) || anchor.fields.has('openapi'))
  if (shown.length === 0) return { groups: list(root, groups) }
  const first = object(root, {
    anchor: at(root, ['topAnchor', 'name']) ?? text(root, 'Documentation'),
    icon: at(root, ['topAnchor', 'icon']) ?? text(root, 'book-open'),
    groups: list(root, rest),
  })
  const others = shown.map((anchor) => {
    const { href: _, ...own } = asParts(anchorOf(anchor))
    return object(anchor, owned.has(anchor) ? { ...own, groups: list(anchor, owned.get(anchor)!) } : own)
  })
  return { anchors: list(root, rest.length === 0 ? others : [first, ...others]) }
}

/** To whom of those each group belongs: the one whose address is the longest that its first page lies under. */
function share(groups: ConfigObject[], owners: ConfigObject[]) {
  const byUrl = new Map<string, ConfigObject>()
  for (const owner of owners) {
    const url = localUrl(owner)
    if (url !== null && !byUrl.has(url)) byUrl.set(url, owner)
  }
  const owned = new Map<ConfigObject, ConfigObject[]>()
  const rest: ConfigObject[] = []
  for (const group of groups) {
    const parts = (firstPage(group) ?? '').split('/').filter(Boolean)
    let owner: ConfigObject | undefined
    for (let length = parts.length; length > 0 && !owner; length--) owner = byUrl.get(parts.slice(0, length).join('/'))
    if (!owner) rest.push(group)
    else if (owned.has(owner)) owned.get(owner)!.push(group)
    else owned.set(owner, [group])
  }
  return { owned, rest }
}

/** What its pages begin with; null when it leads to another site. */
function localUrl(owner: ConfigObject): string | null {
  const url = owner.fields.get('url')
  if (url?.kind !== 'scalar' || typeof url.value !== 'string' || splitUrl(url.value).isExternal) return null
  const trimmed = url.value.split('/').filter(Boolean).join('/')
  return trimmed === '' ? null : trimmed
}

function firstPage(group: ConfigObject): string | null {
  let next: ConfigValue | undefined = group
  // Circles cannot be, and depth is limited where the file is read.
  while (next?.kind === 'object') {
    const pages: ConfigValue | undefined = next.fields.get('pages')
    next = pages?.kind === 'list' ? pages.items[0] : undefined
  }
  return next?.kind === 'scalar' && typeof next.value === 'string' ? next.value : null
}

function versionName(item: ConfigValue) {
  const name = isObject(item) ? (item.fields.get('name') ?? item.fields.get('locale')) : item
  if (name?.kind !== 'scalar' || typeof name.value !== 'string') return []
  const isLanguage = isObject(item) && item.fields.has('locale')
  const isDefault = isObject(item) ? item.fields.get('default') : undefined
  return [{ name: isLanguage ? (item.fields.get('locale') as ConfigScalar) : name, item, isLanguage, isDefault }]
}

function anchorOf(anchor: ConfigObject): ConfigObject {
  return rename(anchor, { name: 'anchor', url: 'href', isDefaultHidden: 'hidden' })
}

function links(value: ConfigValue | undefined): ConfigValue | null {
  if (value?.kind !== 'list') return null
  return list(
    value,
    value.items.map((item) => (isObject(item) ? rename(item, { name: 'label', url: 'href' }) : item)),
  )
}

function button(value: ConfigValue | undefined): ConfigValue | null {
  if (!isObject(value)) return null
  const renamed = rename(value, { name: 'label', url: 'href' })
  const type = value.fields.get('type')
  const isButton = type === undefined || (type.kind === 'scalar' && type.value === 'link')
  if (isButton) renamed.fields.set('type', text(value, 'button'))
  return renamed
}

/** Once a list of types and addresses. */
function socials(value: ConfigValue | undefined): ConfigValue | null {
  if (value?.kind !== 'list') return value ?? null
  const named = eachObject(value).flatMap((item): [string, ConfigValue][] => {
    const [type, url] = [item.fields.get('type'), item.fields.get('url')]
    return type?.kind === 'scalar' && typeof type.value === 'string' && url ? [[type.value, url]] : []
  })
  return object(value, Object.fromEntries(named))
}

function at(root: ConfigObject, path: string[]): ConfigValue | undefined {
  let value: ConfigValue | undefined = root
  for (const name of path) value = isObject(value) ? value.fields.get(name) : undefined
  return value
}

function sameText(a: ConfigValue | undefined, b: ConfigValue): boolean {
  return a?.kind === 'scalar' && b.kind === 'scalar' && a.value === b.value
}

function isObject(value: ConfigValue | null | undefined): value is ConfigObject {
  return value?.kind === 'object'
}

function eachObject(value: ConfigValue | undefined): ConfigObject[] {
  return value?.kind === 'list' ? value.items.filter(isObject) : []
}

function asParts(value: ConfigObject): Record<string, ConfigValue> {
  return Object.fromEntries(value.fields)
}

function rename(
  value: ConfigObject,
  names: Record<string, string>,
  change: (name: string, value: ConfigValue) => ConfigValue | null = (_, field) => field,
): ConfigObject {
  const fields = new Map<string, ConfigValue>()
  for (const [name, field] of value.fields) {
    const newName = Object.hasOwn(names, name) ? names[name]! : name
    const changed = change(newName, field)
    if (changed && !(newName !== name && value.fields.has(newName))) fields.set(newName, changed)
  }
  return { ...value, fields }
}

function object(from: ConfigValue, parts: Record<string, ConfigValue | null | undefined>): ConfigObject {
  const fields = new Map<string, ConfigValue>()
  for (const [name, value] of Object.entries(parts)) if (value) fields.set(name, value)
  return { kind: 'object', file: from.file, start: from.start, end: from.end, fields }
}

function list(from: ConfigValue, items: ConfigValue[]): ConfigList {
  return { kind: 'list', file: from.file, start: from.start, end: from.end, items }
}

function text(from: ConfigValue, value: string): ConfigScalar {
  return { kind: 'scalar', file: from.file, start: from.start, end: from.end, value }
}
