import { type Html, type HtmlValue, html } from '#infra/http/html.ts'
import { inlineMarkdown } from './inline-markdown.ts'
import type { PageContext } from './page-view.ts'
import { uiIcon } from './ui-icons.ts'

/** Says of a preview what it shows, so that nobody takes it for the site. */
export function previewStrip({ site }: PageContext): HtmlValue {
  if (site.kind !== 'preview') return null
  const { branch, commit } = previewOf(site)
  return html`<aside class="preview-strip" aria-label="Preview">${uiIcon('branch')}<span>Preview of <strong>${branch ?? commit}</strong>${branch && html` at <code>${commit}</code>`}: this is not the published site.</span></aside>`
}

/** `/previews/{slug}/{branch with ~ for slashes, or commit}`, with `@` and a signature for those without a key. */
function previewOf({ base, edition }: PageContext['site']): { branch: string | null; commit: string } {
  const name = decode(base.slice(base.lastIndexOf('/') + 1)).replace(/@[^@]*$/, '')
  const commit = edition.id.slice(0, 7)
  const isCommit = name === '' || edition.id.startsWith(name)
  return { branch: isCommit ? null : name.replaceAll('~', '/'), commit }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function banner({ site }: PageContext): Html | null {
  const { banner: written } = site.edition.model.settings
  if (written === null || written.content.trim() === '') return null
  const close =
    written.isDismissible &&
    html`<button class="icon-button needs-js" type="button" data-close-banner aria-label="Close this announcement">${uiIcon('close')}</button>`
  return html`<aside class="banner" aria-label="Announcement"><p>${inlineMarkdown(site, written.content)}</p>${close}</aside>`
}
