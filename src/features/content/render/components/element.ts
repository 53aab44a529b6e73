import type { Element, ElementContent, Properties } from 'hast'

type Child = ElementContent | string | null | Child[]

/** An element as a tree; attributes that are null, and children that are, are left out. */
export function element(
  tagName: string,
  attributes: Record<string, string | number | boolean | string[] | null>,
  ...children: Child[]
): Element {
  const properties: Properties = {}
  for (const [name, value] of Object.entries(attributes)) if (value !== null) properties[name] = value
  return { type: 'element', tagName, properties, children: children.flatMap(flatten) }
}

function flatten(child: Child): ElementContent[] {
  if (child === null || child === '') return []
  if (Array.isArray(child)) return child.flatMap(flatten)
  return [typeof child === 'string' ? { type: 'text', value: child } : child]
}

/** The value of an attribute that is there or not. */
export const present = (condition: boolean) => (condition ? '' : null)
