import type { Component, PageNode } from '../component.ts'
import { element } from './element.ts'
import { asFlow } from './flow.ts'
import { inlineMarkdown, markdownProp } from './inline-markdown.ts'
import { joinLists, paragraph, titleWords } from './markdown-nodes.ts'
import { nodesProp, textProp, textsProp } from './props.ts'

/** An entry of a changelog. */
export const update: Component = {
  html(node, context) {
    const id = context.idOf(node)
    const label = context.children(nodesProp(node, 'label') ?? [{ type: 'text', value: 'Update' }])
    const tags = textsProp(node, 'tags')
    const description = markdownProp(node, 'description')
    return [
      element(
        'section',
        { className: ['update'], id },
        element(
          'div',
          { className: ['update-head'] },
          element(
            'h2',
            { className: ['update-label'] },
            id === null ? label : element('a', { href: `#${encodeURIComponent(id)}` }, label),
          ),
          tags.length > 0
            ? element(
                'ul',
                { className: ['update-tags'] },
                tags.map((tag) => element('li', {}, tag)),
              )
            : null,
          description && element('p', { className: ['update-description'] }, context.children(description)),
        ),
        element('div', { className: ['update-body'] }, context.children(asFlow(node.children))),
      ),
    ]
  },
  markdown(node, context) {
    const description = textProp(node, 'description')
    const tags = textsProp(node, 'tags')
    const head: PageNode[] = [{ type: 'heading', depth: 2, children: titleWords(textProp(node, 'label') ?? 'Update') }]
    if (description !== null) head.push(paragraph(...inlineMarkdown(description)))
    if (tags.length > 0) head.push(paragraph(`Tags: ${tags.join(', ')}`))
    return [...head, ...joinLists(asFlow(context.children(node.children)))]
  },
  title: (node) => textProp(node, 'label'),
  depth: () => 2,
}
