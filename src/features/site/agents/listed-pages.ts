import type { NavigationItem, NavigationLevel } from '#features/content/service.ts'
import type { Edition, EditionPage } from '../edition/edition.ts'

/** Pages under the names that lead to them, as an index lists them. */
export interface ListedSection {
  /** Names of divisions and groups, outermost first; empty for pages outside of all. */
  trail: string[]
  pages: EditionPage[]
}

/**
 * The pages that search engines and agents are told of, each once, in the order of the navigation: not those that their
 * authors hid, nor those that are only links. Pages outside the navigation come last, where the site lists them at all.
 */
export function listSections({ model, pages }: Pick<Edition, 'model' | 'pages'>): ListedSection[] {
  const sections: ListedSection[] = []
  const listed = new Set<string>()

  function add(route: string, trail: string[]): void {
    const page = pages.get(route)
    if (!page || listed.has(route) || !isListed(page)) return
    listed.add(route)
    const last = sections.at(-1)
    if (last && sameTrail(last.trail, trail)) last.pages.push(page)
    else sections.push({ trail, pages: [page] })
  }

  function walkItems(items: NavigationItem[], trail: string[]): void {
    for (const item of items) {
      if (item.kind === 'page') add(item.route, trail)
      else if (item.kind === 'group' && !item.isHidden) {
        const inside = [...trail, item.label]
        if (item.root !== null) add(item.root, inside)
        walkItems(item.items, inside)
      }
    }
  }

  function walkLevel({ divisions, items }: NavigationLevel, trail: string[]): void {
    walkItems(items, trail)
    for (const division of divisions) {
      if (!division.isHidden) walkLevel(division.level, [...trail, division.label])
    }
  }

  walkLevel(model.navigation.root, [])
  for (const division of model.navigation.global) {
    if (!division.isHidden) walkLevel(division.level, [division.label])
  }
  if (model.settings.indexing === 'all') {
    for (const route of pages.keys()) if (!model.placeOf(route)?.isHidden) add(route, ['More pages'])
  }
  return sections
}

function isListed({ index: { fields } }: EditionPage): boolean {
  return !fields.isHidden && !fields.noIndex && fields.url === null
}

function sameTrail(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, at) => name === b[at])
}
