import { type Html, html } from './html.ts'
import { withoutJoiners } from './joiners.ts'

/**
 * A pull request's text as HTML, from a small part of Markdown: paragraphs, headings, lists, quotes, code, emphasis and
 * links, and the few entities that stand for themselves. Everything else, HTML included, is shown as it was typed. It takes one pass over the lines, so that no text,
 * however it is nested, takes long.
 */
export function renderMarkdown(source: string): Html {
  const cut = source.length > mostCharacters
  const lines = withoutJoiners(source.slice(0, mostCharacters)).replaceAll('\r\n', '\n').split('\n')
  const blocks = [...blocksOf(lines)]
  return html`${blocks}${cut && html`<p><em>The text is longer; the rest is left out.</em></p>`}`
}

const mostCharacters = 60_000

const fence = /^ {0,3}(`{3,}|~{3,})/
const heading = /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*$/
const item = /^( *)([-*+]|\d{1,9}[.)])[ \t]+(.*)$/
const quote = /^ {0,3}> ?(.*)$/
const rule = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/

function* blocksOf(lines: string[]): Generator<Html> {
  let at = 0
  const isOther = (line: string) => [fence, heading, item, quote, rule].some((shape) => shape.test(line))
  while (at < lines.length) {
    const line = lines[at]!
    const opening = fence.exec(line)
    const title = heading.exec(line)
    if (line.trim() === '') at++
    else if (opening) {
      let last = at + 1
      while (last < lines.length && !lines[last]!.trimStart().startsWith(opening[1]!)) last++
      yield html`<pre class="code"><code>${lines.slice(at + 1, last).join('\n')}</code></pre>`
      at = last + 1
    } else if (title) {
      // The page has its own h1 and h2.
      const content = inline(title[2]!)
      yield title[1]!.length < 3 ? html`<h3>${content}</h3>` : html`<h4>${content}</h4>`
      at++
    } else if (rule.test(line)) {
      yield html`<hr>`
      at++
    } else if (quote.test(line)) {
      const from = at
      while (at < lines.length && quote.test(lines[at]!)) at++
      const inner = lines.slice(from, at).map((one) => quote.exec(one)![1]!)
      yield html`<blockquote>${[...paragraphsOf(inner)]}</blockquote>`
    } else if (item.test(line)) {
      const from = at
      while (at < lines.length && lines[at]!.trim() !== '' && !fence.test(lines[at]!)) at++
      yield listOf(lines.slice(from, at))
    } else {
      const from = at++
      while (at < lines.length && lines[at]!.trim() !== '' && !isOther(lines[at]!)) at++
      yield html`<p>${inline(lines.slice(from, at).join('\n'))}</p>`
    }
  }
}

function* paragraphsOf(lines: string[]): Generator<Html> {
  for (const text of lines.join('\n').split(/\n[ \t]*\n/)) if (text.trim()) yield html`<p>${inline(text)}</p>`
}

/** A list with its deeper items drawn in by their level, without lists inside of lists. */
function listOf(lines: string[]): Html {
  const items: { level: number; ordered: boolean; text: string }[] = []
  for (const line of lines) {
    const match = item.exec(line)
    if (match) {
      const level = Math.min(3, Math.floor(match[1]!.length / 2))
      items.push({ level, ordered: /\d/.test(match[2]!), text: match[3]! })
    } else if (items.length > 0) items.at(-1)!.text += `\n${line.trim()}`
  }
  const rows = items.map(({ level, text }) => {
    const box = /^\[([ xX])\] /.exec(text)
    const content = box ? html`${box[1] === ' ' ? '☐' : '☑'} ${inline(text.slice(4))}` : inline(text)
    return html`<li class="level-${level}">${content}</li>`
  })
  return items[0]?.ordered ? html`<ol>${rows}</ol>` : html`<ul>${rows}</ul>`
}

// One after the other from the left, each of bounded length, so that no text makes the search go back and forth.
const pieces = new RegExp(
  [
    '(?<!`)``(?<longCode>(?:[^`\\n]|`(?!`)){1,1000})``(?!`)',
    '(?<code>`[^`\\n]{1,1000}`)',
    '\\*\\*(?<strong>[^*\\n]{1,1000})\\*\\*',
    '(?<![\\w*])\\*(?<em>[^*\\s][^*\\n]{0,1000})\\*(?!\\w)',
    '\\[(?<label>[^\\[\\]\\n]{1,500})\\]\\((?<href>[^()\\s]{1,2000})\\)',
    '(?<url>https?://[^\\s<>"\'`()\\[\\]]{1,2000})',
    '\\\\(?<escaped>[!-/:-@\\[-`{-~])',
    '&(?<entity>amp|lt|gt|quot);',
  ].join('|'),
  'g',
)

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** A space on either side is how a backtick comes to stand at the edge of code. */
function withoutPadding(code: string): string {
  return /^ .*[^ ].* $/.test(code) ? code.slice(1, -1) : code
}

function inline(text: string): Html {
  const parts: (Html | string)[] = []
  let from = 0
  for (const match of text.matchAll(pieces)) {
    const { code, longCode, strong, em, label, href, url, escaped, entity } = match.groups!
    parts.push(text.slice(from, match.index))
    from = match.index + match[0].length
    if (longCode) parts.push(html`<code>${withoutPadding(longCode)}</code>`)
    else if (code) parts.push(html`<code>${code.slice(1, -1)}</code>`)
    else if (strong) parts.push(html`<strong>${strong}</strong>`)
    else if (em) parts.push(html`<em>${em}</em>`)
    else if (label && href) parts.push(link(href, label) ?? match[0])
    else if (url) {
      // What ends a sentence does not belong to the address.
      const address = withoutPunctuation(url)
      parts.push(link(address, address) ?? address, url.slice(address.length))
    } else parts.push(escaped ?? entities[entity!]!)
  }
  parts.push(text.slice(from))
  return html`${parts}`
}

function withoutPunctuation(url: string): string {
  let end = url.length
  while (end > 0 && '.,;:!?*_'.includes(url[end - 1]!)) end--
  return url.slice(0, end)
}

function link(href: string, label: string): Html | null {
  if (!/^https?:\/\//i.test(href) || !URL.canParse(href)) return null
  return html`<a href="${new URL(href).href}" rel="nofollow noopener noreferrer">${label}</a>`
}
