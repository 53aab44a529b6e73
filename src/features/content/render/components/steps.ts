import type { ListItem } from 'mdast'
import type { Component, ComponentNode, HtmlContext, MarkdownContext, PageNode } from '../component.ts'
import { iconOf } from './component-icon.ts'
import { element } from './element.ts'
import { asFlow } from './flow.ts'
import { joiningList, joinLists, listItem, strong } from './markdown-nodes.ts'
import { choiceProp, flagProp, nodesProp, numberProp, textProp } from './props.ts'

const titleSizes = ['p', 'h2', 'h3', 'h4'] as const

type TitleSize = (typeof titleSizes)[number]

export const steps: Component = {
  html(node, context) {
    const size = choiceProp(node, 'titleSize', titleSizes)
    return [
      element(
        'ol',
        { className: ['steps'] },
        partsOf(node.children).map((part) => stepElement(part, context, size)),
      ),
    ]
  },
  markdown(node, context) {
    const parts = partsOf(node.children)
    return parts.length === 0
      ? []
      : [
          joiningList(
            parts.map((part) => stepItem(part, context)),
            { ordered: true },
          ),
        ]
  },
}

/** One that stands outside `Steps`. */
export const step: Component = {
  html: (node, context) => [
    element('ol', { className: ['steps'] }, stepElement({ step: node, after: [] }, context, null)),
  ],
  markdown: (node, context) => [joiningList([stepItem({ step: node, after: [] }, context)], { ordered: true })],
  title: (node) => (flagProp(node, 'noAnchor') ? null : textProp(node, 'title')),
  depth(node) {
    const size = choiceProp(node, 'titleSize', titleSizes)
    return size === null || size === 'p' ? null : Number(size.slice(1))
  },
}

/** A step, and what stands between it and the next. Content before the first has no step. */
interface Part {
  step: ComponentNode | null
  after: PageNode[]
}

function partsOf(nodes: readonly PageNode[]): Part[] {
  const parts: Part[] = []
  for (const node of asFlow(nodes)) {
    if (node.type === 'component' && node.name === 'Step') parts.push({ step: node, after: [] })
    else if (parts.length > 0) parts.at(-1)!.after.push(node)
    else parts.push({ step: null, after: [node] })
  }
  return parts
}

function stepElement({ step, after }: Part, context: HtmlContext, size: TitleSize | null) {
  const content = [...asFlow(step?.children ?? []), ...after]
  if (step === null) return element('li', { className: ['step'] }, context.children(content))
  const icon = iconOf(step, context)
  const number = numberProp(step, 'stepNumber')
  const title = nodesProp(step, 'title')
  return element(
    'li',
    {
      className: ['step'],
      id: context.idOf(step),
      value: number === null ? null : Math.min(Math.max(Math.round(number), 0), 9_999),
    },
    icon.length > 0 ? element('span', { className: ['step-icon'] }, icon) : null,
    title &&
      element(
        choiceProp(step, 'titleSize', titleSizes) ?? size ?? 'p',
        { className: ['step-title'] },
        context.children(title),
      ),
    element('div', { className: ['step-body'] }, context.children(content)),
  )
}

function stepItem({ step, after }: Part, context: MarkdownContext): ListItem {
  const title = step && textProp(step, 'title')
  const content = joinLists(asFlow(context.children([...asFlow(step?.children ?? []), ...after])))
  return listItem(title ? [strong(title)] : [], content, null)
}
