import type { NavigationDivision } from '#features/content/service.ts'
import type { Html } from '#infra/http/html.ts'
import type { Edition, EditionPage } from '../edition/edition.ts'
import type { ServedSite } from '../serve/served-site.ts'
import { createChooser, navigationOf, type PageNavigation } from './division-choices.ts'
import { createSidebar, type SidebarPlace } from './sidebar.ts'

/** The navigation of an edition at one address, with what was worked out of it for earlier pages. */
export interface SiteNavigation {
  on(route: string | null): PageNavigation
  sidebar(items: PageNavigation['items'], place: SidebarPlace): Html
  /** Where a group leads. */
  firstOfItems(items: PageNavigation['items']): string | null
  previous(route: string): EditionPage | null
  next(route: string): EditionPage | null
}

// Previews of a commit have an address for each signature; nobody reads many of them at once.
const mostBases = 8
const known = new WeakMap<Edition, Map<string, SiteNavigation>>()

export function siteNavigation(site: ServedSite): SiteNavigation {
  const ofEdition = known.get(site.edition) ?? new Map<string, SiteNavigation>()
  known.set(site.edition, ofEdition)
  let navigation = ofEdition.get(site.base)
  if (navigation === undefined) {
    if (ofEdition.size >= mostBases) ofEdition.clear()
    navigation = createSiteNavigation(site)
    ofEdition.set(site.base, navigation)
  }
  return navigation
}

function createSiteNavigation(site: ServedSite): SiteNavigation {
  const { model, pages } = site.edition
  const chooser = createChooser(site)
  const positions = new Map(model.order.map((route, index) => [route, index]))

  /** The nearest page in reading order that stands in the same division. */
  function neighbour(route: string, step: 1 | -1): EditionPage | null {
    const start = positions.get(route)
    if (start === undefined) return null
    const division = lastDivision(route)
    for (let at = start + step; ; at += step) {
      const other = model.order[at]
      if (other === undefined || lastDivision(other) !== division) return null
      const page = pages.get(other)
      if (page && !page.index.fields.isHidden && page.index.fields.url === null) return page
    }
  }

  function lastDivision(route: string): NavigationDivision | null {
    return model.placeOf(route)?.divisions.at(-1) ?? null
  }

  return {
    on: (route) => navigationOf(site, route, chooser),
    sidebar: createSidebar(site, chooser),
    firstOfItems: chooser.firstOfItems,
    previous: (route) => neighbour(route, -1),
    next: (route) => neighbour(route, 1),
  }
}
