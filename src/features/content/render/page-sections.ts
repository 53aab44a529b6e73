import type { Anchors } from './anchors.ts'
import type { PageNode } from './component.ts'
import { noteName } from './expand/note.ts'
import type { PageSection } from './rendered-page.ts'

// What a component shows of what it is given. Names of fields and parameters are words too.
const wordProps = [
  'title',
  'label',
  'headline',
  'name',
  'path',
  'query',
  'body',
  'header',
  'tip',
  'description',
  'caption',
  'alt',
]
const breaks = new Set([
  'paragraph',
  'heading',
  'listItem',
  'tableCell',
  'code',
  'break',
  'component',
  'blockquote',
  'math',
])
const usualLongest = 50_000
const mostSections = 5_000

/** The page's words, cut at its headings. */
export function readSections(
  nodes: readonly PageNode[],
  anchors: Anchors,
  { longestSection = usualLongest }: { longestSection?: number } = {},
): PageSection[] {
  const sections: PageSection[] = []
  let section: PageSection = { id: null, title: '', text: '' }
  let words: string[] = []
  let length = 0
  const add = (text: string) => {
    if (length > longestSection) return
    words.push(text)
    length += text.length
  }
  const end = () => {
    section.text = words.join('').replace(/\s+/g, ' ').trim().slice(0, longestSection)
    if (section.id !== null || section.text !== '') sections.push(section)
    words = []
    length = 0
  }
  // A stack of our own, in the order of the page.
  const open: PageNode[] = [...nodes].reverse()
  for (let node = open.pop(); node; node = open.pop()) {
    const anchor = anchors.of(node)
    if (breaks.has(node.type)) add(' ')
    if (anchor && anchor.depth !== null && sections.length < mostSections) {
      end()
      section = { id: anchor.id, title: anchor.title, text: '' }
      if (node.type === 'heading' || (node.type === 'component' && /^h[1-6]$|^Heading$/.test(node.name))) continue
    }
    if (node.type === 'component') {
      if (node.name === noteName) continue
      for (const name of wordProps) {
        const value = Object.hasOwn(node.props, name) ? node.props[name] : null
        if (typeof value === 'string' && value !== section.title) add(` ${value} `)
      }
    } else if (node.type === 'image') add(` ${node.alt ?? ''} `)
    else if ('value' in node && typeof node.value === 'string') add(node.value)
    if ('children' in node)
      for (let at = node.children.length - 1; at >= 0; at--) open.push(node.children[at] as PageNode)
  }
  end()
  return sections
}
