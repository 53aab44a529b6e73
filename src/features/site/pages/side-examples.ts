const tags = /<(\/?)([a-z][\w-]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>/gi
const voidElements = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
const starts = /<div (?:class="(?:example|panel)"|data-(?:example|panel)\b)/
const aside = /\bdata-(?:example|panel)\b/

/**
 * Takes requests, responses and panels out of a page's content, for the column beside it. Only those that are no part of
 * something else; the content was written by our own serialiser, so every tag has its end.
 */
export function takeExamples(body: string): { body: string; examples: string } {
  if (!starts.test(body)) return { body, examples: '' }
  let [depth, from, kept] = [0, -1, 0]
  let [rest, examples] = ['', '']
  for (const match of body.matchAll(tags)) {
    const [tag, slash, name, attributes] = match as unknown as [string, string, string, string]
    if (slash === '') {
      if (depth === 0 && name === 'div' && aside.test(attributes)) from = match.index
      if (!voidElements.has(name) && !attributes.endsWith('/')) depth++
    } else {
      depth = Math.max(0, depth - 1)
      if (depth === 0 && from !== -1) {
        const end = match.index + tag.length
        rest += body.slice(kept, from)
        examples += body.slice(from, end)
        kept = end
        from = -1
      }
    }
  }
  return { body: rest + body.slice(kept), examples }
}
