import { type Html, type HtmlValue, html } from '#infra/http/html.ts'
import { authorIcon } from './author-icon.ts'
import { type PageContext, siteName } from './page-view.ts'
import { leaving } from './sidebar.ts'
import { linkAddress } from './site-address.ts'
import { uiIcon } from './ui-icons.ts'

/** Icons of networks that are not called as docs.json calls them. */
const brands: Record<string, string> = {
  x: 'x-twitter',
  twitter: 'x-twitter',
  website: 'globe',
  podcast: 'podcast',
  'hacker-news': 'hacker-news',
  'earth-americas': 'earth-americas',
}

export function siteFooter(context: PageContext): Html {
  const { site } = context
  const { socials, columns } = site.edition.model.settings.footer
  const lists = columns.flatMap(({ header, items }) => {
    const links = items.flatMap(({ label, href }) => {
      const address = linkAddress(site, href)
      return address === null ? [] : [html`<li><a href="${address}"${leaving(address)}>${label}</a></li>`]
    })
    return links.length === 0 ? [] : [html`<div>${header && html`<h2>${header}</h2>`}<ul>${links}</ul></div>`]
  })
  const marks = socials.flatMap(({ name, href }) => {
    const address = linkAddress(site, href)
    if (address === null) return []
    return [
      html`<li><a href="${address}" aria-label="${name}"${leaving(address)}>${socialIcon(context, name)}</a></li>`,
    ]
  })
  return html`<footer class="site-footer"><div class="site-footer-inner">
${lists.length > 0 && html`<nav class="footer-columns" aria-label="Footer">${lists}</nav>`}
<div class="footer-end"><span>${siteName(context)}</span>${marks.length > 0 && html`<ul class="socials">${marks}</ul>`}</div>
</div></footer>`
}

function socialIcon({ site }: PageContext, name: string): HtmlValue {
  return authorIcon(site, brands[name] ?? name, 'fontawesome') ?? uiIcon('globe')
}
