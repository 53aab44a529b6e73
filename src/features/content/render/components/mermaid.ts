import { diagram, fenceMarkdown } from '../code/fence.ts'
import type { Component, ComponentNode } from '../component.ts'
import { textOf } from './node-text.ts'
import { propOf, textProp } from './props.ts'

/** `<Mermaid chart="…">`; diagrams in fences are shown by `showFence`. */
export const mermaid: Component = {
  html: (node) => {
    const placement = textProp(node, 'placement')
    const actions = propOf(node, 'actions')
    const options = {
      ...(placement === null ? {} : { placement }),
      ...(typeof actions === 'boolean' ? { actions: String(actions) } : {}),
    }
    return [diagram({ text: sourceOf(node), options })]
  },
  markdown: (node) => [fenceMarkdown({ language: 'mermaid', title: null, text: sourceOf(node) })],
}

function sourceOf(node: ComponentNode): string {
  const chart = propOf(node, 'chart')
  return (typeof chart === 'string' ? chart : textOf(node.children)).trim()
}
