import type { PageNode } from '../render/component.ts'
import { components } from '../render/components/registry.ts'
import { expandPage } from '../render/expand/expand.ts'
import { paragraph, words } from './page-nodes.ts'

/** Shows the words of a specification; of one page, not more than a page may have. */
export interface SpecMarkdown {
  /** Blocks, its headings included. */
  page(text: string): PageNode[]
  /** As above, without headings: what stands in a field must not stand in the contents of the page. */
  field(text: string): PageNode[]
  /** Written for sites of this format, components included: `x-mint.content`. */
  mdx(text: string): PageNode[]
}

const mostCharacters = 400_000
const longestText = 50_000
const limits = { nodes: 20_000, characters: 1_000_000, snippets: 0, steps: 100_000 }
// Nothing of Markdown, HTML or an address in it.
const isPlain = (text: string) => text.length < 5_000 && !/[*_`~[\]<>&\\#|$:\n\r]|^\s*(?:[-+=]|\d+[.)])/.test(text)

/** `from` is the file that links in it start at. */
export function createSpecMarkdown({ from }: { from: string }): SpecMarkdown {
  let left = mostCharacters
  const parse = (written: string, form: 'md' | 'mdx'): PageNode[] => {
    const text = written.trim().slice(0, Math.min(longestText, left))
    left -= text.length
    if (text === '') return []
    if (isPlain(text)) return [paragraph(words(text))]
    const input = { source: text, imports: {}, snippets: {}, variables: {}, operation: null, exampleLanguages: [] }
    const { nodes, file } = expandPage(
      { ...input, path: `${from}.${form}`, icons: 'fontawesome' },
      { isComponent: (name) => form === 'mdx' && Object.hasOwn(components, name), limits },
    )
    if (!file.failure) return nodes
    return form === 'mdx' ? parse(written, 'md') : [paragraph(words(text))]
  }
  return {
    page: (text) => parse(text, 'md').map((node) => lowerHeading(node)),
    field: (text) => parse(text, 'md').map((node) => flattenHeading(node)),
    mdx: (text) => parse(text, 'mdx'),
  }
}

/** The page has its title already. */
function lowerHeading(node: PageNode): PageNode {
  return node.type === 'heading' && node.depth === 1 ? { ...node, depth: 2 } : node
}

function flattenHeading(node: PageNode): PageNode {
  if (node.type === 'heading') return { type: 'paragraph', children: [{ type: 'strong', children: node.children }] }
  return node.type === 'component' && /^h[1-6]$/.test(node.name) ? { ...node, name: 'p' } : node
}
