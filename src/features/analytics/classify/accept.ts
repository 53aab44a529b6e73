// Longer ones are no browser's and no agent's; what stands behind is not looked at.
const mostCharacters = 1_000
const mostTypes = 40

export interface MediaRange {
  /** In lower case: `text/html`, `text/*`, or `*` + `/*`. */
  type: string
  /** From 0 (never) to 1. */
  quality: number
}

/** The media types of an Accept header, in their order. What makes no sense is left out, as RFC 9110 lets servers do. */
export function parseAccept(header: string): MediaRange[] {
  const ranges: MediaRange[] = []
  for (const part of header.slice(0, mostCharacters).split(',', mostTypes)) {
    const [name = '', ...parameters] = part.split(';')
    const type = name.trim().toLowerCase()
    if (/^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+$/.test(type)) ranges.push({ type, quality: qualityOf(parameters) })
  }
  return ranges
}

function qualityOf(parameters: string[]): number {
  for (const parameter of parameters) {
    const value = /^\s*q\s*=\s*(\S+)\s*$/i.exec(parameter)?.[1]
    if (value === undefined) continue
    // RFC 9110: 0 to 1 with at most three decimals. Who writes something else has said nothing.
    return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(value) ? Number(value) : 1
  }
  return 1
}

const markdownTypes = ['text/markdown', 'text/x-markdown']
const htmlTypes = ['text/html', 'application/xhtml+xml']

/**
 * Whether Markdown is asked for before HTML: with a higher quality, or with the same one and named earlier. HTML that is
 * only covered by a wildcard comes after a Markdown that is named.
 */
export function prefersMarkdown(header: string): boolean {
  if (!/markdown/i.test(header)) return false
  const ranges = parseAccept(header)
  const markdown = best(ranges, markdownTypes)
  if (markdown === null || markdown.quality === 0) return false
  const html = best(ranges, htmlTypes)
  if (html) {
    return markdown.quality > html.quality || (markdown.quality === html.quality && markdown.place < html.place)
  }
  const wildcard = best(ranges, ['text/*']) ?? best(ranges, ['*/*'])
  return markdown.quality >= (wildcard?.quality ?? 0)
}

/** The one of these types with the highest quality; of equals, the first. */
function best(ranges: MediaRange[], types: string[]): { quality: number; place: number } | null {
  let found: { quality: number; place: number } | null = null
  for (const [place, { type, quality }] of ranges.entries()) {
    if (types.includes(type) && (found === null || quality > found.quality)) found = { quality, place }
  }
  return found
}

/** Whether HTML is asked for by its name, as every browser does that opens a page. */
export function namesHtml(header: string): boolean {
  return /\btext\/html\b|\bapplication\/xhtml\+xml\b/i.test(header.slice(0, mostCharacters))
}
