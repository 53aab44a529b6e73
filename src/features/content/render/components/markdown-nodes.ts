import type { BlockContent, Link, List, ListItem, Paragraph, PhrasingContent, Strong, Text } from 'mdast'
import type { PageNode } from '../component.ts'
import { asFlow } from './flow.ts'

export const text = (value: string): Text => ({ type: 'text', value })

export const strong = (...words: (string | PhrasingContent)[]): Strong => ({ type: 'strong', children: phrases(words) })

export const code = (value: string): PhrasingContent => ({ type: 'inlineCode', value })

export const paragraph = (...words: (string | PhrasingContent)[]): Paragraph => ({
  type: 'paragraph',
  children: phrases(words),
})

export const link = (url: string, label: string): Link => ({ type: 'link', url, children: titleWords(label) as Text[] })

/** Titles are no Markdown, but authors write code into them as if they were. */
export function titleWords(title: string): PhrasingContent[] {
  return title
    .split(/(`[^`]+`)/)
    .filter((part) => part !== '')
    .map((part) => (/^`[^`]+`$/.test(part) ? code(part.slice(1, -1)) : text(part)))
}

/** An item with `first` in front of its content; in one line where that starts with words, unless there is no separator. */
export function listItem(first: PhrasingContent[], content: PageNode[], separator: string | null = ': '): ListItem {
  const flow = asFlow(content)
  const [head, ...rest] = flow
  const lines: PageNode[] =
    first.length > 0 && separator !== null && head?.type === 'paragraph'
      ? [paragraph(...first, text(separator), ...head.children), ...rest]
      : [...(first.length > 0 ? [paragraph(...first)] : []), ...flow]
  return { type: 'listItem', spread: lines.length > 1, children: lines as BlockContent[] }
}

/** Marked as one that goes on in the next such list: fields that follow each other are one list. */
export function joiningList(items: ListItem[], { ordered = false }: { ordered?: boolean } = {}): List {
  const list: List & { data: { joins: boolean } } = {
    type: 'list',
    ordered,
    spread: items.some(({ spread }) => spread),
    children: items,
    data: { joins: true },
  }
  return list
}

/** Makes one list of those that components beside each other made. */
export function joinLists(nodes: PageNode[]): PageNode[] {
  const joined: PageNode[] = []
  for (const node of nodes) {
    const last = joined.at(-1)
    if (last && isJoining(last) && isJoining(node) && last.ordered === node.ordered) {
      joined[joined.length - 1] = {
        ...last,
        spread: Boolean(last.spread || node.spread),
        children: [...last.children, ...node.children],
      }
    } else joined.push(node)
  }
  return joined
}

function isJoining(node: PageNode): node is List {
  return node.type === 'list' && (node.data as { joins?: boolean } | undefined)?.joins === true
}

function phrases(words: (string | PhrasingContent)[]): PhrasingContent[] {
  return words.flatMap((word) => (typeof word === 'string' ? titleWords(word) : word))
}
