import type { Component } from '../component.ts'
import { element } from './element.ts'
import { inlineMarkdown, markdownProp } from './inline-markdown.ts'
import { link, text } from './markdown-nodes.ts'
import { textProp } from './props.ts'

export const tooltip: Component = {
  html(node, context) {
    const id = `tooltip-${context.nextId()}`
    const headline = textProp(node, 'headline')
    const href = textProp(node, 'href')
    return [
      element(
        'span',
        { className: ['tooltip'], tabIndex: 0, ariaDescribedBy: id },
        context.children(node.children),
        element(
          'span',
          { className: ['tooltip-content'], role: 'tooltip', id },
          headline && element('strong', {}, headline),
          headline && ' ',
          context.children(markdownProp(node, 'tip', 'description') ?? []),
          href && ' ',
          href && element('a', { href: context.link(href) }, textProp(node, 'cta') ?? 'More'),
        ),
      ),
    ]
  },
  markdown(node, context) {
    const headline = textProp(node, 'headline')
    const tip = textProp(node, 'tip', 'description')
    const href = textProp(node, 'href')
    const words = context.children(node.children)
    if (tip === null && href === null) return words
    return [
      ...words,
      text(headline === null ? ' (' : ` (${headline}: `),
      ...(tip === null ? [] : inlineMarkdown(tip)),
      ...(href === null ? [] : [text(' '), link(href, textProp(node, 'cta') ?? 'More')]),
      text(')'),
    ]
  },
}
