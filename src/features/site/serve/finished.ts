import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { Encoding } from './negotiate.ts'

/** An answer that is the same for everybody who asks: a page, a stylesheet, an index. */
export interface Finished {
  etag: string
  headers: Record<string, string>
  /** The same, each name before its value, as Node writes them without taking them apart first. */
  headerList: readonly string[]
  body: Buffer
  /** As they are sent, each made when the first client asks for it. */
  variants: Partial<Record<Encoding, Variant>>
  /** Whether it is to be made again once more is known: the date of a page comes later than its words. */
  isProvisional: boolean
}

export interface Variant {
  bytes: Buffer
  /** The same bytes as Latin-1, of what is small: as a text they are sent in one piece with the headers. */
  latin1: string | null
  headers: Record<string, string>
  headerList: readonly string[]
}

// A packet; compressing less saves nobody anything.
const leastBytesToCompress = 1400
// Sending headers and bytes as two pieces costs half as much again as the whole request; for more than this, so would
// making one piece of them.
const mostLatin1Bytes = 32 * 1024
const brotli = promisify(zlib.brotliCompress)
const gzip = promisify(zlib.gzip)
// Higher levels take ten times as long for a tenth less.
const brotliOptions = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 } }

export function finish(
  content: string | Buffer,
  { headers, isProvisional = false }: { headers: Record<string, string>; isProvisional?: boolean },
): Finished {
  const body = typeof content === 'string' ? Buffer.from(content) : content
  const hash = createHash('sha256')
    .update(headers['content-type'] ?? '')
    .update(body)
  // Weak, as the bytes differ by encoding.
  const etag = `W/"${hash.digest('base64url').slice(0, 22)}"`
  const all = { ...headers, etag }
  return { etag, headers: all, headerList: Object.entries(all).flat(), body, variants: {}, isProvisional }
}

/** What is sent to a client that takes this encoding. Compressing is done off the event loop, and once. */
export async function makeVariant(finished: Finished, encoding: Encoding): Promise<Variant> {
  const { body, variants } = finished
  const isPlain = encoding === 'identity' || body.length < leastBytesToCompress
  const bytes = isPlain ? body : encoding === 'br' ? await brotli(body, brotliOptions) : await gzip(body)
  const coding: Record<string, string> = isPlain ? {} : { 'content-encoding': encoding }
  const headers = { ...finished.headers, ...coding, 'content-length': String(bytes.length) }
  const latin1 = bytes.length <= mostLatin1Bytes ? bytes.toString('latin1') : null
  const variant = { bytes, latin1, headers, headerList: Object.entries(headers).flat() }
  variants[encoding] = variant
  return variant
}

export function bytesOf({ body, variants }: Finished): number {
  let bytes = body.length
  for (const variant of Object.values(variants)) {
    bytes += (variant.bytes === body ? 0 : variant.bytes.length) + (variant.latin1?.length ?? 0)
  }
  return bytes
}
