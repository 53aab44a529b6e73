import { Html, html } from '#infra/http/html.ts'
import { contents } from './contents.ts'
import { document } from './document.ts'
import { pageFooter } from './page-footer.ts'
import { pageHeader } from './page-header.ts'
import type { PageContext, PageView } from './page-view.ts'
import { takeExamples } from './side-examples.ts'
import { siteNavigation } from './site-navigation.ts'

/** The whole page around a page's content. */
export function layoutPage({ site, page, body, needsMermaid }: PageView): string {
  const navigation = siteNavigation(site)
  const context: PageContext = { site, page, navigation, here: navigation.on(page.route) }
  const { mode } = page.index.fields
  const isBare = mode === 'custom' || mode === 'frame'
  const { body: text, examples } = takeExamples(withoutTitle(body, page.title))
  const toc = mode === 'default' && examples === '' ? contents(page) : null
  const main = html`<main id="docent-content" tabindex="-1">
<article class="article">
${!isBare && pageHeader(context, page)}
${toc?.inline}${examples !== '' && html`<aside class="examples" aria-label="Examples">${new Html(examples)}</aside>`}
<div class="prose">
${new Html(text)}
</div>
${!isBare && pageFooter(context, page)}
</article>
${toc && html`<aside class="page-side">${toc.aside}</aside>`}
</main>`
  return document(context, {
    title: page.title,
    main,
    needsMermaid,
    hasSidebar: mode !== 'custom' && mode !== 'center',
    layout: examples === '' ? mode : 'examples',
  })
}

/** Pages often begin with their title once more, which stands above the content already. */
function withoutTitle(body: string, title: string): string {
  const first = /^\s*<h1\b[^>]*>([\s\S]{0,2000}?)<\/h1>/.exec(body)
  if (first === null) return body
  const plain = (text: string) =>
    text
      .replace(/<[^>]*>/g, '')
      .replace(/&[^;\s]{1,10};|[\s\u200b]+/g, ' ')
      .trim()
      .toLowerCase()
  return plain(first[1]!) === plain(html`${title}`.text) ? body.slice(first[0].length) : body
}
