import type { Root } from 'mdast'
import { gfmToMarkdown } from 'mdast-util-gfm'
import { type Handle, type Options, toMarkdown } from 'mdast-util-to-markdown'
import { type Components, findComponent } from './anchors.ts'
import { calmPhrasing } from './calm-phrasing.ts'
import { fenceMarkdown, readFence } from './code/fence.ts'
import type { ComponentNode, MarkdownContext, PageNode } from './component.ts'
import { asFlow, isPhrasing } from './components/flow.ts'
import { joinLists } from './components/markdown-nodes.ts'
import { asPhrasing, elementMarkdown } from './element-markdown.ts'
import { noteName } from './expand/note.ts'
import type { Holes } from './holes.ts'
import { fromOf } from './html-output.ts'
import { noteMarkdown, unknownComponent } from './note-output.ts'

export interface MarkdownParts {
  path: string
  holes: Holes
  components: Components
  /** How many nodes are shown before it is too much: a component may show what is inside it more than once. */
  mostNodes: number
}

/** The page as Markdown, with marks in its holes. */
export function writeMarkdown(nodes: PageNode[], { path, holes, components, mostNodes }: MarkdownParts): string {
  let shown = 0
  // What a component returns may hold what it got from `children`, which is Markdown already.
  const done = new WeakSet<PageNode>()
  const children = asFlow(joinLists(convertAll(nodes, [], path)))
  const tree: Root = { type: 'root', children: children as Root['children'] }
  calmPhrasing(tree)
  return toMarkdown(tree, options)

  function convertAll(list: readonly PageNode[], parents: readonly string[], from: string): PageNode[] {
    return list.flatMap((node) => {
      if (done.has(node)) return [node]
      const converted = convert(node, parents, from)
      for (const one of converted) done.add(one)
      return converted
    })
  }

  function convert(node: PageNode, parents: readonly string[], from: string): PageNode[] {
    if (++shown > mostNodes) return []
    switch (node.type) {
      case 'component':
        return convertComponent(node, parents)
      case 'html':
        return []
      case 'link': {
        const url = holes.link(node.url, fromOf(node, from), 'link')
        const inside = asPhrasing(convertAll(node.children, parents, from))
        return url === null ? inside : [{ type: 'link', url, title: node.title ?? null, children: inside }]
      }
      case 'image': {
        const url = holes.link(node.url, fromOf(node, from), 'image')
        const alt = node.alt ?? ''
        if (url === null || url.startsWith('data:')) return alt === '' ? [] : [{ type: 'text', value: alt }]
        return [{ type: 'image', url, alt, title: node.title ?? null }]
      }
      case 'code':
        return [fenceMarkdown(readFence(node))]
      case 'paragraph':
        return asFlow(convertAll(node.children, parents, from))
      case 'heading':
      case 'emphasis':
      case 'strong':
      case 'delete':
        return [{ ...node, children: asPhrasing(convertAll(node.children, parents, from)) }]
      case 'table':
      case 'tableRow':
        return [{ ...node, children: convertAll(node.children, parents, from) as never }]
      case 'tableCell':
        return [{ ...node, children: asPhrasing(convertAll(node.children, parents, from)) }]
      case 'list':
        return [{ ...node, children: convertAll(node.children, parents, from).filter(isListItem) as never }]
    }
    if (!('children' in node)) return [node]
    const inside = convertAll(node.children as PageNode[], parents, from)
    return [{ ...node, children: (inside.some(isPhrasing) ? asFlow(inside) : inside) as never } as PageNode]
  }

  function convertComponent(node: ComponentNode, parents: readonly string[]): PageNode[] {
    if (node.name === noteName) return noteMarkdown(node)
    const inner = [node.name, ...parents]
    const context: MarkdownContext = { parents, children: (list) => convertAll(list, inner, node.from) }
    const component = findComponent(components, node)
    if (component) {
      try {
        return convertAll(component.markdown(node, context), inner, node.from)
      } catch {
        return context.children(node.children)
      }
    }
    const inside = context.children(node.children)
    if (/^[a-z]/.test(node.name)) return convertAll(elementMarkdown(node, inside), inner, node.from)
    return inside.length > 0 ? inside : noteMarkdown({ ...node, props: { message: unknownComponent(node) } })
  }
}

function isListItem(node: PageNode): boolean {
  return (node.type as string) === 'listItem'
}

const inlineMath: Handle = (node: { value: string }) => `$${node.value}$`
const math: Handle = (node: { value: string }) => `$$\n${node.value}\n$$`

const options: Options = {
  extensions: [gfmToMarkdown({ tablePipeAlign: false })],
  bullet: '-',
  emphasis: '_',
  rule: '-',
  listItemIndent: 'one',
  handlers: { inlineMath, math } as never,
}
