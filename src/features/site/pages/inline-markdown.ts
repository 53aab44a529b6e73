import { type Html, type HtmlValue, html } from '#infra/http/html.ts'
import { leaving } from './sidebar.ts'
import { type AddressedSite, linkAddress } from './site-address.ts'

// Each form excludes its own end, so that no text makes this take long.
const forms = /\[([^[\]]{1,300})\]\(([^()\s]{1,2000})\)|\*\*([^*]{1,300})\*\*|`([^`]{1,300})`|\*([^*]{1,300})\*/g

/** Links, bold, italic and code of a line of docs.json. Everything else stands as it is written. */
export function inlineMarkdown(site: AddressedSite, text: string): Html {
  const parts: HtmlValue[] = []
  let at = 0
  for (const match of text.matchAll(forms)) {
    parts.push(text.slice(at, match.index))
    at = match.index + match[0].length
    const [, label, url, bold, code, italic] = match
    if (label !== undefined) parts.push(link(site, label, url!))
    else if (bold !== undefined) parts.push(html`<strong>${bold}</strong>`)
    else if (code !== undefined) parts.push(html`<code>${code}</code>`)
    else parts.push(html`<em>${italic!}</em>`)
  }
  return html`${parts}${text.slice(at)}`
}

function link(site: AddressedSite, label: string, url: string): HtmlValue {
  const address = linkAddress(site, url)
  return address === null ? label : html`<a href="${address}"${leaving(address)}>${label}</a>`
}
