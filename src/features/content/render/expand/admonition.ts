import type { RootContent } from 'mdast'
import { textOf } from '../components/node-text.ts'

// Of Docusaurus, VitePress and others that write notes as `:::tip Title`; the component that shows each.
const components: Record<string, string> = Object.assign(Object.create(null), {
  note: 'Note',
  secondary: 'Note',
  info: 'Info',
  important: 'Info',
  tip: 'Tip',
  hint: 'Tip',
  success: 'Check',
  warning: 'Warning',
  caution: 'Warning',
  danger: 'Danger',
  error: 'Danger',
  details: 'Accordion',
})
const longestTitle = 300

/** The parser's word for what colons begin. */
interface Directive {
  type: string
  name: string
  attributes?: Record<string, string | null | undefined> | null
  children: RootContent[]
  position?: { start: { offset?: number }; end: { offset?: number } }
}

export interface Admonition {
  /** Null: only what is inside is shown. */
  component: string | null
  title: string | null
  children: RootContent[]
}

/** Whether colons are to be read as more than text, which they are on most pages. */
export function mayHaveAdmonitions(source: string): boolean {
  return /^[ \t>]*:{3,}[ \t]*[a-z]/m.test(source)
}

/** What stands between `:::note` and `:::`; null for all else. */
export function readAdmonition(node: { type: string }, source: string): Admonition | null {
  if (node.type !== 'containerDirective') return null
  const { name, attributes, children, position } = node as Directive
  const from = position?.start.offset ?? 0
  const [line = ''] = source.slice(from, from + 1_000).split('\n', 1)
  // Docusaurus has the title behind the name, which the parser passes over.
  const behind = /^:{3,}[ \t]*[\w-]+[ \t]+([^\s{[].*)$/.exec(line.trimEnd())?.[1]
  const label = children.find(({ data }) => (data as { directiveLabel?: boolean } | undefined)?.directiveLabel)
  const title = label ? textOf([label]) : (attributes?.title ?? behind ?? null)
  return {
    component: components[name.toLowerCase()] ?? null,
    title: title === null ? null : title.slice(0, longestTitle),
    children: children.filter((child) => child !== label),
  }
}

/** The text of what is no admonition after all: `10:30`, `::name`. Null for any other node. */
export function colonText(node: { type: string }, source: string): string | null {
  if (node.type !== 'textDirective' && node.type !== 'leafDirective') return null
  const { position } = node as Directive
  return source.slice(position?.start.offset ?? 0, position?.end.offset ?? 0)
}
