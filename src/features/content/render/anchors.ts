import GithubSlugger from 'github-slugger'
import { createAnchorCollector, longestTitle, trimSeparators } from '../parse/heading-slug.ts'
import type { Component, ComponentNode, PageNode } from './component.ts'
import { textOf } from './components/node-text.ts'
import { isForAgents } from './components/passage.ts'
import type { PageHeading } from './rendered-page.ts'

/** What can be linked to on a page. */
export interface Anchors {
  of(node: PageNode): Anchor | null
  headings: PageHeading[]
}

export interface Anchor {
  id: string
  /** Further ids that links may know it by: sites of this format are written for more than one way of making them. */
  aliases: string[]
  title: string
  /** In the table of contents; null: it is not in it. */
  depth: number | null
}

export type Components = Readonly<Record<string, Component>>

interface Entry {
  node: PageNode
  /** As it is written. */
  id: string | null
  /** What its anchors are made of; of headings that say theirs, nothing. */
  titles: string[]
  title: string
  depth: number | null
}

/** `headingsOnly`: what an index wants to know, of pages with thousands of fields much sooner. */
export function findAnchors(
  nodes: readonly PageNode[],
  components: Components,
  { headingsOnly = false }: { headingsOnly?: boolean } = {},
): Anchors {
  const entries = findEntries(nodes, components)
  const found = headingsOnly ? entries.filter(isHeading) : entries
  const slugger = new GithubSlugger()
  const taken = new Set<string>()
  for (const { id } of entries) if (id !== null) reserve(id)

  const ids = new Map<PageNode, string>()
  // A card that is called like a heading must not take its place in links.
  for (const { node, id, titles } of [...found.filter(isHeading), ...found.filter((one) => !isHeading(one))]) {
    const own = id ?? unused(titles[0] ?? '')
    taken.add(own)
    ids.set(node, own)
  }
  const anchors = new Map<PageNode, Anchor>()
  for (const { node, title, depth } of found) anchors.set(node, { id: ids.get(node)!, aliases: [], title, depth })
  // An alias gives way to what is really called so.
  const collector = createAnchorCollector()
  for (const { node, titles } of headingsOnly ? [] : found) {
    const { aliases } = anchors.get(node)!
    for (const alias of titles.flatMap((title) => collector.addTitle(title))) {
      if (!collector.anchors.has(alias) || taken.has(alias)) continue
      taken.add(alias)
      aliases.push(alias)
    }
  }
  const headings = [...anchors.values()].flatMap(({ id, title, depth }) =>
    depth === null ? [] : [{ depth, id, title }],
  )
  return { of: (node) => anchors.get(node) ?? null, headings }

  function reserve(id: string): void {
    taken.add(id)
    slugger.occurrences[id] ??= 0
  }

  function unused(title: string): string {
    const id = slugger.slug(title.trim().slice(0, longestTitle))
    return id === '' ? slugger.slug('section') : id
  }
}

function isHeading({ depth }: Entry): boolean {
  return depth !== null
}

/** In the order of the page. */
function findEntries(nodes: readonly PageNode[], components: Components): Entry[] {
  const found: Entry[] = []
  // A stack of our own: how deep they nest is up to their author.
  const open: { node: PageNode; around: Around }[] = []
  const push = (children: readonly PageNode[], around: Around) => {
    for (let at = children.length - 1; at >= 0; at--) open.push({ node: children[at]!, around })
  }
  push(nodes, { isUnseen: false, least: 1 })
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, around } = next
    const entry = entryOf(node, components)
    if (entry) {
      const isListed = entry.depth !== null && !around.isUnseen
      found.push({ node, ...entry, depth: isListed ? Math.max(entry.depth!, around.least) : null })
    }
    if (!('children' in node)) continue
    const isUpdate = node.type === 'component' && node.name === 'Update'
    push(node.children as PageNode[], {
      isUnseen: around.isUnseen || (node.type === 'component' && isForAgents(node)),
      least: isUpdate ? 3 : around.least,
    })
  }
  return found
}

interface Around {
  /** What only agents get cannot be gone to on the page. */
  isUnseen: boolean
  /** Headings of an update stand below its date. */
  least: number
}

function entryOf(node: PageNode, components: Components): Omit<Entry, 'node'> | null {
  if (node.type === 'heading') {
    const id = (node.data as { hProperties?: { id?: unknown } } | undefined)?.hProperties?.id
    return headingEntry(node.children, { id: typeof id === 'string' && id !== '' ? id : null, depth: node.depth })
  }
  if (node.type !== 'component') return null
  const id = typeof node.props.id === 'string' && node.props.id !== '' ? node.props.id : null
  const level = /^h([1-6])$/.exec(node.name)?.[1]
  if (level !== undefined) return headingEntry(node.children, { id, depth: Number(level) })
  const component = findComponent(components, node)
  const title = component?.title?.(node) ?? null
  if (title === null || title.trim() === '') return null
  const titles = [title, ...(component?.otherTitles?.(node) ?? [])]
  const saysItsOwn = id !== null && node.name === 'Heading'
  return { id, titles: saysItsOwn ? [] : titles, title, depth: component?.depth?.(node) ?? null }
}

function headingEntry(children: readonly PageNode[], { id, depth }: Pick<Entry, 'id' | 'depth'>): Omit<Entry, 'node'> {
  const whole = oneLine(textOf(children))
  // Badges and the like stand beside the words.
  const plain = children.filter((child) => child.type !== 'component' || /^[a-z]/.test(child.name))
  const words = plain.length === children.length ? whole : trimSeparators(oneLine(textOf(plain)))
  const titles = words === whole || words === '' ? [whole] : [whole, words]
  return { id, titles: id === null ? titles : [], title: words || whole, depth }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** The component that a name means; null for elements and unknown ones. */
export function findComponent(components: Components, { name }: ComponentNode): Component | null {
  return Object.hasOwn(components, name) ? components[name]! : null
}
