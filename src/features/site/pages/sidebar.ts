import type { NavigationGroup, NavigationItem } from '#features/content/service.ts'
import { Html, type HtmlValue, html } from '#infra/http/html.ts'
import type { EditionPage } from '../edition/edition.ts'
import type { ServedSite } from '../serve/served-site.ts'
import { authorIcon } from './author-icon.ts'
import { methodOf } from './page-method.ts'
import { isElsewhere, linkAddress, routeAddress } from './site-address.ts'
import { softBreaks } from './soft-breaks.ts'
import { uiIcon } from './ui-icons.ts'

export interface SidebarPlace {
  route: string | null
  /** Groups that the page stands in: they are open. */
  groups: readonly NavigationGroup[]
}

/** Above so many entries, groups that the page does not stand in are links to their first page. */
const mostEntries = 600
/** Of entries beside each other, those nearest to the page are shown. */
const mostSiblings = 300

type Place = SidebarPlace & { depth: number; isLarge: boolean }

/**
 * The list of a division's pages. What is not on the way to the current page looks the same on every page, and is kept;
 * so a page of a large site costs what lies beside its own branch.
 */
export function createSidebar(
  site: ServedSite,
  { firstOfItems }: { firstOfItems(items: readonly NavigationItem[]): string | null },
) {
  const kept = new WeakMap<NavigationItem, Html>()
  const sizes = new WeakMap<readonly NavigationItem[], number>()
  const { pages } = site.edition

  function renderItem(item: NavigationItem, place: Place): Html {
    if (isOnTheWay(item, place)) return render(item, place, true)
    let known = kept.get(item)
    if (known === undefined) {
      known = render(item, { ...place, groups: [], route: null }, false)
      kept.set(item, known)
    }
    return known
  }

  function render(item: NavigationItem, place: Place, isOpen: boolean): Html {
    if (item.kind === 'link') return renderLink(item)
    if (item.kind === 'page') return renderPage(item.route, { isCurrent: isOpen, isLarge: place.isLarge })
    return renderGroup(item, place, isOpen)
  }

  function renderItems(items: readonly NavigationItem[], place: Place): Html[] {
    if (items.length <= mostSiblings) return items.map((item) => renderItem(item, place))
    const here = items.findIndex((item) => isOnTheWay(item, place))
    const start = Math.max(0, here - mostSiblings / 2)
    const end = start + mostSiblings
    return [
      ...renderMore('Earlier pages', items.slice(0, start).reverse()),
      ...items.slice(start, end).map((item) => renderItem(item, place)),
      ...renderMore('More pages', items.slice(end)),
    ]
  }

  function renderMore(label: string, items: readonly NavigationItem[]): Html[] {
    const route = firstOfItems(items)
    return route === null ? [] : [html`<li><a class="more" href="${routeAddress(site, route)}">${label}…</a></li>`]
  }

  function renderLink({ label, href, icon }: { label: string; href: string; icon: string | null }): Html {
    const address = linkAddress(site, href)
    if (address === null) return new Html('')
    return html`<li><a href="${address}"${leaving(address)}>${authorIcon(site, icon)}<span>${label}</span>${isElsewhere(address) && uiIcon('leaves')}</a></li>`
  }

  function renderPage(route: string, { isCurrent, isLarge }: { isCurrent: boolean; isLarge: boolean }): Html {
    const page = pages.get(route)
    if (page === undefined || (page.index.fields.isHidden && !isCurrent)) return new Html('')
    const { fields } = page.index
    if (fields.url !== null) return renderLink({ label: page.navigationTitle, href: fields.url, icon: fields.icon })
    // Drawings of hundreds of icons would be most of the page.
    const icon = isLarge ? null : authorIcon(site, fields.icon)
    return html`<li><a href="${routeAddress(site, route)}"${currentMark(isCurrent)}>${icon}${methodMark(page)}<span>${softBreaks(page.navigationTitle)}</span>${tagMark(fields.tag, fields.isDeprecated)}</a></li>`
  }

  function renderGroup(group: NavigationGroup, place: Place, isOpen: boolean): Html {
    if (group.isHidden && !isOpen) return new Html('')
    const label = html`${authorIcon(site, group.icon)}<span>${softBreaks(group.label)}</span>${tagMark(group.tag, false)}`
    const root = group.root !== null && pages.has(group.root) ? group.root : null
    if (place.isLarge && !isOpen) {
      const route = root ?? firstOfItems(group.items)
      if (route === null) return new Html('')
      return html`<li><a class="closed" href="${routeAddress(site, route)}">${label}${uiIcon('right')}</a></li>`
    }
    const items = group.items.filter((item) => item.kind !== 'page' || item.route !== root)
    const children = renderItems(items, { ...place, depth: place.depth + 1 })
    const rootLink =
      root !== null && html`<a href="${routeAddress(site, root)}"${currentMark(root === place.route)}>${label}</a>`
    if (children.every(({ text }) => text === '')) return rootLink ? html`<li>${rootLink}</li>` : new Html('')
    if (place.depth === 0) {
      return html`<li class="section"><div class="section-title">${rootLink || label}</div><ul>${children}</ul></li>`
    }
    const own = root === null ? null : renderPage(root, { isCurrent: root === place.route, isLarge: place.isLarge })
    return html`<li><details${(isOpen || group.isExpanded) && new Html(' open')}><summary>${label}${uiIcon('right')}</summary><ul>${own}${children}</ul></details></li>`
  }

  function sizeOf(items: readonly NavigationItem[]): number {
    let size = sizes.get(items)
    if (size === undefined) {
      size = items.reduce((sum, item) => sum + 1 + (item.kind === 'group' ? sizeOf(item.items) : 0), 0)
      sizes.set(items, size)
    }
    return size
  }

  return (items: readonly NavigationItem[], place: SidebarPlace): Html => {
    const isLarge = sizeOf(items) > mostEntries
    return html`<ul class="tree-nav">${renderItems(items, { ...place, depth: 0, isLarge })}</ul>`
  }
}

function isOnTheWay(item: NavigationItem, { route, groups }: SidebarPlace): boolean {
  if (item.kind === 'group') return groups.includes(item) || (item.root !== null && item.root === route)
  return item.kind === 'page' && item.route === route
}

function currentMark(isCurrentPage: boolean): HtmlValue {
  return isCurrentPage && new Html(' aria-current="page"')
}

function tagMark(tag: string | null, isDeprecated: boolean): HtmlValue {
  const text = tag ?? (isDeprecated ? 'Deprecated' : null)
  return text !== null && html`<span class="nav-tag">${text}</span>`
}

function methodMark(page: EditionPage): HtmlValue {
  const method = methodOf(page)
  return (
    method !== null &&
    html`<span class="method" data-method="${method.toLowerCase()}">${short[method] ?? method}</span>`
  )
}

const short: Record<string, string> = { DELETE: 'DEL', OPTIONS: 'OPT', WEBHOOK: 'HOOK', CHANNEL: 'WS' }

/** For links to other sites: they learn nothing of where the reader came from but the site. */
export function leaving(address: string): HtmlValue {
  return /^https?:/i.test(address) && new Html(' rel="noopener"')
}
