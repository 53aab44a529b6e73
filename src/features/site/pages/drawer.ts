import { type Html, html } from '#infra/http/html.ts'
import { authorIcon } from './author-icon.ts'
import type { PageContext } from './page-view.ts'
import { leaving } from './sidebar.ts'
import { switcher, topLinks } from './top-bar.ts'
import { uiIcon } from './ui-icons.ts'

/**
 * The navigation at the side; on small screens a drawer. It is a popover, which a button opens without any script, and
 * which wide screens show as part of the page.
 */
export function drawer(context: PageContext): Html {
  const { here, navigation, page, site } = context
  const anchors = here.anchors.map(
    ({ division, address, isCurrent }) =>
      html`<li><a href="${address}"${isCurrent && html` aria-current="true"`}${leaving(address)}><span class="anchor-icon">${authorIcon(site, division.icon) ?? uiIcon('leaves')}</span><span>${division.label}</span></a></li>`,
  )
  return html`<div class="sidebar" id="docent-sidebar" popover>
<button class="icon-button drawer-close" type="button" popovertarget="docent-sidebar" popovertargetaction="hide" aria-label="Close the navigation">${uiIcon('close')}</button>
${here.switchers.map((choices) => switcher(choices, context))}
<nav class="side-nav" aria-label="Pages">
${anchors.length > 0 && html`<ul class="anchors">${anchors}</ul>`}
${navigation.sidebar(here.items, { route: page?.route ?? null, groups: here.groups })}
</nav>
<div class="drawer-links">${topLinks(context)}</div>
</div>`
}
