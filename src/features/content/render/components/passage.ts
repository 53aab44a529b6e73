import type { Component, ComponentNode, PageNode } from '../component.ts'
import { element } from './element.ts'
import { asFlow } from './flow.ts'
import { joinLists } from './markdown-nodes.ts'
import { textProp } from './props.ts'

/** What stands at the side of the page. */
export const panel: Component = {
  html: (node, context) => [
    element('div', { className: ['panel'], dataPanel: '' }, context.children(asFlow(node.children))),
  ],
  markdown: (node, context) => joinLists(asFlow(context.children(node.children))),
}

/** For people (the page) or for agents (its Markdown); for both, unless it says for whom. */
export const visibility: Component = {
  html: (node, context) => (isForAgents(node) ? [] : context.children(contentOf(node))),
  markdown: (node, context) => (textProp(node, 'for') === 'humans' ? [] : context.children(contentOf(node))),
}

export function isForAgents(node: ComponentNode): boolean {
  return node.name === 'Visibility' && textProp(node, 'for') === 'agents'
}

function contentOf(node: ComponentNode): PageNode[] {
  return node.isInline ? node.children : asFlow(node.children)
}
