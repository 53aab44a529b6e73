import { toHtml } from 'hast-util-to-html'
import { findIcon, type IconLibrary } from '#features/content/service.ts'
import { Html, html } from '#infra/http/html.ts'
import { type AddressedSite, linkAddress } from './site-address.ts'

/** The icon that docs.json or a page's frontmatter names: of a library, or an image of the repository. */
export function authorIcon(site: AddressedSite, name: string | null, library?: IconLibrary): Html | null {
  if (name === null || name === '') return null
  if (/^(?:https?:\/\/|\.{0,2}\/)/i.test(name)) {
    const address = linkAddress(site, name)
    return address === null ? null : html`<img class="icon" src="${address}" alt="" loading="lazy">`
  }
  const svg = findIcon(name, { library: library ?? site.edition.model.settings.icons })
  return svg === null ? null : new Html(toHtml(svg))
}
