import type { PhrasingContent } from 'mdast'
import type { PageNode } from '../component.ts'

const phrasing = new Set([
  'text',
  'strong',
  'emphasis',
  'delete',
  'inlineCode',
  'inlineMath',
  'break',
  'link',
  'linkReference',
  'image',
  'imageReference',
  'footnoteReference',
])

export function isPhrasing(node: PageNode): boolean {
  return node.type === 'component' ? node.isInline : phrasing.has(node.type)
}

/** Paragraphs around words that stand by themselves: `<Note>words</Note>` on one line has none. */
export function asFlow(nodes: readonly PageNode[]): PageNode[] {
  const flow: PageNode[] = []
  let run: PageNode[] = []
  const end = () => {
    if (run.some((node) => node.type !== 'text' || node.value.trim() !== '')) {
      // A component may stand in a line: what shows the line knows both.
      flow.push({ type: 'paragraph', children: run as PhrasingContent[] })
    }
    run = []
  }
  for (const node of nodes) {
    if (isPhrasing(node)) run.push(node)
    else {
      end()
      flow.push(node)
    }
  }
  end()
  return flow
}
