import type { Paragraph, PhrasingContent } from 'mdast'
import { markdownToMdast } from 'satteri'
import type { ComponentNode, PageNode } from '../component.ts'
import { isNodes, propOf, textProp } from './props.ts'

// A caption is a line or two. The parser is quick, but what it makes of brackets upon brackets is large.
const longestMarkdown = 1_000

/** A property that may hold Markdown: captions, hints, descriptions. Only words and links: what makes blocks stays text. */
export function markdownProp(node: ComponentNode, ...names: string[]): PageNode[] | null {
  for (const name of names) {
    const value = propOf(node, name)
    if (isNodes(value)) return value.children
    const text = textProp(node, name)
    if (text !== null) return inlineMarkdown(text)
  }
  return null
}

export function inlineMarkdown(text: string): PhrasingContent[] {
  const plain: PhrasingContent[] = [{ type: 'text', value: text }]
  if (text.length > longestMarkdown || !/[*_`[\]~<&\\]/.test(text)) return plain
  try {
    const tree = markdownToMdast(text, { features: { headingAttributes: false, math: false } })
    const [first, ...others] = (tree as unknown as { children: (Paragraph | { type: 'other' })[] }).children
    return others.length === 0 && first?.type === 'paragraph' && !holdsHtml(first) ? first.children : plain
  } catch {
    return plain
  }
}

function holdsHtml(paragraph: Paragraph): boolean {
  const open: PhrasingContent[] = [...paragraph.children]
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'html') return true
    if ('children' in node) open.push(...(node.children as PhrasingContent[]))
  }
  return false
}
