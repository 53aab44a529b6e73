import type { Element } from 'hast'
import { findIcon } from './icons.ts'

export interface ShowIconOptions {
  library?: string
  type?: string
  className?: string
}

const address = /^(?:https?:|data:|\.{0,2}\/)|\.(?:svg|png|jpe?g|gif|webp|avif|ico)$/i

/** Whether it is where an image lies, and no name. */
export function isIconAddress(icon: string): boolean {
  return address.test(icon)
}

/** An icon by its name, or the image at an address. Null for an unknown one. */
export function showIcon(
  name: string,
  { className, ...options }: ShowIconOptions,
  link: (url: string) => string | null,
): Element | null {
  const classes = ['icon', ...(className ?? '').split(' ').filter(Boolean)]
  if (isIconAddress(name)) {
    const src = link(name)
    if (src === null) return null
    return {
      type: 'element',
      tagName: 'img',
      properties: { className: classes, src, alt: '', loading: 'lazy' },
      children: [],
    }
  }
  const found = findIcon(name, options)
  return found && { ...found, properties: { ...found.properties, className: classes } }
}
