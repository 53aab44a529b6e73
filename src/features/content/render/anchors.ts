import GithubSlugger from 'github-slugger'
import { mintlifySlug } from '../parse/heading-slug.ts'
import type { Component, ComponentNode, PageNode } from './component.ts'
import { textOf } from './components/node-text.ts'
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

const longestId = 200

export function findAnchors(nodes: readonly PageNode[], components: Components): Anchors {
  const found: { node: PageNode; id: string | null; words: string; title: string; depth: number | null }[] = []
  // A stack of our own, in the order of the page.
  const open: PageNode[] = [...nodes].reverse()
  for (let node = open.pop(); node; node = open.pop()) {
    const entry = entryOf(node, components)
    if (entry) found.push({ node, ...entry })
    if ('children' in node)
      for (let at = node.children.length - 1; at >= 0; at--) open.push(node.children[at] as PageNode)
  }
  const slugger = new GithubSlugger()
  const taken = new Set<string>()
  for (const { id } of found) if (id !== null) reserve(id)

  const anchors = new Map<PageNode, Anchor>()
  for (const { node, id, title, depth, words } of found) {
    const own = id ?? unused(title)
    taken.add(own)
    anchors.set(node, { id: own, aliases: id === null ? aliasesOf(title, words) : [], title: words || title, depth })
  }
  // An alias gives way to what is really called so.
  const counts = new Map<string, number>()
  for (const anchor of anchors.values()) {
    anchor.aliases = anchor.aliases.flatMap((alias, index) => {
      const count = counts.get(`${index} ${alias}`) ?? 0
      counts.set(`${index} ${alias}`, count + 1)
      const numbered = count === 0 ? alias : `${alias}-${count + 1}`
      if (numbered === '' || taken.has(numbered)) return []
      taken.add(numbered)
      return [numbered]
    })
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
    const id = slugger.slug(title.trim().slice(0, longestId))
    return id === '' ? slugger.slug('section') : id
  }
}

function aliasesOf(title: string, words: string): string[] {
  const cut = title.trim().slice(0, longestId)
  const withoutComponents = new GithubSlugger().slug(words.trim().slice(0, longestId))
  return [mintlifySlug(cut), ...(words === title ? [] : [withoutComponents])]
}

function entryOf(node: PageNode, components: Components) {
  if (node.type === 'heading') {
    const id = (node.data as { hProperties?: { id?: unknown } } | undefined)?.hProperties?.id
    return { ...titleOf(node.children), id: typeof id === 'string' && id !== '' ? id : null, depth: node.depth }
  }
  if (node.type !== 'component') return null
  const id = typeof node.props.id === 'string' && node.props.id !== '' ? node.props.id : null
  const level = /^h([1-6])$/.exec(node.name)?.[1]
  if (level !== undefined) return { ...titleOf(node.children), id, depth: Number(level) }
  const component = Object.hasOwn(components, node.name) ? components[node.name] : undefined
  const title = component?.title?.(node) ?? null
  if (title === null || title.trim() === '') return null
  return { title, words: title, id, depth: component?.depth?.(node) ?? null }
}

/** `words`: without the badges and the like that stand beside them. */
function titleOf(children: readonly PageNode[]): { title: string; words: string } {
  const title = oneLine(textOf(children))
  const plain = children.filter((child) => child.type !== 'component' || /^[a-z]/.test(child.name))
  return { title, words: oneLine(textOf(plain)) }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** The component that a name means; null for elements and unknown ones. */
export function findComponent(components: Components, { name }: ComponentNode): Component | null {
  return Object.hasOwn(components, name) ? components[name]! : null
}
