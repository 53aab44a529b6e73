import type { SiteModel } from '#features/content/service.ts'
import type { EditionPage } from '../edition/edition.ts'
import type { SearchedPage } from './search-sections.ts'

// What nobody can click their way to is seldom what is looked for.
const outsideNavigation = 0.5
const deprecated = 0.7
// A boost is anybody's number.
const boosts = { least: 0.05, most: 20 }

/** The pages of an edition as search sees them, by their numbers in the file; looked at when they are first found. */
export function createSearchedPages({
  pages,
  model,
  idOf,
}: {
  pages: ReadonlyMap<string, EditionPage>
  model: SiteModel
  idOf(key: string): number | undefined
}): (pageId: number) => readonly SearchedPage[] {
  const none: SearchedPage[] = []
  const known = new Map<number, SearchedPage[]>()
  let byId: Map<number, EditionPage[]> | null = null
  return (pageId) => {
    byId ??= group()
    const found = known.get(pageId) ?? byId.get(pageId)?.map((page) => toSearched(page, model))
    if (found) known.set(pageId, found)
    return found ?? none
  }

  function group(): Map<number, EditionPage[]> {
    const grouped = new Map<number, EditionPage[]>()
    for (const page of pages.values()) {
      const id = idOf(page.key)
      if (id === undefined) continue
      const others = grouped.get(id)
      if (others) others.push(page)
      else grouped.set(id, [page])
    }
    return grouped
  }
}

function toSearched(page: EditionPage, model: SiteModel): SearchedPage {
  const place = model.placeOf(page.route)
  const { fields } = page.index
  const codeOf = (kind: 'language' | 'version') => place?.divisions.find((one) => one.kind === kind)?.code ?? null
  const group = Math.min(Math.max(place ? place.boost || 1 : outsideNavigation, boosts.least), boosts.most)
  return {
    page,
    isHidden: fields.isHidden || (place?.isHidden ?? false),
    language: codeOf('language'),
    version: codeOf('version'),
    boost: fields.isDeprecated ? group * deprecated : group,
    trail() {
      const found = model.placeOf(page.route)
      return found ? [...found.divisions, ...found.groups].map(({ label }) => label).filter(Boolean) : []
    },
  }
}
