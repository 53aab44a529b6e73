import { oneLine } from '#base/one-line.ts'
import type { EditionPage } from '../edition/edition.ts'
import type { ServedSite } from '../serve/served-site.ts'
import { urlTo } from '../serve/site-address.ts'

/**
 * A page as agents get it: where the index of all pages is, its title, what it is about and where it stands, then its
 * words. They often have nothing else of the site.
 */
export function markdownPage(
  site: Pick<ServedSite, 'base' | 'origin'>,
  { page, body }: { page: EditionPage; body: string },
): string {
  const { description } = page.index.fields
  const lines = [
    `> Documentation index: ${urlTo(site, '/llms.txt')}`,
    `# ${oneLine(page.title, 500)}`,
    ...(description === null ? [] : [oneLine(description, 2000)]),
    `Source: ${urlTo(site, page.route)}`,
  ]
  return `${lines.join('\n\n')}\n\n${withoutTitle(body.trim(), page.title)}\n`
}

/** Pages often begin with their title once more. */
function withoutTitle(body: string, title: string): string {
  if (!body.startsWith('# ')) return body
  const end = body.indexOf('\n')
  const line = body.slice(2, end === -1 ? body.length : end)
  // One that is far longer is another, and taking it apart could take long.
  if (line.length > 2 * title.length + mostMarks) return body
  const words = line.trimEnd().replace(/(?<= )#+$/, '')
  return plain(words) === plain(title) ? body.slice(2 + line.length).trimStart() : body
}

// What escapes and a closing row of `#` may add to a title.
const mostMarks = 500

function plain(text: string): string {
  return text
    .replace(/[\\`*_]/g, '')
    .trim()
    .toLowerCase()
}
