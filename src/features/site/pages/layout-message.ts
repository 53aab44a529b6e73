import { hash } from 'node:crypto'
import { Html, html } from '#infra/http/html.ts'

export interface MessageView {
  title: string
  text: string
}

// There is no site whose files could be named, so the page has all of its style in it.
const style = `:root{color-scheme:light dark}
body{display:grid;place-items:center;min-height:100dvh;margin:0;padding:2rem;box-sizing:border-box;background:light-dark(#fff,#0b0d10);color:light-dark(#5c6370,#98a1ae);font:1rem/1.65 system-ui,sans-serif;text-align:center}
main{max-width:32rem}
h1{margin:0 0 .5rem;color:light-dark(#14171d,#f1f3f6);font-size:1.5rem;line-height:1.3;letter-spacing:-.02em}
p{margin:0}`

/** What a message may load and do: nothing but its own style. */
export const messagePolicy = `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** A few words where there is no site to show: not published yet, or a preview that this reader may not see. */
export function layoutMessage({ title, text }: MessageView): string {
  const page = html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
</main>
</body>
</html>
`
  return `<!doctype html>\n${page.text}`
}
