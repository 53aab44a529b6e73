import type { AlignType, PhrasingContent, TableRow } from 'mdast'
import type { ComponentNode, PageNode } from './component.ts'
import { asFlow, isPhrasing } from './components/flow.ts'
import { textOf } from './components/node-text.ts'

const text = (value: string): PageNode => ({ type: 'text', value })

/** An element that the author wrote, in the Markdown that comes nearest. `children` are Markdown already. */
export function elementMarkdown(node: ComponentNode, children: PageNode[]): PageNode[] {
  const { name, props } = node
  const given = (prop: string) => (typeof props[prop] === 'string' ? props[prop] : '')
  const level = /^h([1-6])$/.exec(name)?.[1]
  if (level) return [{ type: 'heading', depth: Number(level) as 1, children: asPhrasing(children) }]
  switch (name) {
    case 'a': {
      if (given('href') === '') return children
      const link: PageNode = { type: 'link', url: given('href'), children: asPhrasing(children) }
      // Around blocks it is a block itself.
      return children.every(isPhrasing) ? [link] : [{ type: 'paragraph', children: [link] }]
    }
    case 'img':
      return given('src') === '' ? [] : [{ type: 'image', url: given('src'), alt: given('alt') }]
    case 'video':
    case 'audio': {
      const url = given('src') || sourceOf(node.children)
      const label = given('title') || (name === 'video' ? 'Video' : 'Audio')
      return url === '' ? children : [{ type: 'link', url, children: [text(label) as never] }]
    }
    case 'source':
    case 'track':
    case 'svg':
    case 'input':
    case 'col':
    case 'colgroup':
      return []
    case 'b':
    case 'strong':
      return wrapped('strong', children)
    case 'i':
    case 'em':
      return wrapped('emphasis', children)
    case 's':
    case 'del':
    case 'strike':
      return wrapped('delete', children)
    case 'code':
    case 'kbd':
    case 'samp':
    case 'tt':
      return children.every(isPhrasing) ? [{ type: 'inlineCode', value: textOf(children) }] : children
    case 'br':
      return [{ type: 'break' }]
    case 'hr':
      return [{ type: 'thematicBreak' }]
    case 'pre': {
      const [only] = children
      if (children.length === 1 && only?.type === 'code') return [only]
      return [{ type: 'code', lang: null, value: textOf(children).replace(/^\n|\n$/g, '') }]
    }
    case 'p':
    case 'summary':
    case 'figcaption':
    case 'dt':
      return asFlow(children)
    case 'blockquote':
      return [{ type: 'blockquote', children: asFlow(children) as never }]
    case 'ul':
    case 'ol':
    case 'menu': {
      const items = node.children.length === 0 ? [] : children.filter((child) => (child.type as string) === 'listItem')
      return items.length === 0
        ? children
        : [{ type: 'list', ordered: name === 'ol', spread: false, children: items as never }]
    }
    case 'li':
      return [{ type: 'listItem', spread: false, children: asFlow(children) as never } as never]
    case 'table':
      return tableOf(children)
    case 'tr':
      return [
        {
          type: 'tableRow',
          children: children.filter((child) => (child.type as string) === 'tableCell') as never,
        } as never,
      ]
    case 'td':
    case 'th':
      return [{ type: 'tableCell', children: asPhrasing(children) } as never]
    default:
      return children
  }
}

function wrapped(type: 'strong' | 'emphasis' | 'delete', children: PageNode[]): PageNode[] {
  if (children.length === 0 || !children.every(isPhrasing)) return children
  return [{ type, children: children as PhrasingContent[] }]
}

function sourceOf(children: readonly PageNode[]): string {
  for (const child of children) {
    if (child.type === 'component' && child.name === 'source' && typeof child.props.src === 'string')
      return child.props.src
  }
  return ''
}

function tableOf(children: PageNode[]): PageNode[] {
  const rows = (children as unknown as TableRow[]).filter(
    ({ type, children: cells }) => type === 'tableRow' && cells.length > 0,
  )
  const captions = children.filter((child) => (child.type as string) !== 'tableRow' && textOf([child]).trim() !== '')
  if (rows.length === 0) return children
  const columns = Math.max(...rows.slice(0, 1_000).map(({ children: cells }) => cells.length))
  const align: AlignType[] = Array.from({ length: columns }, () => null)
  return [...asFlow(captions), { type: 'table', align, children: rows }]
}

/** What stands in a line: of blocks, their words. */
export function asPhrasing(nodes: readonly PageNode[]): PhrasingContent[] {
  const result: PageNode[] = []
  for (const node of nodes) {
    if (isPhrasing(node)) result.push(node)
    else {
      if (result.length > 0) result.push(text(' '))
      if (node.type === 'paragraph' || node.type === 'heading') result.push(...node.children)
      else if (node.type === 'code') result.push({ type: 'inlineCode', value: node.value.replace(/\s+/g, ' ') })
      else {
        const words = textOf([node]).replace(/\s+/g, ' ').trim()
        if (words !== '') result.push(text(words))
      }
    }
  }
  return result as PhrasingContent[]
}
