import type { Component } from '../component.ts'
import { iconOf } from './component-icon.ts'
import { element, present } from './element.ts'
import { nearestColor } from './palette.ts'
import { choiceProp, flagProp, textProp } from './props.ts'

const surfaces = ['white', 'surface', 'white-destructive', 'surface-destructive'] as const
const sizes = ['xs', 'sm', 'md', 'lg'] as const
const shapes = ['rounded', 'pill'] as const

export const badge: Component = {
  html: (node, context) => [
    element(
      'span',
      {
        className: ['badge'],
        dataColor: choiceProp(node, 'color', surfaces) ?? nearestColor(textProp(node, 'color') ?? '') ?? 'gray',
        dataSize: choiceProp(node, 'size', sizes) ?? 'md',
        dataShape: choiceProp(node, 'shape', shapes) ?? 'rounded',
        dataStroke: present(flagProp(node, 'stroke')),
        dataDisabled: present(flagProp(node, 'disabled')),
      },
      iconOf(node, context, { inColor: false }),
      context.children(node.children),
    ),
  ],
  markdown: (node, context) => context.children(node.children),
}
