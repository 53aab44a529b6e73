import { createHash } from 'node:crypto'
import { type Html, type HtmlValue, html } from './html.ts'
import { stylesheet } from './stylesheet.ts'

const version = createHash('sha256').update(stylesheet).digest('hex').slice(0, 12)
export const stylesheetPath = '/git/-/pages.css'

/** No scripts at all, and nothing from anywhere else: what a page shows was written by strangers. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** A whole page. Addresses are paths of this server, so that it can be read under any of its names. */
export function layout({ title, trail, main }: { title: string; trail: HtmlValue; main: HtmlValue }): string {
  const page: Html = html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet" href="${stylesheetPath}?v=${version}">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top"><nav aria-label="Where you are">${trail}</nav></header>
<main id="main">
${main}
</main>
</body>
</html>
`
  return `<!doctype html>\n${page.text}`
}
