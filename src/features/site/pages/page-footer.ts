import { type Html, type HtmlValue, html } from '#infra/http/html.ts'
import type { EditionPage } from '../edition/edition.ts'
import type { PageContext } from './page-view.ts'
import { routeAddress } from './site-address.ts'
import { uiIcon } from './ui-icons.ts'

/** What follows the content: was it helpful, where to edit it, and where to read on. */
export function pageFooter(context: PageContext, page: EditionPage): Html {
  const { site, navigation } = context
  const [previous, next] = [navigation.previous(page.route), navigation.next(page.route)]
  const edit = page.source.kind === 'file' ? site.editUrl(page.source.path) : null
  const updated = site.edition.updatedAt(page)
  return html`<footer class="page-footer">
<div class="page-facts">${feedback()}<div class="page-origin">${edit && /^https?:/i.test(edit) && html`<a href="${edit}" rel="noopener">${uiIcon('edit')}Suggest an edit</a>`}${updated && html`<span>Last updated on ${dateOf(updated, context)}</span>`}</div></div>
${(previous || next) && html`<nav class="neighbours" aria-label="Previous and next page">${neighbour(context, previous, 'prev')}${neighbour(context, next, 'next')}</nav>`}
</footer>`
}

function neighbour({ site }: PageContext, page: EditionPage | null, rel: 'prev' | 'next'): HtmlValue {
  if (page === null) return null
  const isNext = rel === 'next'
  return html`<a class="${rel}" rel="${rel}" href="${routeAddress(site, page.route)}">${!isNext && uiIcon('left')}<span><small>${isNext ? 'Next' : 'Previous'}</small><span class="neighbour-title">${page.navigationTitle}</span></span>${isNext && uiIcon('right')}</a>`
}

function feedback(): Html {
  return html`<form class="feedback needs-js" data-feedback>
<fieldset><legend>Was this page helpful?</legend>
<button type="button" value="yes" aria-pressed="false">${uiIcon('up')}Yes</button>
<button type="button" value="no" aria-pressed="false">${uiIcon('downVote')}No</button></fieldset>
<div class="feedback-more" hidden><label for="feedback-comment">What should we know? (optional)</label>
<textarea id="feedback-comment" name="comment" rows="3" maxlength="2000"></textarea>
<button type="submit" class="button">Send</button></div>
<p role="status"></p>
</form>`
}

function dateOf(date: Date, { here }: PageContext): Html {
  return html`<time datetime="${date.toISOString()}">${dateFormat(here.language).format(date)}</time>`
}

const formats = new Map<string, Intl.DateTimeFormat>()

function dateFormat(language: string | null): Intl.DateTimeFormat {
  const code = language !== null && /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i.test(language) ? language : 'en'
  let format = formats.get(code)
  if (format === undefined) {
    format = new Intl.DateTimeFormat([code, 'en'], { dateStyle: 'long', timeZone: 'UTC' })
    formats.set(code, format)
  }
  return format
}
