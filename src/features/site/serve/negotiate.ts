/** Answers come in these; the first of equals is preferred. */
export type Encoding = 'br' | 'gzip' | 'identity'

interface Choice {
  name: string
  quality: number
}

// More than any client sends; the rest of a longer list is not read.
const mostCharacters = 1000
const mostChoices = 32

/**
 * Whether the client wants Markdown rather than HTML. It must name it: `*\/*` is anything, and a person's browser. Named
 * beside HTML with the same weight, the one that comes first is meant.
 */
export function prefersMarkdown(accept: string | undefined): boolean {
  // What browsers send, and what most programs do.
  if (accept === undefined || !/markdown/i.test(accept)) return false
  const choices = readChoices(accept)
  const markdown = choices.findIndex(({ name }) => name === 'text/markdown' || name === 'text/x-markdown')
  if (markdown < 0 || choices[markdown]!.quality === 0) return false
  const html = choices.findIndex(({ name }) => name === 'text/html' || name === 'application/xhtml+xml')
  if (html < 0) {
    const any = choices.find(({ name }) => name === 'text/*') ?? choices.find(({ name }) => name === '*/*')
    return choices[markdown]!.quality >= (any?.quality ?? 0)
  }
  const difference = choices[markdown]!.quality - choices[html]!.quality
  return difference > 0 || (difference === 0 && markdown < html)
}

/** What browsers send: names alone, each as welcome as the others. As short as this, all of them are read. */
const plainNames = /^[a-z, -]{2,60}$/
const names = (name: string) => new RegExp(`(?:^|,) *${name} *(?:,|$)`)
const [plainBr, plainGzip] = [names('br'), names('(?:x-)?gzip')]

/** The best of what the client takes; without a word of its own, what every client understands. */
export function chooseEncoding(accept: string | undefined): Encoding {
  if (accept === undefined || accept === '') return 'identity'
  if (plainNames.test(accept)) return plainBr.test(accept) ? 'br' : plainGzip.test(accept) ? 'gzip' : 'identity'
  const choices = readChoices(accept)
  const qualityOf = (name: string) =>
    (choices.find((choice) => choice.name === name) ?? choices.find((choice) => choice.name === '*'))?.quality ?? 0
  const br = qualityOf('br')
  const gzip = Math.max(qualityOf('gzip'), qualityOf('x-gzip'))
  if (br > 0 && br >= gzip) return 'br'
  return gzip > 0 ? 'gzip' : 'identity'
}

function readChoices(header: string): Choice[] {
  return header
    .slice(0, mostCharacters)
    .split(',', mostChoices)
    .map((part) => {
      const [name = '', ...parameters] = part.split(';')
      const quality = parameters.map((text) => /^\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$/i.exec(text)?.[1]).find(Boolean)
      return { name: name.trim().toLowerCase(), quality: Math.min(1, Number(quality ?? 1)) }
    })
}

/** Whether the client has this already: `If-None-Match` is compared weakly. */
export function hasAlready(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag || ifNoneMatch === '*') return true
  const opaque = etag.replace(/^W\//, '')
  return ifNoneMatch
    .slice(0, mostCharacters)
    .split(',', mostChoices)
    .some((tag) => tag.trim().replace(/^W\//, '') === opaque)
}
