import type { Element, RootContent as HastContent, Nodes, Root } from 'hast'
import { raw } from 'hast-util-raw'
import type { PageNode, PropValue } from '../component.ts'
import type { Budget } from './budget.ts'

export interface HtmlPlace {
  from: string
  line: number | null
  isInline: boolean
  budget: Budget
}

/** A list of nodes in which HTML stands between others: its elements as components, around what they enclose. */
export type HtmlPiece = { html: string } | { nodes: PageNode[] }

const lineBreak = /^<br\s*\/?>$/i
// Deeper ones are put beside each other.
const mostDepth = 60

/** What browsers make of it, by the rules of HTML; throws when it is more than the stack holds. */
export function htmlNodes(pieces: HtmlPiece[], place: HtmlPlace): PageNode[] {
  if (pieces.every((piece) => !('html' in piece) || isSimple(piece.html))) {
    return pieces.flatMap((piece) => {
      if ('nodes' in piece) return piece.nodes
      return lineBreak.test(piece.html) ? [{ type: 'break' }] : []
    })
  }
  const children = pieces.map((piece, index) => ('html' in piece ? { type: 'raw', value: piece.html } : stand(index)))
  const tree = raw({ type: 'root', children } as Root, { passThrough: [standName] }) as Root
  return tree.children.flatMap((child) => convert(child, 0))

  function convert(node: Nodes | HastContent, depth: number): PageNode[] {
    if ((node as { type: string }).type === standName) {
      const piece = pieces[(node as unknown as { index: number }).index]
      return piece && 'nodes' in piece ? piece.nodes : []
    }
    if (node.type === 'text') {
      if (!place.budget.takeNode(node.value.length)) return []
      return [{ type: 'text', value: node.value }]
    }
    if (node.type !== 'element' || !place.budget.takeNode()) return []
    const inside = node.tagName === 'template' ? [] : node.children
    const converted = inside.flatMap((child) => convert(child, depth + 1))
    if (depth >= mostDepth) return converted
    return [
      {
        type: 'component',
        name: node.tagName,
        props: propsOf(node),
        children: converted,
        isInline: place.isInline,
        from: place.from,
        line: place.line,
      },
    ]
  }
}

const standName = 'stand'

function stand(index: number) {
  return { type: standName, index }
}

function isSimple(html: string): boolean {
  return lineBreak.test(html) || (html.startsWith('<!--') && html.indexOf('-->') === html.length - 3)
}

function propsOf({ properties }: Element): Record<string, PropValue> {
  const props: Record<string, PropValue> = Object.create(null)
  for (const [name, value] of Object.entries(properties)) {
    if (name === '__proto__' || value === null || value === undefined) continue
    props[name] = Array.isArray(value) ? value.join(' ') : value
  }
  return props
}
