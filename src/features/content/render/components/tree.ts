import type { Element } from 'hast'
import type { BlockContent, List, ListItem } from 'mdast'
import type { Component, ComponentNode, HtmlContext, PageNode } from '../component.ts'
import { ownIcon } from './component-icon.ts'
import { element, present } from './element.ts'
import { code, joiningList, paragraph, text } from './markdown-nodes.ts'
import { textOf } from './node-text.ts'
import { flagProp, isRefused, textProp } from './props.ts'

/** A folder or file, whichever way it was written. */
interface Entry {
  name: string
  /** Null: a file. */
  entries: Entry[] | null
  isOpen: boolean
  canOpen: boolean
  isHighlighted: boolean
  /** What an author wrote beside the name. */
  note: string
}

const deepest = 30

export const tree: Component = {
  html: (node, context) => [
    element(
      'ul',
      { className: ['tree'] },
      entriesOf(node.children, 0).map((entry) => entryElement(entry, context)),
    ),
  ],
  markdown(node) {
    const entries = entriesOf(node.children, 0)
    return entries.length === 0 ? [] : [entryList(entries)]
  },
}

/** One that stands outside a `Tree`. */
export const treeEntry: Component = {
  html: (node, context) => tree.html({ ...node, children: [node] }, context),
  markdown: (node, context) => tree.markdown({ ...node, children: [node] }, context),
}

function entriesOf(nodes: readonly PageNode[], depth: number): Entry[] {
  if (depth > deepest) return []
  return nodes.flatMap((node): Entry[] => {
    if (node.type === 'component') return componentEntries(node, depth)
    if (node.type === 'list') return node.children.map((item) => listedEntry(item, depth))
    return 'children' in node ? entriesOf(node.children as PageNode[], depth + 1) : []
  })
}

function componentEntries(node: ComponentNode, depth: number): Entry[] {
  const isFolder = /(^|\.)Folder$/.test(node.name)
  if (!isFolder && !/(^|\.)File$/.test(node.name)) return entriesOf(node.children, depth + 1)
  return [
    {
      name: textProp(node, 'name') ?? textOf(node.children).trim(),
      entries: isFolder ? entriesOf(node.children, depth + 1) : null,
      isOpen: flagProp(node, 'defaultOpen'),
      canOpen: !isRefused(node, 'openable'),
      isHighlighted: flagProp(node, 'highlight'),
      note: '',
    },
  ]
}

function listedEntry(item: ListItem, depth: number): Entry {
  const nested = item.children.filter((child) => child.type === 'list')
  const words = textOf(item.children.filter((child) => child.type !== 'list')).trim()
  const [name = '', ...note] = words.split(/\s+(?=[#←–—-])|\n/)
  const isFolder = nested.length > 0 || name.endsWith('/')
  return {
    name: isFolder ? name.replace(/\/$/, '') : name,
    entries: isFolder ? entriesOf(nested, depth + 1) : null,
    isOpen: true,
    canOpen: true,
    isHighlighted: false,
    note: note.join(' '),
  }
}

function entryElement({ name, entries, isOpen, canOpen, isHighlighted, note }: Entry, context: HtmlContext): Element {
  const highlight = present(isHighlighted)
  const label = [
    ownIcon(context, entries ? 'folder' : 'file'),
    name,
    note === '' ? [] : element('small', {}, ` ${note}`),
  ]
  if (!entries) return element('li', { className: ['tree-file'], dataHighlight: highlight }, ...label)
  const inside = entries.map((entry) => entryElement(entry, context))
  const list = inside.length > 0 ? element('ul', {}, inside) : null
  return element(
    'li',
    { className: ['tree-folder'], dataHighlight: highlight },
    canOpen && list
      ? element('details', { open: isOpen ? true : null }, element('summary', {}, ...label), list)
      : [element('span', { className: ['tree-name'] }, ...label), list],
  )
}

function entryList(entries: Entry[]): List {
  return joiningList(
    entries.map(({ name, entries: inside, note }): ListItem => {
      const line = paragraph(code(inside ? `${name}/` : name || '?'), text(note === '' ? '' : ` ${note}`))
      const children: BlockContent[] = inside && inside.length > 0 ? [line, entryList(inside)] : [line]
      return { type: 'listItem', spread: false, children }
    }),
  )
}
