import type { Element } from 'hast'
import type { PhrasingContent } from 'mdast'
import type { Component, ComponentNode } from '../component.ts'
import { element } from './element.ts'
import { asFlow } from './flow.ts'
import { code, joiningList, joinLists, listItem, paragraph, strong, text } from './markdown-nodes.ts'
import { readColor } from './palette.ts'
import { choiceProp, isNodes, propOf, textProp } from './props.ts'

const variants = ['compact', 'table'] as const

export const colorList: Component = {
  html: (node, context) => [
    element(
      'div',
      { className: ['colors'], dataVariant: choiceProp(node, 'variant', variants) ?? 'compact' },
      context.children(asFlow(node.children)),
    ),
  ],
  markdown: (node, context) => joinLists(asFlow(context.children(node.children))),
}

export const colorRow: Component = {
  html(node, context) {
    const title = textProp(node, 'title')
    return [
      element(
        'div',
        { className: ['color-row'] },
        title && element('p', { className: ['color-row-title'] }, title),
        element('div', { className: ['color-items'] }, context.children(asFlow(node.children))),
      ),
    ]
  },
  markdown(node, context) {
    const title = textProp(node, 'title')
    return [
      ...(title === null ? [] : [paragraph(strong(title))]),
      ...joinLists(asFlow(context.children(node.children))),
    ]
  },
}

export const colorItem: Component = {
  html(node) {
    const { light, dark } = colorsOf(node)
    const name = textProp(node, 'name')
    return [
      element(
        'div',
        { className: ['color'] },
        light === dark ? swatch(light, []) : [swatch(light, ['only-light']), swatch(dark, ['only-dark'])],
        name && element('span', { className: ['color-name'] }, name),
        light === dark
          ? element('code', { className: ['color-value'] }, light)
          : [
              element('code', { className: ['color-value', 'only-light'] }, light),
              element('code', { className: ['color-value', 'only-dark'] }, dark),
            ],
      ),
    ]
  },
  markdown(node) {
    const { light, dark } = colorsOf(node)
    const values: PhrasingContent[] =
      light === dark ? [code(light)] : [code(light), text(' (light), '), code(dark), text(' (dark)')]
    const name = textProp(node, 'name')
    return [joiningList([listItem(name === null ? [] : [strong(name)], [paragraph(...values)])])]
  },
}

function colorsOf(node: ComponentNode): { light: string; dark: string } {
  const value = propOf(node, 'value')
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !isNodes(value)) {
    const given = [value.light, value.dark].filter((one) => typeof one === 'string').map((one) => one.slice(0, 60))
    return { light: given[0] ?? '?', dark: given.at(-1) ?? '?' }
  }
  const text = (textProp(node, 'value', 'color') ?? '?').slice(0, 60)
  return { light: text, dark: text }
}

/** A drawing, since its colour may stand in the markup. */
function swatch(value: string, themes: string[]): Element {
  return element(
    'svg',
    { className: ['color-swatch', ...themes], viewBox: '0 0 1 1', preserveAspectRatio: 'none', ariaHidden: 'true' },
    element('rect', { width: 1, height: 1, fill: readColor(value) ?? 'none' }),
  )
}
