import type { PhrasingContent, RootContent } from 'mdast'
import type { PageNode } from '../component.ts'
import { isPhrasing } from './jsx-text.ts'

const isWord = (node: PageNode) => node.type === 'text' || (node.type === 'component' && isPhrasing(node.name))
const isBlank = (node: PageNode) => node.type === 'text' && node.value.trim() === ''

/** What such a line shows: blocks, or words after all. */
export function unravel(nodes: PageNode[]): PageNode[] {
  if (!nodes.every(isWord)) return nodes.filter((node) => !isBlank(node))
  return nodes.length === 0 ? [] : [paragraphOf(nodes)]
}

/** Paragraphs around words that stand between blocks, as expressions leave them. */
export function wrapWords(nodes: PageNode[]): PageNode[] {
  if (!nodes.some(isWord)) return nodes
  const flow: PageNode[] = []
  let words: PageNode[] = []
  const end = () => {
    if (!words.every(isBlank)) flow.push(paragraphOf(words))
    words = []
  }
  for (const node of nodes) {
    if (!isWord(node)) {
      end()
      flow.push(node)
    } else {
      if (words.length > 0) words.push({ type: 'text', value: ' ' })
      words.push(node)
    }
  }
  end()
  return flow
}

function paragraphOf(nodes: PageNode[]): PageNode {
  const words = nodes.map((node) => (node.type === 'component' ? { ...node, isInline: true } : node))
  return { type: 'paragraph', children: words as PhrasingContent[] }
}

/** A line of its own with nothing but elements is no paragraph: MDX writes blocks so. */
export function isOnlyJsx(children: readonly RootContent[]): boolean {
  let found = false
  for (const child of children) {
    if (child.type === 'mdxJsxTextElement' || child.type === 'mdxTextExpression') found = true
    else if (child.type !== 'text' || child.value.trim() !== '') return false
  }
  return found
}
