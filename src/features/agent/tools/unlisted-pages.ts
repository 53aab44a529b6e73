import { readSiteMap } from '#features/content/service.ts'
import type { WorkingTree } from '../agent-run.ts'

/** New pages that readers cannot find, as the navigation does not name them. Without a docs.json there are none. */
export async function unlistedPages(tree: WorkingTree): Promise<string[]> {
  const added = tree.changes().filter(({ path, content }) => content !== null && !tree.base.entries.has(path))
  if (added.length === 0) return []
  const { config, navigation, pages, resolveEntry } = await readSiteMap(tree)
  if (config === null) return []
  const listed = new Set(
    navigation.entries.map(({ target }) => {
      const found = resolveEntry(target)
      return found.kind === 'page' ? found.path : null
    }),
  )
  const isPage = new Set(pages)
  const hidden = /^---\r?\n(?:.*\n)*?hidden:[ \t]*true/
  return added
    .filter(({ path, content }) => isPage.has(path) && !listed.has(path) && !hidden.test(content!.toString('utf8')))
    .map(({ path }) => path)
}

/** For a model. */
export function describeUnlisted(paths: string[]): string {
  const names = paths.slice(0, 10).join(', ') + (paths.length > 10 ? ', …' : '')
  return `Not in the navigation, so that readers will not find ${paths.length === 1 ? 'it' : 'them'}: ${names}. Add with navigation.`
}
