import type { Component } from '../component.ts'
import { cardLink, linkLabel } from './card.ts'
import { element, present } from './element.ts'
import { asFlow } from './flow.ts'
import { inlineMarkdown, markdownProp } from './inline-markdown.ts'
import { joiningList, link, listItem, strong } from './markdown-nodes.ts'
import { nodesProp, textProp } from './props.ts'

export const tile: Component = {
  html(node, context) {
    const href = textProp(node, 'href')
    const description = markdownProp(node, 'description')
    const title =
      nodesProp(node, 'title') ?? (href === null ? null : [{ type: 'text' as const, value: linkLabel(node, href) }])
    return [
      element(
        'div',
        { className: ['tile'], dataLink: present(href !== null) },
        element('div', { className: ['tile-preview'] }, context.children(node.children)),
        title &&
          element(
            'p',
            { className: ['tile-title'] },
            href === null ? context.children(title) : cardLink(context.children(title), href, context),
          ),
        description && element('p', { className: ['tile-description'] }, context.children(description)),
      ),
    ]
  },
  markdown(node, context) {
    const href = textProp(node, 'href')
    const title = textProp(node, 'title') ?? (href === null ? null : linkLabel(node, href))
    const description = textProp(node, 'description')
    // The preview is a picture of what the title says.
    if (title === null) return asFlow(context.children(node.children))
    const head = href === null ? strong(title) : link(href, title)
    return [joiningList([listItem([head], description === null ? [] : inlineMarkdown(description))])]
  },
}
