import { isRightToLeft, standardLanguage } from '#features/content/service.ts'
import { Html, html } from '#infra/http/html.ts'
import { drawer } from './drawer.ts'
import { banner, previewStrip } from './notices.ts'
import { pageHead } from './page-head.ts'
import type { PageContext } from './page-view.ts'
import { routeAddress } from './site-address.ts'
import { siteFooter } from './site-footer.ts'
import { topBar } from './top-bar.ts'

export interface DocumentParts {
  title: string
  main: Html
  needsMermaid: boolean
  hasSidebar: boolean
  /** How wide the columns are. */
  layout: string
}

/** A whole document of a site: everything around `main`, which comes first: programs read from the top, and not far. */
export function document(context: PageContext, parts: DocumentParts): string {
  const { site, here } = context
  const { appearance } = site.edition.model.settings
  const language = here.language ?? 'en'
  const hasPages = parts.hasSidebar && (here.items.length > 0 || here.switchers.length > 0 || here.anchors.length > 0)
  const attributes = [
    isRightToLeft(language) && new Html(' dir="rtl"'),
    appearance.default !== 'system' && html` data-theme="${appearance.default}"`,
    appearance.isFixed && new Html(' data-theme-fixed'),
  ]
  const page = html`<html lang="${standardLanguage(language)}"${attributes}>
${pageHead(context, parts)}
<body>
<a class="skip" href="#docent-content">Skip to the content</a>
${forAgents(site)}
${previewStrip(context)}${banner(context)}${topBar(context, { hasSidebar: hasPages })}
<div class="page" data-layout="${parts.layout}"${!hasPages && new Html(' data-alone')}>
${parts.main}
${hasPages && drawer(context)}
</div>
${siteFooter(context)}
</body>
</html>
`
  return `<!doctype html>\n${page.text}`
}

/** Programs that were given the address of a page have nothing else to know it from. People have the page's own links. */
function forAgents(site: PageContext['site']): Html {
  const address = `${site.origin}${routeAddress(site, '/llms.txt')}`
  return html`<p class="sr-only" aria-hidden="true">For AI agents: the index of this documentation is at <a href="${address}" tabindex="-1">llms.txt</a>, and every page is Markdown at its own address with .md after it.</p>`
}
