import type { Component, ComponentNode } from '../component.ts'
import { renderMath } from '../math.ts'
import { textOf } from './node-text.ts'

/** `<Latex>8 x (vk x H1)</Latex>`. Its braces are expressions, so most formulas are written with dollars instead. */
export const latex: Component = {
  html: (node) => [renderMath(textOf(node.children), { isBlock: !node.isInline })],
  markdown: (node) => [
    node.isInline
      ? ({ type: 'inlineMath', value: formulaOf(node) } as never)
      : ({ type: 'math', value: formulaOf(node) } as never),
  ],
}

function formulaOf(node: ComponentNode): string {
  return textOf(node.children).trim()
}
