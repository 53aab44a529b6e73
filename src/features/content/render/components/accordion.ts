import type { Component } from '../component.ts'
import { iconOf } from './component-icon.ts'
import { element } from './element.ts'
import { asFlow } from './flow.ts'
import { inlineMarkdown, markdownProp } from './inline-markdown.ts'
import { joinLists, paragraph, strong, text } from './markdown-nodes.ts'
import { flagProp, nodesProp, textProp } from './props.ts'

export const accordion: Component = {
  html(node, context) {
    const icon = iconOf(node, context)
    const description = markdownProp(node, 'description')
    return [
      element(
        'details',
        { className: ['accordion'], id: context.idOf(node), open: flagProp(node, 'defaultOpen') ? true : null },
        element(
          'summary',
          {},
          icon.length > 0 ? element('span', { className: ['accordion-icon'] }, icon) : null,
          element(
            'span',
            { className: ['accordion-title'] },
            context.children(nodesProp(node, 'title') ?? [{ type: 'text', value: 'Details' }]),
          ),
          description && element('span', { className: ['accordion-description'] }, context.children(description)),
        ),
        element('div', { className: ['accordion-body'] }, context.children(asFlow(node.children))),
      ),
    ]
  },
  markdown(node, context) {
    const title = textProp(node, 'title')
    const description = textProp(node, 'description')
    return [
      ...(title === null ? [] : [paragraph(strong(title))]),
      ...(description === null ? [] : [paragraph(...inlineMarkdown(description))]),
      ...joinLists(asFlow(context.children(node.children))),
    ]
  },
  title: (node) => textProp(node, 'title'),
}

export const accordionGroup: Component = {
  html: (node, context) => [
    element('div', { className: ['accordion-group'] }, context.children(asFlow(node.children))),
  ],
  markdown: (node, context) => asFlow(context.children(node.children)),
}

/** The fields of a field. */
export const expandable: Component = {
  html: (node, context) => [
    element(
      'details',
      { className: ['expandable'], id: context.idOf(node), open: flagProp(node, 'defaultOpen') ? true : null },
      element(
        'summary',
        {},
        element(
          'span',
          { className: ['expandable-title'] },
          context.children(nodesProp(node, 'title') ?? [{ type: 'text', value: 'properties' }]),
        ),
      ),
      element('div', { className: ['expandable-body'] }, context.children(asFlow(node.children))),
    ),
  ],
  markdown(node, context) {
    const title = textProp(node, 'title')
    const isPlain = title === null || /^(child )?(properties|attributes)$/i.test(title)
    return [...(isPlain ? [] : [paragraph(text(`${title}:`))]), ...joinLists(asFlow(context.children(node.children)))]
  },
  title: (node) => textProp(node, 'title'),
}
