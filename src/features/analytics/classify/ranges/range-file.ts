import { z } from 'zod'
import { type Block, parseBlock } from './address.ts'

/** A list of addresses as `data/ranges/<name>.json` holds it. */
export interface RangeFile {
  url: string | null
  /** When we got it; null in a file that was put there by hand. */
  fetchedAt: string | null
  /** What the operator says its date is. */
  publishedAt: string | null
  prefixes: string[]
}

const mostPrefixes = 100_000
// No operator has a network this wide. A list with one would call half of the internet its own.
const widest = { 32: 2 ** 24, 128: 1n << 109n }

/** Vendors write each prefix as text, or as an object with one of these names. */
const Prefix = z.union([
  z.string(),
  z.object({ ipv4Prefix: z.string() }).transform(({ ipv4Prefix }) => ipv4Prefix),
  z.object({ ipv6Prefix: z.string() }).transform(({ ipv6Prefix }) => ipv6Prefix),
  z.object({ ip_prefix: z.string() }).transform(({ ip_prefix }) => ip_prefix),
  z.object({ ipv6_prefix: z.string() }).transform(({ ipv6_prefix }) => ipv6_prefix),
])

const Document = z.object({
  url: z.string().nullish(),
  fetchedAt: z.iso.datetime().nullish(),
  publishedAt: z.string().nullish(),
  creationTime: z.string().nullish(),
  prefixes: z.array(Prefix).min(1, 'expected at least one prefix').max(mostPrefixes),
})

/** Our own file, or a vendor's as it was published. Throws a plain error that says what is wrong with it. */
export function parseRangeFile(text: string): RangeFile {
  const { url, fetchedAt, publishedAt, creationTime, prefixes } = Document.parse(JSON.parse(text))
  for (const prefix of prefixes) {
    if (parsePrefix(prefix) === null) throw new Error(`expected networks, found "${prefix.slice(0, 50)}"`)
  }
  const date = publishedAt ?? creationTime
  return {
    url: url ?? null,
    fetchedAt: fetchedAt ?? null,
    publishedAt: date === null || date === undefined ? null : date.slice(0, 40),
    prefixes: [...new Set(prefixes)].sort(),
  }
}

export function parsePrefix(prefix: string): Block | null {
  const block = parseBlock(prefix)
  if (block === null) return null
  const isTooWide = block.bits === 32 ? block.last - block.first >= widest[32] : block.last - block.first >= widest[128]
  return isTooWide ? null : block
}

/** The JSON that a page shows: from the brace before `"prefixes"` to the one that closes it. */
export function findListInPage(html: string): string {
  const text = html.replaceAll('&quot;', '"').replaceAll('&#34;', '"')
  const name = text.indexOf('"prefixes"')
  const start = text.lastIndexOf('{', name)
  const end = text.indexOf(']', name)
  const close = text.indexOf('}', end)
  if (name === -1 || start === -1 || end === -1 || close === -1)
    throw new Error('expected a page with "prefixes" in it')
  return text.slice(start, close + 1)
}
