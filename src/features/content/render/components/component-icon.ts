import type { Element, ElementContent } from 'hast'
import type { ComponentNode, HtmlContext } from '../component.ts'
import { element } from './element.ts'
import { readColor } from './palette.ts'
import { isNodes, numberProp, propOf, textProp } from './props.ts'

/** The icon that a component names, or draws itself: `icon="flag"`, `icon={<svg …/>}`. Empty for none. */
export function iconOf(
  node: ComponentNode,
  context: HtmlContext,
  {
    className = null,
    fallback = null,
    inColor = true,
  }: {
    className?: string | null
    /** Shown where none is named. */
    fallback?: string | null
    /** The component's `color` is the icon's. */
    inColor?: boolean
  } = {},
): ElementContent[] {
  const drawn = propOf(node, 'icon')
  if (isNodes(drawn)) return context.children(drawn.children).map((drawing) => asIcon(drawing, className))
  const name = textProp(node, 'icon', 'src')
  if (name === null) return fallback === null ? [] : ownIcon(context, fallback, className)
  const library = textProp(node, 'library', 'iconLibrary')
  const type = textProp(node, 'iconType')
  const icon = context.icon(name, {
    ...(library === null ? {} : { library }),
    ...(type === null ? {} : { type }),
    ...(className === null ? {} : { className }),
  })
  if (icon === null && /^\p{Extended_Pictographic}/u.test(name)) {
    return [element('span', { className: ['icon-text', ...(className === null ? [] : [className])] }, name)]
  }
  if (icon === null) return []
  return [sized(node, icon, inColor)]
}

/** Of the size of the text beside it, whatever size it was drawn in. */
function asIcon(drawing: ElementContent, className: string | null): ElementContent {
  if (drawing.type !== 'element' || drawing.tagName !== 'svg') return drawing
  const classes = ['icon', ...(className === null ? [] : [className])]
  return { ...drawing, properties: { ...drawing.properties, className: classes, ariaHidden: 'true' } }
}

/** An icon of ours: always of the same set, whatever the site's is. */
export function ownIcon(context: HtmlContext, name: string, className: string | null = null): Element[] {
  const icon = context.icon(name, { library: 'lucide', ...(className === null ? {} : { className }) })
  return icon ? [icon] : []
}

/** Sizes and colours are attributes of the drawing: a page's policy allows no styles. */
function sized(node: ComponentNode, icon: Element, inColor: boolean): Element {
  const size = numberProp(node, 'size')
  const color = inColor ? readColor(textProp(node, 'color') ?? '') : null
  const pixels = size === null ? null : Math.min(Math.max(Math.round(size), 8), 512)
  const className = Array.isArray(icon.properties.className) ? icon.properties.className : []
  return {
    ...icon,
    properties: {
      ...icon.properties,
      ...(color === null || icon.tagName !== 'svg' ? {} : { color }),
      ...(pixels === null ? {} : { width: pixels, height: pixels, className: [...className, 'icon-sized'] }),
    },
  }
}
