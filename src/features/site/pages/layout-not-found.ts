import { html } from '#infra/http/html.ts'
import type { EditionPage } from '../edition/edition.ts'
import type { ServedSite } from '../serve/served-site.ts'
import { document } from './document.ts'
import { inlineMarkdown } from './inline-markdown.ts'
import { routeAddress } from './site-address.ts'
import { siteNavigation } from './site-navigation.ts'
import { uiIcon } from './ui-icons.ts'

export interface NotFoundView {
  site: ServedSite
  /** What was asked for, as a route. */
  route: string
  /** Pages that may have been meant, best first. */
  suggestions: readonly EditionPage[]
}

/** Says that there is no such page, beside the site's navigation. */
export function layoutNotFound({ site, route, suggestions }: NotFoundView): string {
  const navigation = siteNavigation(site)
  const context = { site, page: null, navigation, here: navigation.on(null) }
  const { notFound } = site.edition.model.settings
  if (site.edition.pages.size === 0) return layoutEmpty(context)
  const items = suggestions.map(
    (page) =>
      html`<li><a href="${routeAddress(site, page.route)}"><span><strong>${page.title}</strong>${page.index.fields.description && html`<span>${page.index.fields.description}</span>`}</span>${uiIcon('right')}</a></li>`,
  )
  const main = html`<main id="docent-content" tabindex="-1">
<article class="article not-found">
<header class="page-header"><p class="eyebrow">404</p><h1>${notFound.title ?? 'Page not found'}</h1>
<p class="page-description">${notFound.description === null ? html`There is no page at <code>${route}</code>.` : inlineMarkdown(site, notFound.description)}</p></header>
${items.length > 0 && html`<h2>Did you mean one of these?</h2><ul class="suggestions">${items}</ul>`}
<p><a class="button" href="${routeAddress(site, '/')}">Go to the first page</a></p>
</article>
</main>`
  return document(context, { title: 'Page not found', main, needsMermaid: false, hasSidebar: true, layout: 'default' })
}

/** A site that nobody has written yet. */
function layoutEmpty(context: Parameters<typeof document>[0]): string {
  const title = 'No pages yet'
  const main = html`<main id="docent-content" tabindex="-1">
<article class="article not-found">
<header class="page-header"><h1>${title}</h1>
<p class="page-description">The docs folder of this repository has no Markdown files. Push an <code>index.md</code> and it is shown here.</p></header>
</article>
</main>`
  return document(context, { title, main, needsMermaid: false, hasSidebar: false, layout: 'default' })
}
