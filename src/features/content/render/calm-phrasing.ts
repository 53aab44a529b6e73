import type { PhrasingContent, Root, RootContent } from 'mdast'

// Which marks of emphasis can stand beside which is searched for; people do not write this many in a paragraph.
const mostMarks = 60
const marks = new Set(['strong', 'emphasis', 'delete'])

/**
 * Leaves out emphasis that says nothing (inside its like), and all of it where there is too much: writing it as Markdown
 * would take minutes.
 */
export function calmPhrasing(tree: Root): void {
  const open: (Root | RootContent)[] = [tree]
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell') {
      const plain = countMarks(node.children) > mostMarks
      node.children = calm(node.children, plain ? [...marks] : [])
    } else if ('children' in node) for (const child of node.children) open.push(child)
  }
}

function countMarks(nodes: readonly PhrasingContent[]): number {
  let count = 0
  const open: PhrasingContent[] = [...nodes]
  for (let node = open.pop(); node; node = open.pop()) {
    if (marks.has(node.type)) count++
    if ('children' in node) for (const child of node.children) open.push(child as PhrasingContent)
  }
  return count
}

function calm(nodes: readonly PhrasingContent[], around: readonly string[]): PhrasingContent[] {
  const result: PhrasingContent[] = []
  for (const node of nodes) {
    const isMeaningless = 'children' in node && around.includes(node.type)
    const inside = 'children' in node ? calm(node.children as PhrasingContent[], [...around, node.type]) : []
    const kept = isMeaningless
      ? inside
      : [('children' in node ? { ...node, children: inside } : node) as PhrasingContent]
    for (const one of kept) {
      const last = result.at(-1)
      // Each text is looked through by itself for what must be escaped.
      if (one.type === 'text' && last?.type === 'text') {
        result[result.length - 1] = { type: 'text', value: last.value + one.value }
      } else result.push(one)
    }
  }
  return result
}
