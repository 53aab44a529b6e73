import type { Element, ElementContent, Properties } from 'hast'
import type { ComponentNode, PropValue } from './component.ts'
import { attributeName, isElement } from './html-schema.ts'
import { isExternal, type UrlUse } from './safe-url.ts'

export interface ElementParts {
  children: ElementContent[]
  /** What to write for an address; null: it must not be written. */
  link(url: string, use: UrlUse): string | null
}

const addressUses: Record<string, UrlUse> = { href: 'link', src: 'media', poster: 'image' }

/** An element that the author wrote: `<div className="…">`. Of one that pages may not hold, its content. */
export function elementHtml({ name, props }: ComponentNode, { children, link }: ElementParts): ElementContent[] {
  if (!isElement(name)) return children
  const properties: Properties = {}
  for (const [written, value] of Object.entries(props)) {
    const attribute = attributeName(name, written)
    if (attribute === null) continue
    const read = readAttribute(name, attribute, value, link)
    if (read !== null) properties[attribute] = read
  }
  const element: Element = { type: 'element', tagName: name, properties, children }
  if (name === 'img') Object.assign(properties, { loading: 'lazy', decoding: 'async', alt: properties.alt ?? '' })
  if (name === 'a' && typeof properties.href === 'string') {
    delete properties.rel
    if (isExternal(properties.href)) properties.rel = ['noopener']
  }
  if (name === 'a' && typeof props.name === 'string' && properties.id === undefined) properties.id = props.name
  // Where it plays by itself it must not make a noise, or browsers stop it.
  if (name === 'video' && properties.autoPlay === true) properties.muted = true
  return name === 'table' ? [scrollable(element)] : [element]
}

function readAttribute(
  element: string,
  attribute: string,
  value: PropValue,
  link: ElementParts['link'],
): string | number | boolean | string[] | null {
  if (typeof value === 'object' || value === false) return null
  if (attribute === 'className') return String(value).split(/\s+/).filter(Boolean)
  const use = addressUses[attribute]
  if (use !== undefined) {
    const isImage = element === 'img' || attribute === 'poster'
    return typeof value === 'string' ? link(value, isImage ? 'image' : use) : null
  }
  if (attribute === 'srcSet') return typeof value === 'string' ? readSrcSet(value, link) : null
  return value
}

/** Several addresses, each with its size: `a.png 1x, b.png 2x`. */
function readSrcSet(value: string, link: ElementParts['link']): string | null {
  const candidates = value.slice(0, 5_000).split(/,\s+/)
  const read = candidates.flatMap((candidate) => {
    const [url, size] = candidate.trim().split(/\s+/)
    const safe = url ? link(url.replace(/,$/, ''), 'image') : null
    return safe === null || safe.startsWith('data:')
      ? []
      : [/^[\d.]{1,8}[wx]$/.test(size ?? '') ? `${safe} ${size}` : safe]
  })
  return read.length === 0 ? null : read.join(', ')
}

/** Wide tables scroll by themselves, by keyboard too. */
export function scrollable(table: Element): Element {
  const properties = { className: ['table-wrap'], tabIndex: 0, role: 'group', ariaLabel: 'Table' }
  return { type: 'element', tagName: 'div', properties, children: [table] }
}
