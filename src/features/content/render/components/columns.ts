import type { Component, ComponentNode } from '../component.ts'
import { element } from './element.ts'
import { asFlow } from './flow.ts'
import { joinLists } from './markdown-nodes.ts'
import { numberProp } from './props.ts'

/** Cards, tiles or `Column`s beside each other: `Columns`, `CardGroup`, `Tiles`. */
export const columns: Component = {
  html: (node, context) => [
    element(
      'div',
      { className: ['columns'], dataCols: String(countOf(node)) },
      context.children(asFlow(node.children)),
    ),
  ],
  markdown: (node, context) => joinLists(asFlow(context.children(node.children))),
}

export const column: Component = {
  html: (node, context) => [element('div', { className: ['column'] }, context.children(asFlow(node.children)))],
  markdown: (node, context) => joinLists(asFlow(context.children(node.children))),
}

function countOf(node: ComponentNode): number {
  const asked = numberProp(node, 'cols') ?? numberProp(node, 'columns') ?? 2
  return Math.min(Math.max(Math.round(asked), 1), 4)
}
