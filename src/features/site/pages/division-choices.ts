import type { NavigationDivision, NavigationGroup, NavigationItem, NavigationLevel } from '#features/content/service.ts'
import type { ServedSite } from '../serve/served-site.ts'
import { linkAddress, routeAddress } from './site-address.ts'

/** One of the alternatives that a reader can change to. */
export interface DivisionChoice {
  division: NavigationDivision
  address: string
  isCurrent: boolean
  /** Parts of a tab, to choose from directly. */
  menu: DivisionChoice[]
}

/** What of the navigation belongs on one page. */
export interface PageNavigation {
  languages: DivisionChoice[]
  versions: DivisionChoice[]
  /** Products, dropdowns: each list is one control. */
  switchers: DivisionChoice[][]
  tabs: DivisionChoice[]
  anchors: DivisionChoice[]
  /** Of the sidebar. */
  items: readonly NavigationItem[]
  /** Those that the page stands in, outermost first. */
  groups: readonly NavigationGroup[]
  /** Codes, as search filters by them. */
  language: string | null
  version: string | null
}

type Chooser = ReturnType<typeof createChooser>

export function navigationOf(site: ServedSite, route: string | null, chooser: Chooser): PageNavigation {
  const { navigation, placeOf, home } = site.edition.model
  const place = route === null ? null : placeOf(route)
  // A page outside the navigation is read beside that of the first page.
  const chain = place?.divisions ?? (home === null ? null : placeOf(home)?.divisions) ?? []
  const levels = [navigation.root, ...chain.map(({ level }) => level)]
  const shown: PageNavigation = {
    languages: [],
    versions: [],
    switchers: [],
    tabs: [],
    anchors: [],
    items: levels.findLast(({ items }) => items.length > 0)?.items ?? [],
    groups: place?.groups ?? [],
    language: chain.find(({ kind }) => kind === 'language')?.code ?? null,
    version: chain.find(({ kind }) => kind === 'version')?.code ?? null,
  }
  for (const [depth, level] of levels.entries()) {
    const chosen = chain[depth] ?? null
    const isMenuOfTab = depth > 0 && chain[depth - 1]!.kind === 'tab'
    for (const [kind, siblings] of byKind(level)) {
      if (kind === 'menu' && isMenuOfTab) continue
      add(shown, kind, chooser.choices(siblings, { route, chosen, next: chain[depth + 1] ?? null }))
    }
  }
  for (const [kind, siblings] of byKind({ divisions: navigation.global, items: [] })) {
    add(shown, kind, chooser.choices(siblings, { route, chosen: null, next: null }))
  }
  return shown
}

function add(shown: PageNavigation, kind: NavigationDivision['kind'], choices: DivisionChoice[]): void {
  if (choices.length === 0) return
  if (kind === 'language') shown.languages.push(...choices)
  else if (kind === 'version') shown.versions.push(...choices)
  else if (kind === 'tab') shown.tabs.push(...choices)
  else if (kind === 'anchor') shown.anchors.push(...choices)
  else shown.switchers.push(choices)
}

function byKind({ divisions }: NavigationLevel): Map<NavigationDivision['kind'], NavigationDivision[]> {
  return Map.groupBy(divisions, ({ kind }) => kind)
}

interface Chosen {
  route: string | null
  chosen: NavigationDivision | null
  /** Of the level below, for the menu of a tab. */
  next: NavigationDivision | null
}

/** Finds where each alternative leads. Answers that do not depend on the page are kept. */
export function createChooser(site: ServedSite) {
  const { pages, model } = site.edition
  const first = new WeakMap<NavigationDivision, string | null>()

  function firstRoute(division: NavigationDivision): string | null {
    let route = first.get(division)
    if (route === undefined) {
      route = firstOfLevel(division.level)
      first.set(division, route)
    }
    return route
  }

  function firstOfLevel({ items, divisions }: NavigationLevel): string | null {
    const item = firstOfItems(items)
    if (item !== null) return item
    const inOrder = divisions.toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault))
    for (const division of inOrder) {
      const route = division.isHidden ? null : firstRoute(division)
      if (route !== null) return route
    }
    return null
  }

  function firstOfItems(items: readonly NavigationItem[]): string | null {
    for (const item of items) {
      if (item.kind === 'page' && isOpen(item.route)) return item.route
      if (item.kind !== 'group' || item.isHidden) continue
      const route = item.root !== null && pages.has(item.root) ? item.root : firstOfItems(item.items)
      if (route !== null) return route
    }
    return null
  }

  function isOpen(route: string): boolean {
    const page = pages.get(route)
    return page !== undefined && page.index.fields.url === null
  }

  /** The same page in another language or version, if it is there. */
  function counterpart(route: string, from: NavigationDivision, to: NavigationDivision): string | null {
    const segments = route.split('/').slice(1)
    const at = segments.indexOf(from.code)
    const candidates = at === -1 ? [] : [segments.with(at, to.code), segments.toSpliced(at, 1)]
    candidates.push([to.code, ...segments])
    for (const candidate of candidates) {
      const other = `/${candidate.join('/')}`
      if (pages.has(other) && model.placeOf(other)?.divisions.includes(to)) return other
    }
    return null
  }

  function addressOf(division: NavigationDivision, { route, chosen }: Chosen): string | null {
    if (division.href !== null) return linkAddress(site, division.href)
    const isTranslation = division.kind === 'language' || division.kind === 'version'
    const same = isTranslation && route !== null && chosen !== null && chosen !== division
    const target = (same ? counterpart(route, chosen, division) : null) ?? firstRoute(division)
    return target === null ? null : routeAddress(site, target)
  }

  return {
    firstOfItems,
    choices(divisions: NavigationDivision[], place: Chosen): DivisionChoice[] {
      return divisions.flatMap((division) => {
        const isCurrent = division === place.chosen
        if (division.isHidden && !isCurrent) return []
        const address = addressOf(division, place)
        if (address === null) return []
        const parts = division.kind === 'tab' ? division.level.divisions.filter(({ kind }) => kind === 'menu') : []
        const menu = this.choices(parts, { ...place, chosen: isCurrent ? place.next : null, next: null })
        return [{ division, address, isCurrent, menu }]
      })
    },
  }
}
