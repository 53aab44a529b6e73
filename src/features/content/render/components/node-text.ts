import type { PageNode } from '../component.ts'

const mostCharacters = 100_000

/** The words in nodes, components' included, without recursion: how deep they nest is up to their author. */
export function textOf(nodes: readonly PageNode[]): string {
  let text = ''
  const open: PageNode[] = [...nodes].reverse()
  for (let node = open.pop(); node; node = open.pop()) {
    if (text.length > mostCharacters) break
    if (node.type === 'break') text += ' '
    else if ('value' in node && typeof node.value === 'string' && node.type !== 'html') text += node.value
    if ('children' in node) for (let at = node.children.length - 1; at >= 0; at--) open.push(node.children[at]!)
  }
  return text
}
