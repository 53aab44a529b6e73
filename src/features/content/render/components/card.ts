import type { Element, ElementContent } from 'hast'
import type { Component, ComponentNode, HtmlContext } from '../component.ts'
import { type CalloutKind, calloutIcons, calloutKinds } from './callout.ts'
import { iconOf, ownIcon } from './component-icon.ts'
import { element, present } from './element.ts'
import { asFlow } from './flow.ts'
import { joiningList, link, listItem, strong } from './markdown-nodes.ts'
import { nearestColor } from './palette.ts'
import { choiceProp, flagProp, isRefused, nodesProp, propOf, textProp } from './props.ts'

export const card: Component = {
  html(node, context) {
    const href = textProp(node, 'href')
    const cta = textProp(node, 'cta')
    const kind = choiceProp(node, 'type', calloutKinds)
    const image = textProp(node, 'img')
    const icon = iconOf(node, context, { fallback: fallbackIcon(kind) })
    const title = nodesProp(node, 'title')
    // One link a card, so that the keyboard stops once: on the title, or else on the words that call to it.
    const ctaLink = href !== null && (title === null || cta !== null) ? (cta ?? linkLabel(node, href)) : null
    return [
      element(
        'div',
        {
          className: ['card'],
          id: context.idOf(node),
          dataKind: kind,
          dataColor: nearestColor(textProp(node, 'color') ?? ''),
          // An image stands above its words.
          dataHorizontal: present(flagProp(node, 'horizontal') && image === null),
          dataLink: present(href !== null),
        },
        image && element('img', { className: ['card-image'], src: context.link(image), alt: '', loading: 'lazy' }),
        icon.length > 0 ? element('span', { className: ['card-icon'] }, icon) : null,
        element(
          'div',
          { className: ['card-body'] },
          title &&
            element(
              'p',
              { className: ['card-title'] },
              href !== null && ctaLink === null
                ? cardLink(context.children(title), href, context)
                : context.children(title),
              arrowOf(node, href, context),
            ),
          node.children.length > 0
            ? element('div', { className: ['card-text'] }, context.children(asFlow(node.children)))
            : null,
          ctaLink !== null && href !== null
            ? element('p', { className: ['card-cta'] }, cardLink([{ type: 'text', value: ctaLink }], href, context))
            : null,
        ),
      ),
    ]
  },
  markdown(node, context) {
    const href = textProp(node, 'href')
    const title = textProp(node, 'title')
    const label = title ?? (href === null ? null : (textProp(node, 'cta') ?? href))
    const head = label === null ? [] : [href === null ? strong(label) : link(href, label)]
    const content = context.children(node.children)
    return head.length + content.length === 0 ? [] : [joiningList([listItem(head, content)])]
  },
  title: (node) => textProp(node, 'title'),
}

export function cardLink(label: ElementContent[], href: string, context: HtmlContext): Element {
  // A link inside another would end that one.
  if (context.parents.includes('a')) return element('span', {}, label)
  return element('a', { className: ['card-link'], href: context.link(href) }, label)
}

/** What a link with no words of its own says. */
export function linkLabel(node: ComponentNode, href: string): string {
  return textProp(node, 'title', 'description') ?? href.replace(/^https?:\/\//, '')
}

function fallbackIcon(kind: CalloutKind | null): string | null {
  return kind === null ? null : calloutIcons[kind]
}

function arrowOf(node: ComponentNode, href: string | null, context: HtmlContext): Element[] {
  const leadsAway = href !== null && /^https?:\/\//i.test(href)
  const isWanted = propOf(node, 'arrow') === null ? leadsAway : flagProp(node, 'arrow') && !isRefused(node, 'arrow')
  if (!isWanted || href === null) return []
  return ownIcon(context, leadsAway ? 'arrow-up-right' : 'arrow-right', 'card-arrow')
}
