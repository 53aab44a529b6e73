import type { Component, PageNode } from '../component.ts'
import { element } from './element.ts'
import { asFlow } from './flow.ts'
import { markdownProp } from './inline-markdown.ts'

export const frame: Component = {
  html(node, context) {
    const hint = markdownProp(node, 'hint')
    const caption = markdownProp(node, 'caption')
    return [
      element(
        'figure',
        { className: ['frame'] },
        hint && element('p', { className: ['frame-hint'] }, context.children(hint)),
        element('div', { className: ['frame-content'] }, context.children(node.children.map(quietly))),
        caption && element('figcaption', {}, context.children(caption)),
      ),
    ]
  },
  markdown(node, context) {
    const hint = markdownProp(node, 'hint') ?? []
    const caption = markdownProp(node, 'caption') ?? []
    return [
      ...asFlow(context.children(hint)),
      ...asFlow(context.children(node.children)),
      ...asFlow(caption.length > 0 ? [{ type: 'emphasis', children: context.children(caption) as never[] }] : []),
    ]
  },
}

/** Browsers start a video by themselves only when it is silent. */
function quietly(node: PageNode): PageNode {
  if (node.type !== 'component' || node.name !== 'video') return node
  const plays = node.props.autoPlay ?? node.props.autoplay ?? false
  if (plays === false) return node
  return { ...node, props: { ...node.props, autoPlay: true, playsInline: true, loop: true, muted: true } }
}
