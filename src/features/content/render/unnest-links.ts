import type { PageNode } from './component.ts'

/**
 * Of a link inside another, its words: `<a href="mailto:…">me@example.com</a>` has an address inside that the parser makes
 * a link by itself. Browsers end the outer one there, and Markdown cannot say it.
 */
export function unnestLinks(nodes: PageNode[]): void {
  // A stack of our own: how deep they nest is up to their author.
  const open = nodes.map((node) => ({ node, isLinked: false }))
  for (let next = open.pop(); next; next = open.pop()) {
    const { node } = next
    if (!('children' in node)) continue
    const isLinked = next.isLinked || isLink(node)
    const inside = node as { children: PageNode[] }
    if (isLinked) while (inside.children.some(isLink)) inside.children = inside.children.flatMap(wordsOf)
    for (const child of inside.children) open.push({ node: child, isLinked })
  }
}

function isLink(node: PageNode): boolean {
  return node.type === 'link' || (node.type === 'component' && node.name === 'a' && typeof node.props.href === 'string')
}

function wordsOf(node: PageNode): PageNode[] {
  return isLink(node) && 'children' in node ? (node.children as PageNode[]) : [node]
}
