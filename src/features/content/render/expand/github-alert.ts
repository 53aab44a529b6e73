import type { Blockquote, RootContent } from 'mdast'

const components: Record<string, string> = Object.assign(Object.create(null), {
  NOTE: 'Note',
  TIP: 'Tip',
  IMPORTANT: 'Info',
  WARNING: 'Warning',
  CAUTION: 'Danger',
})

/** A quote that begins with `[!NOTE]` is what GitHub calls an alert: the component that shows one, and what is in it. */
export function readAlert({ children }: Blockquote): { name: string; children: RootContent[] } | null {
  const [first, ...others] = children
  if (first?.type !== 'paragraph') return null
  const [start, ...words] = first.children
  const match = start?.type === 'text' ? /^\[!(\w{3,9})\][ \t]*(?:\n|$)/.exec(start.value) : null
  const name = match ? components[match[1]!.toUpperCase()] : undefined
  if (!match || name === undefined || start?.type !== 'text') return null
  const left = start.value.slice(match[0].length)
  const line = left === '' ? words : [{ ...start, value: left }, ...words]
  return { name, children: line.length > 0 ? [{ ...first, children: line }, ...others] : others }
}
