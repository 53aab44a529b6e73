/**
 * The navigation of a site as readers see it: what `docs.json` says, with pages resolved to routes; or, without one, the
 * folders. Titles are not in it, as they stand in the pages.
 */
export interface NavigationTree {
  root: NavigationLevel
  /** Shown wherever the reader is: `navigation.global`. */
  global: NavigationDivision[]
}

/** What stands inside one division, or at the top: alternatives to choose from, or the sidebar's items; sometimes both. */
export interface NavigationLevel {
  /** Alternatives of one kind each, in the order in which they narrow down: languages before versions before tabs. */
  divisions: NavigationDivision[]
  items: NavigationItem[]
}

export type DivisionKind = 'language' | 'version' | 'product' | 'dropdown' | 'tab' | 'menu' | 'anchor'

/** One of several alternatives, such as a version or a tab. */
export interface NavigationDivision {
  kind: DivisionKind
  /** `v2`, `Guides`; of a language its name in that language. */
  label: string
  /** The language's code (`de`), or the version's own name; what search filters by. */
  code: string
  icon: string | null
  description: string | null
  tag: string | null
  isDefault: boolean
  isHidden: boolean
  /** Where it leads instead of to a level of its own: an address as written. */
  href: string | null
  level: NavigationLevel
}

export type NavigationItem = NavigationGroup | NavigationPage | NavigationLink

export interface NavigationGroup {
  kind: 'group'
  label: string
  icon: string | null
  tag: string | null
  /** The group's own page, which its label leads to. */
  root: string | null
  isHidden: boolean
  isExpanded: boolean
  /** Its pages stand higher (above 1) or lower in search. */
  boost: number
  items: NavigationItem[]
}

export interface NavigationPage {
  kind: 'page'
  route: string
}

/** A link in the place of a page. */
export interface NavigationLink {
  kind: 'link'
  label: string
  href: string
  icon: string | null
}

/** Where a page stands in the navigation, outermost first. A page that stands in several places has its first one. */
export interface NavigationPlace {
  divisions: NavigationDivision[]
  groups: NavigationGroup[]
  isHidden: boolean
  boost: number
}
