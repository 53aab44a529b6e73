import type { EditionPage } from '../edition/edition.ts'
import type { ServedSite } from '../serve/served-site.ts'
import type { PageNavigation } from './division-choices.ts'
import type { SiteNavigation } from './site-navigation.ts'

/** What it takes to lay out one page. */
export interface PageView {
  site: ServedSite
  page: EditionPage
  /** HTML of its content, with every address filled in. */
  body: string
  needsMermaid: boolean
}

/** What the parts of one page share. */
export interface PageContext {
  site: ServedSite
  /** Null on pages that are none of the site's, such as "not found". */
  page: EditionPage | null
  navigation: SiteNavigation
  here: PageNavigation
}

/** The site's name, as docs.json says it or as the project is called. */
export function siteName({ site }: Pick<PageContext, 'site'>): string {
  return site.edition.model.settings.name ?? site.name
}
