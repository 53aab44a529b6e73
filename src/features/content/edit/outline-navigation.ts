import type { DocsTree } from './docs-tree.ts'
import { findNavigation } from './editable-navigation.ts'

/**
 * The navigation in short, one line for each list of pages: `Guides / Deploy: guides/docker, guides/fly`. Null when the
 * site has none. Throws `invalid` when its configuration does not parse.
 */
export async function outlineNavigation(tree: DocsTree): Promise<string | null> {
  const navigation = await findNavigation(tree)
  if (!navigation) return null
  const lines = new Map<string, string[]>()
  for (const { names } of navigation.groups) lines.set(names.join(' / '), [])
  for (const { kind, value, within } of navigation.entries) {
    const isListed = kind === 'page' || kind === 'root' || (kind === 'file' && within.length > 0)
    if (!isListed) continue
    const name = within.join(' / ')
    const values = lines.get(name) ?? []
    if (!values.includes(value)) lines.set(name, [...values, value])
  }
  // What only holds other groups is named by them.
  const shown = [...lines].filter(([, values]) => values.length > 0)
  return shown.map(([name, values]) => `${name || '(top)'}: ${values.join(', ')}`).join('\n')
}
