import { answerFinished } from './answer-finished.ts'
import { everywhere, textSecurity } from './answers.ts'
import { finish } from './finished.ts'
import { hasAlready } from './negotiate.ts'
import type { ServeDeps } from './serve-deps.ts'
import type { ServedSite, SiteAnswer, SiteRequest } from './served-site.ts'

/**
 * Types by extension. Scripts and stylesheets of a repository are shown as text: with `nosniff`, no browser runs them,
 * wherever a page may have got a link to one.
 */
const contentTypes: Record<string, string> = {
  png: 'image/png',
  apng: 'image/apng',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
  svg: 'image/svg+xml',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  webm: 'video/webm',
  ogv: 'video/ogg',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  flac: 'audio/flac',
  vtt: 'text/vtt; charset=utf-8',
  woff: 'font/woff',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  otf: 'font/otf',
  pdf: 'application/pdf',
  zip: 'application/zip',
  gz: 'application/gzip',
  json: 'application/json; charset=utf-8',
  webmanifest: 'application/manifest+json; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  html: 'text/html; charset=utf-8',
  htm: 'text/html; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  yaml: 'application/yaml; charset=utf-8',
  yml: 'application/yaml; charset=utf-8',
  ...plainText(
    'txt js mjs cjs jsx ts tsx css scss map toml ini sh py rb go rs java c h cpp php sql diff patch log mdx',
  ),
}

function plainText(extensions: string): Record<string, string> {
  return Object.fromEntries(extensions.split(' ').map((extension) => [extension, 'text/plain; charset=utf-8']))
}

/** Documents that could run scripts or load things in the name of the host. */
const documents = /^(?:text\/html|image\/svg\+xml|application\/xml)/
const documentPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; sandbox"

// A page shows the same pictures again and again; a new one is seen within these seconds.
const cacheControl = 'public, max-age=300'

// Text is sent compressed, which is done once; what is larger than this is sent as it is.
const compressible = /^text\/|\bjson|\bxml|yaml/
const mostBytesToCompress = 2_000_000

/** A file of the repository, whole or the part that was asked for. Null when there is none. */
export async function answerAsset(
  deps: Pick<ServeDeps, 'shelf'>,
  site: ServedSite,
  { request, route }: { request: SiteRequest; route: string },
): Promise<SiteAnswer | null> {
  const path = route.slice(1)
  const bytes = await site.edition.readAsset(path)
  if (bytes === null) return null
  const contentType = contentTypeOf(path)
  const id = site.edition.tree.entries.get(path)?.id
  if (id !== undefined && compressible.test(contentType) && bytes.length <= mostBytesToCompress) {
    return await answerText(deps, request, { bytes, contentType, key: `asset ${contentType} ${id}` })
  }
  const headers: Record<string, string> = {
    ...headersOf(contentType),
    'accept-ranges': 'bytes',
    ...(id === undefined ? {} : { etag: `"${id}"` }),
  }
  if (headers.etag !== undefined && hasAlready(request.headers['if-none-match'], headers.etag)) {
    return { status: 304, headers, body: null, view: null }
  }
  const range = rangeOf(request, { etag: headers.etag, size: bytes.length })
  if (range === 'unsatisfiable') {
    return {
      status: 416,
      headers: { ...textSecurity, 'content-range': `bytes */${bytes.length}` },
      body: null,
      view: null,
    }
  }
  if (range === null) {
    return { status: 200, headers: { ...headers, 'content-length': String(bytes.length) }, body: bytes, view: null }
  }
  const part = bytes.subarray(range.from, range.to + 1)
  const contentRange = `bytes ${range.from}-${range.to}/${bytes.length}`
  return {
    status: 206,
    headers: { ...headers, 'content-length': String(part.length), 'content-range': contentRange },
    body: part,
    view: null,
  }
}

async function answerText(
  deps: Pick<ServeDeps, 'shelf'>,
  request: SiteRequest,
  { bytes, contentType, key }: { bytes: Buffer; contentType: string; key: string },
): Promise<SiteAnswer> {
  const headers = { ...headersOf(contentType), vary: 'Accept-Encoding' }
  const finished = deps.shelf.find(key) ?? (await deps.shelf.make(key, async () => finish(bytes, { headers })))
  return await answerFinished(deps, request, { key, finished, view: null })
}

function headersOf(contentType: string): Record<string, string> {
  return {
    ...everywhere,
    'content-type': contentType,
    'content-security-policy': securityOf(contentType),
    'cache-control': cacheControl,
    // Other sites may show the picture.
    'cross-origin-resource-policy': 'cross-origin',
  }
}

function contentTypeOf(path: string): string {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  return Object.hasOwn(contentTypes, extension) ? contentTypes[extension]! : 'application/octet-stream'
}

function securityOf(contentType: string): string {
  if (documents.test(contentType)) return documentPolicy
  // Browsers show no PDF in a sandbox.
  return contentType === 'application/pdf' ? "frame-ancestors 'self'" : textSecurity['content-security-policy']!
}

/** One range of bytes, as players and downloads ask for it. Null: the whole; several at once are not worth the trouble. */
function rangeOf(
  { method, headers }: SiteRequest,
  { etag, size }: { etag: string | undefined; size: number },
): { from: number; to: number } | 'unsatisfiable' | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.range ?? '')
  if (method !== 'GET' || match === null || (match[1] === '' && match[2] === '')) return null
  const condition = headers['if-range']
  if (condition !== undefined && condition !== etag) return null
  if (match[1] === '') {
    const length = Math.min(Number(match[2]), size)
    return length === 0 ? 'unsatisfiable' : { from: size - length, to: size - 1 }
  }
  const from = Number(match[1])
  const to = match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1)
  if (from >= size) return 'unsatisfiable'
  return from > to ? null : { from, to }
}
