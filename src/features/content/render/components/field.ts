import type { PhrasingContent } from 'mdast'
import { fieldTitles } from '../../parse/heading-slug.ts'
import type { Component, ComponentNode } from '../component.ts'
import { element } from './element.ts'
import { asFlow } from './flow.ts'
import { code, joiningList, joinLists, listItem, strong, text } from './markdown-nodes.ts'
import { flagProp, isNodes, propOf, textProp, textsProp } from './props.ts'

const places = ['query', 'path', 'body', 'header', 'cookie'] as const

/** `<ParamField query="limit">`: the name is where it belongs. `<ResponseField name="id">`: it has no place. */
export const field = (kind: 'param' | 'response'): Component => ({
  html(node, context) {
    const { name, place } = nameOf(node)
    const type = textProp(node, 'type')
    const byDefault = defaultOf(node)
    return [
      element(
        'div',
        { className: ['field'], id: context.idOf(node) },
        element(
          'div',
          { className: ['field-head'] },
          // Elements that stand apart also where nothing lays them out: as text, the facts must not run together.
          textsProp(node, 'pre').map((label) => element('div', { className: ['field-label'] }, label)),
          element('code', { className: ['field-name'] }, name),
          type && element('div', { className: ['field-type'] }, type),
          place && element('div', { className: ['field-place'] }, place),
          flagProp(node, 'required') ? element('div', { className: ['field-required'] }, 'required') : null,
          flagProp(node, 'deprecated') ? element('div', { className: ['field-deprecated'] }, 'deprecated') : null,
          byDefault && element('div', { className: ['field-default'] }, 'default: ', element('code', {}, byDefault)),
          textsProp(node, 'post').map((label) => element('div', { className: ['field-label'] }, label)),
        ),
        node.children.length > 0
          ? element('div', { className: ['field-body'] }, context.children(asFlow(node.children)))
          : null,
      ),
    ]
  },
  markdown(node, context) {
    const { name, place } = nameOf(node)
    const byDefault = defaultOf(node)
    const type = textProp(node, 'type')
    const facts: PhrasingContent[][] = [
      ...textsProp(node, 'pre').map((label) => [text(label)]),
      ...(type === null ? [] : [[code(type)]]),
      ...(place === null ? [] : [[text(`in ${place}`)]]),
      ...(flagProp(node, 'required') ? [[text('required')]] : []),
      ...(flagProp(node, 'deprecated') ? [[text('deprecated')]] : []),
      ...(byDefault === null ? [] : [[text('default '), code(byDefault)]]),
      ...textsProp(node, 'post').map((label) => [text(label)]),
    ]
    const listed = facts.flatMap((fact, at) => (at === 0 ? fact : [text(', '), ...fact]))
    const head = [strong(code(name)), ...(listed.length > 0 ? [text(' ('), ...listed, text(')')] : [])]
    return [joiningList([listItem(head, joinLists(asFlow(context.children(node.children))))])]
  },
  title: (node) => {
    const { name } = nameOf(node)
    return name === '' ? null : `${kind}-${name}`
  },
  otherTitles: (node) => fieldTitles({ kind, ...nameOf(node) }).slice(1),
})

function nameOf(node: ComponentNode): { name: string; place: string | null } {
  for (const place of places) {
    const name = textProp(node, place)
    if (name !== null) return { name, place }
  }
  return { name: textProp(node, 'name', 'title', 'id') ?? '', place: null }
}

function defaultOf(node: ComponentNode): string | null {
  const value = propOf(node, 'default')
  if (value === null) return null
  if (typeof value === 'boolean') return String(value)
  if (typeof value !== 'object' || isNodes(value)) return textProp(node, 'default')
  try {
    return JSON.stringify(value).slice(0, 200)
  } catch {
    return null
  }
}
