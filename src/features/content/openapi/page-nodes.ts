import type { PhrasingContent } from 'mdast'
import type { ComponentNode, PageNode, PropValue } from '../render/component.ts'

/** A component of the registry. What is null is left out. */
export function component(
  name: string,
  props: Record<string, PropValue | undefined>,
  children: PageNode[] = [],
): ComponentNode {
  const given = Object.entries(props).filter((entry): entry is [string, PropValue] => entry[1] != null)
  return { type: 'component', name, props: Object.fromEntries(given), children, isInline: false, from: '', line: null }
}

export const words = (value: string): PhrasingContent => ({ type: 'text', value })

export const code = (value: string): PhrasingContent => ({ type: 'inlineCode', value })

export const paragraph = (...children: PhrasingContent[]): PageNode => ({ type: 'paragraph', children })

export const heading = (title: string, depth: 2 | 3 | 4 = 2): PageNode => ({
  type: 'heading',
  depth,
  children: [words(title)],
})

/** A component rather than a fence: its title may hold anything. */
export function codeBlock({ language, title, text }: { language: string; title: string; text: string }): PageNode {
  return component('CodeBlock', { language, filename: title }, [{ type: 'code', lang: language, value: text }])
}

/** `a`, `b` and so on, each as code. */
export function codeList(values: readonly string[], separator = ', '): PhrasingContent[] {
  return values.flatMap((value, index) => (index === 0 ? [code(value)] : [words(separator), code(value)]))
}
