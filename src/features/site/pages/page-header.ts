import { type Html, type HtmlValue, html } from '#infra/http/html.ts'
import type { EditionPage } from '../edition/edition.ts'
import { inlineMarkdown } from './inline-markdown.ts'
import type { PageContext } from './page-view.ts'
import { markdownAddress, routeAddress } from './site-address.ts'
import { softBreaks } from './soft-breaks.ts'
import { uiIcon } from './ui-icons.ts'

/** Where the page stands, what it is called and what it is about. */
export function pageHeader(context: PageContext, page: EditionPage): Html {
  const { description, isDeprecated, tag } = page.index.fields
  return html`<header class="page-header">
${trail(context)}
<div class="page-title"><div class="page-name"><h1>${softBreaks(page.title)}</h1>${isDeprecated && html`<span class="badge" data-color="orange" data-shape="rounded">Deprecated</span>`}${tag && html`<span class="badge" data-color="gray" data-shape="rounded">${tag}</span>`}</div>${copyMenu(context, page)}</div>
${description && html`<p class="page-description">${inlineMarkdown(context.site, description)}</p>`}
</header>`
}

function trail({ site, here, navigation }: PageContext): HtmlValue {
  const groups = here.groups.filter(({ label }) => label !== '')
  if (groups.length === 0) return null
  if (site.edition.model.settings.eyebrow === 'section') {
    return html`<p class="eyebrow">${groups.at(-1)!.label}</p>`
  }
  const items = groups.map(({ label, root, items: inside }) => {
    const route = root ?? navigation.firstOfItems(inside)
    return html`<li>${route === null ? label : html`<a href="${routeAddress(site, route)}">${label}</a>`}</li>`
  })
  return html`<nav class="breadcrumbs" aria-label="Breadcrumbs"><ol>${items}</ol></nav>`
}

function copyMenu({ site }: PageContext, page: EditionPage): Html {
  const address = markdownAddress(site, page.route)
  return html`<div class="copy-page">
<button class="needs-js" type="button" data-copy-page>${uiIcon('copy')}<span aria-live="polite">Copy page</span></button>
<details class="menu menu-end"><summary aria-label="More ways to read this page">${uiIcon('down')}</summary><ul class="menu-list">
<li class="needs-js"><button type="button" data-copy-page><span class="menu-icon">${uiIcon('copy')}</span><span class="menu-text"><span class="menu-label">Copy page</span><span class="menu-description">As Markdown, for an AI assistant</span></span></button></li>
<li><a href="${address}"><span class="menu-icon">${uiIcon('text')}</span><span class="menu-text"><span class="menu-label">View as Markdown</span><span class="menu-description">The page as plain text</span></span></a></li>
</ul></details></div>`
}
