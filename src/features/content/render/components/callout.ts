import type { Component, ComponentNode } from '../component.ts'
import { iconOf } from './component-icon.ts'
import { element } from './element.ts'
import { asFlow } from './flow.ts'
import { paragraph, strong, text } from './markdown-nodes.ts'
import { nearestColor } from './palette.ts'
import { choiceProp, nodesProp, textProp } from './props.ts'

export const calloutKinds = ['note', 'info', 'tip', 'warning', 'check', 'danger'] as const

export type CalloutKind = (typeof calloutKinds)[number]

export const calloutIcons: Record<CalloutKind, string> = {
  note: 'circle-alert',
  info: 'info',
  tip: 'lightbulb',
  warning: 'triangle-alert',
  check: 'circle-check',
  danger: 'octagon-alert',
}

const labels: Record<CalloutKind | 'custom', string> = {
  note: 'Note',
  info: 'Info',
  tip: 'Tip',
  warning: 'Warning',
  check: 'Done',
  danger: 'Danger',
  custom: 'Note',
}

export const callout = (named: CalloutKind | 'custom'): Component => {
  const kindOf = (node: ComponentNode) =>
    named === 'custom' ? (choiceProp(node, 'type', calloutKinds) ?? 'custom') : named
  return {
    html(node, context) {
      const kind = kindOf(node)
      const title = nodesProp(node, 'title')
      const fallback = kind === 'custom' ? null : calloutIcons[kind]
      return [
        element(
          'div',
          {
            className: ['callout'],
            role: 'note',
            ariaLabel: labels[kind],
            dataKind: kind,
            dataColor: kind === 'custom' ? nearestColor(textProp(node, 'color') ?? '') : null,
          },
          iconOf(node, context, { className: 'callout-icon', fallback, inColor: false }),
          element(
            'div',
            { className: ['callout-body'] },
            title && element('p', { className: ['callout-title'] }, context.children(title)),
            context.children(asFlow(node.children)),
          ),
        ),
      ]
    },
    markdown(node, context) {
      const label = strong(`${textProp(node, 'title') ?? labels[kindOf(node)]}:`)
      const [first, ...rest] = asFlow(context.children(node.children))
      const content =
        first?.type === 'paragraph'
          ? [paragraph(label, text(' '), ...first.children), ...rest]
          : [paragraph(label), ...(first ? [first] : []), ...rest]
      return [{ type: 'blockquote', children: content as never[] }]
    },
  }
}
