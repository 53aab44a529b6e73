import type { Component, ComponentNode } from '../component.ts'
import { iconOf } from './component-icon.ts'
import { element, present } from './element.ts'
import { asFlow } from './flow.ts'
import { joinLists, paragraph, strong } from './markdown-nodes.ts'
import { flagProp, isRefused, nodesProp, numberProp, textProp } from './props.ts'

/** All tabs stand below each other, each under its title; the page's script makes one out of them. */
export const tabs: Component = {
  html(node, context) {
    const first = numberProp(node, 'defaultTabIndex') ?? 0
    return [
      element(
        'div',
        {
          className: ['tabs'],
          dataTabs: '',
          dataSync: isRefused(node, 'sync') ? null : 'title',
          dataDefault: first > 0 ? String(Math.round(first)) : null,
          dataBorder: present(flagProp(node, 'borderBottom')),
        },
        context.children(asFlow(node.children)),
      ),
    ]
  },
  markdown: (node, context) => asFlow(context.children(node.children)),
}

export const tab: Component = {
  html: (node, context) => [
    element(
      'div',
      { className: ['tab'], dataTitle: titleOf(node) ?? 'Tab', id: context.idOf(node) },
      element(
        'p',
        { className: ['tab-title'] },
        iconOf(node, context),
        context.children(nodesProp(node, 'title') ?? [{ type: 'text', value: titleOf(node) ?? 'Tab' }]),
      ),
      context.children(asFlow(node.children)),
    ),
  ],
  markdown: (node, context) => [
    paragraph(strong(titleOf(node) ?? 'Tab')),
    ...joinLists(asFlow(context.children(node.children))),
  ],
  title: titleOf,
}

/** Docusaurus’ `<TabItem value="npm" label="npm">` is a tab too. */
function titleOf(node: ComponentNode): string | null {
  return textProp(node, 'title', 'label', 'value')
}

/** Parts of a page of which a reader chooses one: `<View title="Python">`. */
export const view: Component = {
  html: (node, context) => [
    element(
      'div',
      { className: ['view'], dataView: '', dataTitle: textProp(node, 'title') ?? 'View', id: context.idOf(node) },
      element(
        'p',
        { className: ['view-title'] },
        iconOf(node, context),
        context.children(nodesProp(node, 'title') ?? [{ type: 'text', value: 'View' }]),
      ),
      context.children(asFlow(node.children)),
    ),
  ],
  markdown: tab.markdown,
  title: (node) => textProp(node, 'title'),
}
