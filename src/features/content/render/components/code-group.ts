import type { ElementContent } from 'hast'
import { type Fence, fenceMarkdown, isMermaid, readFence, showFence } from '../code/fence.ts'
import { parseLineNumbers } from '../code/fence-meta.ts'
import type { Component, ComponentNode, HtmlContext, PageNode, PropValue } from '../component.ts'
import { element, present } from './element.ts'
import { asFlow } from './flow.ts'
import { textOf } from './node-text.ts'
import { flagProp, propOf, textProp } from './props.ts'

/** Blocks of which one is seen at a time. */
export const codeGroup: Component = {
  html: (node, context) => groupHtml(node, context),
  markdown: (node, context) => asFlow(context.children(node.children)),
}

/** What is sent to an operation, or what comes back: at the side of the page where there is room. */
export const example = (kind: 'request' | 'response'): Component => ({
  html: (node, context) => [element('div', { className: ['example'], dataExample: kind }, groupHtml(node, context))],
  markdown: (node, context) => asFlow(context.children(node.children)),
})

/** `<CodeBlock language="js" filename="app.js">…</CodeBlock>`. */
export const codeBlock: Component = {
  html: (node, context) => showFence(fenceOf(node), context),
  markdown: (node) => [fenceMarkdown(fenceOf(node))],
}

function groupHtml(node: ComponentNode, context: HtmlContext): ElementContent[] {
  const parts = asFlow(node.children).map((part) => ({ part, fence: codeOf(part) }))
  const fences = parts.flatMap(({ fence }) => fence ?? [])
  // One block needs no choice, and a group of something else is not of ours.
  if (fences.length < 2) return parts.flatMap(({ part }) => context.children([part]))
  return [
    element(
      'div',
      {
        className: ['code-group'],
        dataTabs: '',
        dataSync: 'title',
        dataDropdown: present(flagProp(node, 'dropdown')),
      },
      parts.map(({ part, fence }) => (fence ? tabOf(fence, context) : context.children([part]))),
    ),
  ]
}

function tabOf(fence: Fence, context: HtmlContext): ElementContent {
  const title = fence.title ?? (fence.language || 'Code')
  const icon = fence.icon === null ? null : context.icon(fence.icon)
  return element(
    'div',
    { className: ['tab'], dataTitle: title, id: `code-tab-${context.nextId()}` },
    element('p', { className: ['tab-title'] }, icon, title),
    showFence(fence, context, { hasTitle: false }),
  )
}

function codeOf(part: PageNode): Fence | null {
  if (part.type === 'code') {
    const fence = readFence(part)
    return isMermaid(fence) ? null : fence
  }
  return part.type === 'component' && part.name === 'CodeBlock' ? fenceOf(part) : null
}

function fenceOf(node: ComponentNode): Fence {
  const inner = node.children.find((child) => child.type === 'code')
  const written = readFence(
    inner ?? { lang: null, meta: null, value: textOf(node.children).replace(/^\n|\n\s*$/g, '') },
  )
  const language = textProp(node, 'language', 'lang')
  const linesOf = (name: string) => parseLineNumbers(numbersText(propOf(node, name)))
  return {
    ...written,
    language: language?.slice(0, 60) ?? written.language,
    title: textProp(node, 'filename', 'title') ?? written.title,
    icon: textProp(node, 'icon') ?? written.icon,
    highlighted: [...written.highlighted, ...linesOf('highlight')],
    focused: [...written.focused, ...linesOf('focus')],
    hasLineNumbers: written.hasLineNumbers || flagProp(node, 'lines'),
    wraps: written.wraps || flagProp(node, 'wrap'),
    isExpandable: written.isExpandable || flagProp(node, 'expandable'),
    hidesCopy: written.hidesCopy || flagProp(node, 'nocopy'),
  }
}

/** `"[1,3]"`, `{[1, 3]}` and `{1}` are all lines. */
function numbersText(value: PropValue): string {
  if (Array.isArray(value)) return value.filter((one) => typeof one === 'number').join(',')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
