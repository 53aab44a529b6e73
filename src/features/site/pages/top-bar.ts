import { Html, type HtmlValue, html } from '#infra/http/html.ts'
import { authorIcon } from './author-icon.ts'
import type { DivisionChoice } from './division-choices.ts'
import { type PageContext, siteName } from './page-view.ts'
import { leaving } from './sidebar.ts'
import { imageAddress, isElsewhere, linkAddress, routeAddress } from './site-address.ts'
import { uiIcon } from './ui-icons.ts'

/** The bar at the top of every page: whose site it is, search, links, and the row of tabs. */
export function topBar(context: PageContext, { hasSidebar }: { hasSidebar: boolean }): Html {
  const { site, here } = context
  const { settings } = site.edition.model
  return html`<header class="top">
<div class="top-bar">
${hasSidebar && html`<button class="icon-button drawer-open" type="button" popovertarget="docent-sidebar" aria-label="Open the navigation">${uiIcon('menu')}</button>`}
${brand(context)}
${here.versions.length > 0 && divisionMenu(here.versions, { label: 'Version', icon: null })}
<button class="search-open needs-js" type="button" data-search aria-keyshortcuts="Control+K Meta+K /">${uiIcon('search')}<span dir="auto">${settings.searchPrompt ?? 'Search…'}</span><kbd data-shortcut aria-hidden="true">Ctrl K</kbd></button>
<div class="top-end">
${topLinks(context)}
${here.languages.length > 1 && divisionMenu(here.languages, { label: 'Language', icon: 'globe' })}
${!settings.appearance.isFixed && html`<button class="icon-button theme-switch needs-js" type="button" data-theme-switch aria-label="Change between light and dark">${uiIcon('sun')}${uiIcon('moon')}</button>`}
</div>
</div>
${tabRow(here.tabs, context)}
</header>`
}

function brand(context: PageContext): Html {
  const { site } = context
  const { logo } = site.edition.model.settings
  const name = siteName(context)
  const home = (logo?.href && linkAddress(site, logo.href)) || routeAddress(site, '/')
  const [light, dark] = [logo && imageAddress(site, logo.light), logo && imageAddress(site, logo.dark)]
  if (!light || !dark) return html`<a class="brand" href="${home}"><span class="brand-name">${name}</span></a>`
  const images =
    light === dark
      ? html`<img src="${light}" alt="${name}">`
      : html`<img class="only-light" src="${light}" alt="${name}"><img class="only-dark" src="${dark}" alt="${name}">`
  return html`<a class="brand" href="${home}">${images}</a>`
}

/** Links of the bar; on small screens they stand in the drawer instead. */
export function topLinks(context: PageContext): HtmlValue {
  const { site } = context
  const { links, primary } = site.edition.model.settings.navbar
  const shown = links.flatMap(({ label, href, icon }) => {
    const address = linkAddress(site, href)
    return address === null
      ? []
      : [html`<li><a href="${address}"${leaving(address)}>${authorIcon(site, icon)}${label}</a></li>`]
  })
  const button = primary && linkAddress(site, primary.href)
  if (shown.length === 0 && !button) return null
  const icon = primary && authorIcon(site, primary.type === 'button' ? primary.icon : primary.type)
  return html`<nav class="top-links" aria-label="Site"><ul>${shown}${button && html`<li><a class="button" href="${button}"${leaving(button)}>${icon}${primary!.label}</a></li>`}</ul></nav>`
}

/** A control that offers alternatives as links, and opens without any script. */
export function divisionMenu(
  choices: DivisionChoice[],
  { label, icon }: { label: string; icon: 'globe' | null },
): Html {
  const current = choices.find(({ isCurrent }) => isCurrent) ?? choices[0]!
  if (choices.length === 1) return html`<span class="only-choice">${current.division.label}</span>`
  return html`<details class="menu"><summary aria-label="${label}: ${current.division.label}">${icon && uiIcon(icon)}<span>${current.division.label}</span>${uiIcon('down')}</summary>
<ul class="menu-list">${choices.map((choice) => menuItem(choice))}</ul></details>`
}

function menuItem({ division, address, isCurrent }: DivisionChoice, icon: HtmlValue = null): Html {
  const mark = division.tag && html`<span class="nav-tag">${division.tag}</span>`
  const language = division.kind === 'language' && html` lang="${division.code}" hreflang="${division.code}"`
  return html`<li><a href="${address}"${isCurrent && new Html(' aria-current="true"')}${language}${leaving(address)}>${icon}<span class="menu-text"><span class="menu-label">${division.label}${mark}</span>${division.description && html`<span class="menu-description">${division.description}</span>`}</span>${isCurrent ? uiIcon('check') : isElsewhere(address) && uiIcon('leaves')}</a></li>`
}

/** Products and dropdowns, at the top of the sidebar. */
export function switcher(choices: DivisionChoice[], { site }: PageContext): Html {
  const current = choices.find(({ isCurrent }) => isCurrent) ?? choices[0]!
  const icon = authorIcon(site, current.division.icon)
  const items = choices.map((choice) => menuItem(choice, boxed(authorIcon(site, choice.division.icon))))
  return html`<details class="menu switcher"><summary>${boxed(icon)}<span class="menu-text"><span class="menu-label">${current.division.label}</span></span>${uiIcon('both')}</summary>
<ul class="menu-list">${items}</ul></details>`
}

function boxed(icon: Html | null): HtmlValue {
  return icon && html`<span class="menu-icon">${icon}</span>`
}

function tabRow(tabs: DivisionChoice[], { site }: PageContext): HtmlValue {
  if (tabs.length === 0) return null
  const items = tabs.map(({ division, address, isCurrent, menu }) => {
    const label = html`${authorIcon(site, division.icon)}${division.label}${division.tag && html`<span class="nav-tag">${division.tag}</span>`}`
    if (menu.length > 0) {
      const parts = menu.map((choice) => menuItem(choice, boxed(authorIcon(site, choice.division.icon))))
      return html`<li><details class="menu tab-menu"${isCurrent && new Html(' data-current')}><summary>${label}${uiIcon('down')}</summary><ul class="menu-list">${parts}</ul></details></li>`
    }
    return html`<li><a href="${address}"${isCurrent && new Html(' aria-current="true"')}${leaving(address)}>${label}${isElsewhere(address) && uiIcon('leaves')}</a></li>`
  })
  return html`<nav class="tab-row" aria-label="Sections"><ul>${items}</ul></nav>`
}
