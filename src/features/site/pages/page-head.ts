import { Html, type HtmlValue, html } from '#infra/http/html.ts'
import { siteAssets } from '../browser/assets.ts'
import type { EditionPage } from '../edition/edition.ts'
import type { ServedSite } from '../serve/served-site.ts'
import { type PageContext, siteName } from './page-view.ts'
import { linkAddress, markdownAddress, ownAddress, routeAddress } from './site-address.ts'
import { themeBackgrounds, themeName } from './theme-stylesheet.ts'

/** Ours already, or no business of authors: what they would change is the page and not what is said of it. */
const keptNames = new Set(['charset', 'viewport', 'color-scheme', 'canonical', 'robots', 'theme-color'])
const imageNames = /^(?:og|twitter):image$/

export function pageHead(
  context: PageContext,
  { title, needsMermaid }: { title: string; needsMermaid: boolean },
): Html {
  const { site, page } = context
  const name = siteName(context)
  const { settings } = site.edition.model
  const asset = (key: keyof typeof siteAssets.names) => ownAddress(site, siteAssets.names[key])
  const hasOwnFont = settings.fonts.body !== null
  return html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === name ? name : `${title} - ${name}`}</title>
${page && descriptionTags(context, page)}
${(page === null || isKeptFromSearch(site, page)) && new Html('<meta name="robots" content="noindex">\n')}${colorTags(context)}
${favicon(site)}
${!hasOwnFont && html`<link rel="preload" as="font" type="font/woff2" href="${asset('font')}" crossorigin>\n`}<link rel="stylesheet" href="${asset('css')}">
<link rel="stylesheet" href="${ownAddress(site, themeName(settings))}">
<script src="${asset('boot')}"${bannerMark(context)}></script>
<script src="${asset('js')}" defer data-base="${site.base}"${pageData(context, page)}${needsMermaid && html` data-mermaid="${asset('mermaid')}"`}${site.kind === 'folder' && new Html(' data-reload')}></script>
</head>`
}

function pageData({ here, site }: PageContext, page: EditionPage | null): HtmlValue {
  const prompt = site.edition.model.settings.searchPrompt
  return [
    page && html` data-route="${page.route}" data-markdown="${markdownAddress(site, page.route)}"`,
    here.language !== null && html` data-language="${here.language}"`,
    here.version !== null && html` data-version="${here.version}"`,
    prompt !== null && html` data-prompt="${prompt}"`,
  ]
}

function bannerMark({ site }: PageContext): HtmlValue {
  const { banner } = site.edition.model.settings
  return banner?.isDismissible && html` data-banner="${bannerKey(banner.content)}"`
}

/** Tells banners apart, so that a new one is seen by those who closed the last. */
export function bannerKey(content: string): string {
  let key = 5381
  for (let index = 0; index < content.length; index++) key = ((key * 33) ^ content.charCodeAt(index)) >>> 0
  return key.toString(36)
}

function isKeptFromSearch(site: ServedSite, { index: { fields } }: EditionPage): boolean {
  return site.kind !== 'live' || fields.noIndex || fields.isHidden
}

function descriptionTags(context: PageContext, page: EditionPage): HtmlValue {
  const { site, here } = context
  const { settings } = site.edition.model
  const { fields } = page.index
  const canonical = canonicalAddress(site, page)
  const description = fields.description ?? settings.description
  const tags = new Map<string, string>()
  if (description) tags.set('description', description)
  tags.set('og:type', 'article').set('og:site_name', siteName(context)).set('og:title', page.title)
  if (description) tags.set('og:description', description)
  tags.set('og:url', canonical).set('twitter:card', 'summary').set('generator', 'Docent')
  if (fields.keywords.length > 0) tags.set('keywords', fields.keywords.join(', '))
  for (const [name, content] of [...settings.metatags, ...fields.metatags]) {
    if (keptNames.has(name.toLowerCase())) continue
    tags.set(name, imageNames.test(name) ? wholeAddress(site, content) : content)
  }
  if (tags.has('og:image')) tags.set('twitter:card', 'summary_large_image')
  const others = here.languages.filter(({ division }) => division.href === null)
  return [
    html`<link rel="canonical" href="${canonical}">\n<link rel="alternate" type="text/markdown" href="${markdownAddress(site, page.route)}">`,
    others.map(
      ({ division, address }) =>
        html`\n<link rel="alternate" hreflang="${division.code}" href="${site.origin}${address}">`,
    ),
    [...tags].map(([name, content]) =>
      /^(?:og|article|fb):/.test(name)
        ? html`\n<meta property="${name}" content="${content}">`
        : html`\n<meta name="${name}" content="${content}">`,
    ),
  ]
}

function canonicalAddress(site: ServedSite, { route, index: { fields } }: EditionPage): string {
  if (fields.canonical && /^https?:\/\//i.test(fields.canonical)) return fields.canonical
  const [, ofSite] = site.edition.model.settings.metatags.find(([name]) => name === 'canonical') ?? []
  if (ofSite && /^https?:\/\//i.test(ofSite)) return routeAddress({ base: ofSite.replace(/\/+$/, '') }, route)
  return `${site.origin}${routeAddress(site, route)}`
}

function wholeAddress(site: ServedSite, url: string): string {
  const address = linkAddress(site, url) ?? ''
  return address.startsWith('/') ? site.origin + address : address
}

function colorTags({ site }: PageContext): HtmlValue {
  const { light, dark } = themeBackgrounds(site.edition.model.settings)
  return html`<meta name="theme-color" content="${light}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${dark}" media="(prefers-color-scheme: dark)">`
}

function favicon(site: ServedSite): HtmlValue {
  const { favicon: written } = site.edition.model.settings
  const light = written && linkAddress(site, written.light)
  const dark = written && linkAddress(site, written.dark)
  if (!light) return html`<link rel="icon" type="image/svg+xml" href="${ownAddress(site, siteAssets.names.favicon)}">`
  if (!dark || dark === light) return html`<link rel="icon" href="${light}">`
  return html`<link rel="icon" href="${light}" media="(prefers-color-scheme: light)">
<link rel="icon" href="${dark}" media="(prefers-color-scheme: dark)">`
}
