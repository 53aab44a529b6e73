import type { ComponentNode, PageNode, PropNodes, PropValue } from '../component.ts'
import { titleWords } from './markdown-nodes.ts'
import { textOf } from './node-text.ts'

// Titles and the like; nobody reads longer ones, and they are written into attributes too.
const longestText = 2_000

/** What an author gave, or null: an expression may have made anything of it. */
export function propOf(node: ComponentNode, name: string): PropValue {
  return Object.hasOwn(node.props, name) ? (node.props[name] ?? null) : null
}

/** The first of these that is text, or can be read as such. Null for none, and for blank ones. */
export function textProp(node: ComponentNode, ...names: string[]): string | null {
  for (const name of names) {
    const text = plainText(propOf(node, name))?.trim()
    if (text) return text.slice(0, longestText)
  }
  return null
}

/** Text, or elements: `title={<b>…</b>}`. */
export function nodesProp(node: ComponentNode, name: string): PageNode[] | null {
  const value = propOf(node, name)
  if (isNodes(value)) return value.children
  const text = textProp(node, name)
  return text === null ? null : titleWords(text)
}

/** `<Card horizontal>`, `horizontal={true}` and `horizontal="true"` are all true. */
export function flagProp(node: ComponentNode, name: string): boolean {
  const value = propOf(node, name)
  return value === true || (typeof value === 'string' && value.toLowerCase() !== 'false')
}

/** Says no: `sync={false}`. */
export function isRefused(node: ComponentNode, name: string): boolean {
  const value = propOf(node, name)
  return value === false || value === 'false'
}

export function numberProp(node: ComponentNode, name: string): number | null {
  const value = propOf(node, name)
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

export function choiceProp<T extends string>(node: ComponentNode, name: string, choices: readonly T[]): T | null {
  const text = textProp(node, name)?.toLowerCase()
  return choices.find((choice) => choice === text) ?? null
}

/** `tags={['a', 'b']}`; one text is a list of one. */
export function textsProp(node: ComponentNode, name: string): string[] {
  const value = propOf(node, name)
  const values = Array.isArray(value) ? value.slice(0, 50) : [value]
  return values.flatMap((one) => plainText(one)?.trim().slice(0, longestText) || [])
}

export function isNodes(value: PropValue): value is PropNodes {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return value.type === 'nodes' && Array.isArray(value.children)
}

function plainText(value: PropValue): string | null {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  return isNodes(value) ? textOf(value.children) : null
}
