import type { Nodes } from 'mdast'
import { gfmToMarkdown } from 'mdast-util-gfm'
import { toMarkdown } from 'mdast-util-to-markdown'
import type { Component, PageNode } from '../component.ts'
import { iconOf } from './component-icon.ts'
import { element } from './element.ts'
import { asFlow } from './flow.ts'
import { inlineMarkdown, markdownProp } from './inline-markdown.ts'
import { paragraph, strong, text } from './markdown-nodes.ts'
import { textOf } from './node-text.ts'
import { textProp } from './props.ts'

/** Words for a model, to be copied: the Markdown that its author wrote. */
export const prompt: Component = {
  html(node, context) {
    const description = markdownProp(node, 'description') ?? [text('Prompt')]
    return [
      element(
        'div',
        { className: ['prompt'], dataPrompt: '' },
        element(
          'div',
          { className: ['prompt-head'] },
          iconOf(node, context, { fallback: 'sparkles' }),
          element('div', { className: ['prompt-description'] }, context.children(description)),
        ),
        element(
          'details',
          { className: ['prompt-text'] },
          element('summary', {}, 'Show prompt'),
          element('pre', { tabIndex: 0 }, element('code', {}, promptText(node.children))),
        ),
      ),
    ]
  },
  markdown(node) {
    const description = textProp(node, 'description')
    return [
      paragraph(strong('Prompt'), ...(description === null ? [] : [text(': '), ...inlineMarkdown(description)])),
      { type: 'code', lang: 'text', value: promptText(node.children) },
    ]
  },
}

function promptText(nodes: PageNode[]): string {
  try {
    const children = asFlow(withoutComponents(nodes, 0)) as never[]
    return toMarkdown({ type: 'root', children } as Nodes, { bullet: '-', extensions: [gfmToMarkdown()] }).trim()
  } catch {
    // Trees of odd make: their words are better than nothing.
    return textOf(nodes).trim()
  }
}

function withoutComponents(nodes: readonly PageNode[], depth: number): PageNode[] {
  if (depth > 50) return []
  return nodes.flatMap((node): PageNode[] => {
    if (node.type === 'component') return withoutComponents(node.children, depth + 1)
    if (!('children' in node)) return [node]
    return [{ ...node, children: withoutComponents(node.children as PageNode[], depth + 1) } as PageNode]
  })
}
