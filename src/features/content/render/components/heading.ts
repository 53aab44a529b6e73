import type { Heading } from 'mdast'
import type { Component, ComponentNode } from '../component.ts'
import { element } from './element.ts'
import { textOf } from './node-text.ts'
import { numberProp } from './props.ts'

/** `<Heading level={2} id="…">`. */
export const heading: Component = {
  html(node, context) {
    const id = context.idOf(node)
    const label = `Link to “${textOf(node.children).trim().slice(0, 200)}”`
    return [
      element(
        `h${levelOf(node)}`,
        { id },
        context.children(node.children),
        id && element('a', { href: `#${encodeURIComponent(id)}`, className: ['heading-anchor'], ariaLabel: label }),
      ),
    ]
  },
  markdown: (node, context) => [
    { type: 'heading', depth: levelOf(node), children: context.children(node.children) as Heading['children'] },
  ],
  title: (node) => textOf(node.children).trim() || null,
  depth: levelOf,
}

function levelOf(node: ComponentNode): Heading['depth'] {
  const level = Math.round(numberProp(node, 'level') ?? 2)
  return Math.min(Math.max(level, 1), 6) as Heading['depth']
}
