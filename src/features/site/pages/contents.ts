import { type Html, html } from '#infra/http/html.ts'
import type { EditionPage } from '../edition/edition.ts'
import { softBreaks } from './soft-breaks.ts'
import { uiIcon } from './ui-icons.ts'

/** Deeper headings are details of what stands above them. */
const deepest = 3

export interface Contents {
  /** At the side of wide screens. */
  aside: Html
  /** Above the content of narrow ones, closed. */
  inline: Html
}

/** The page's headings as links; null where there are too few to be of use. */
export function contents({ index: { headings, fields } }: EditionPage): Contents | null {
  const shown = fields.hideToc
    ? []
    : headings.filter(({ depth, title }) => depth > 1 && depth <= deepest && title !== '')
  if (shown.length < 2) return null
  const items = shown.map(
    ({ depth, id, title }) =>
      html`<li data-depth="${depth}"><a href="#${encodeURIComponent(id)}">${softBreaks(title)}</a></li>`,
  )
  return {
    aside: html`<nav class="contents" aria-labelledby="contents-title"><h2 id="contents-title">${uiIcon('contents')}On this page</h2><ul>${items}</ul></nav>`,
    inline: html`<details class="inline-contents"><summary>${uiIcon('contents')}On this page${uiIcon('down')}</summary><ul>${items}</ul></details>`,
  }
}
