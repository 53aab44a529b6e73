/** Longer paths are nobody's page, and would be kept again with every view. */
const mostCharacters = 1024

/** Files that pages are made of, or that people download: asking for one is no view of a page. */
const assetTypes = new Set(
  [
    'js mjs cjs css map json jsonl ndjson xml xsl rss atom txt csv tsv yaml yml toml wasm webmanifest',
    'ico png apng jpg jpeg gif webp avif svg bmp tif tiff heic woff woff2 ttf otf eot',
    'mp3 mp4 m4a m4v mov avi webm mkv ogg ogv oga opus wav flac vtt srt',
    'pdf epub doc docx xls xlsx ppt pptx odt ods odp',
    'zip gz tgz tar bz2 xz zst br 7z rar jar war whl deb rpm apk dmg pkg msi exe iso bin asc sig',
  ]
    .join(' ')
    .split(' '),
)

/** What sites and those in front of them serve beside pages, without an extension to tell it by. */
const otherThings = /^\/(?:\.well-known|cdn-cgi|_next)(?:\/|$)/

/** Most paths: nothing in them to decode or resolve, and at most one thing at the end to strip before `index`. */
const plainPath = /^(?:\/[\w-]+)+(?:\/|\.[a-z0-9]+)?$/i
const plainEnd = /\/$|\.(?:mdx?|html?)$/i
const pageType = /\.(?:mdx?|html?)$/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: what must not get in.
const control = /[\u0000-\u001f\u007f-\u009f]/
/**
 * A combining mark right after a piece that stays escaped would be composed with its last digit into another letter, and
 * what it meant would be lost.
 */
const markAfterEscape = /%[0-9A-F]{2}\p{M}/u

/**
 * The one path of a page, however it was asked for: `/guide/`, `/guide.md?x=1` and `https://docs.example.com/guide/index.html`
 * are all `/guide`. Null when it is not the path of a page. Takes a request target or a full URL, and never throws.
 */
export function canonicalPath(raw: string): string | null {
  const path = withoutRest(withoutOrigin(raw))
  if (path.length > 8 * mostCharacters) return null
  if (plainPath.test(path)) return finish(withoutIndex(path.replace(plainEnd, '')))
  if (raw === '' || path === '*' || control.test(path) || !path.isWellFormed()) return null
  const decoded = decodeHarmless(path)
  if (markAfterEscape.test(decoded)) return null
  const segments = withoutPageType(resolve(decoded.normalize('NFC')))
  return segments === null ? null : finish(`/${segments.join('/')}`)
}

function finish(path: string): string | null {
  if (path.length > mostCharacters || otherThings.test(path)) return null
  const dot = path.lastIndexOf('.')
  if (dot > path.lastIndexOf('/') && assetTypes.has(path.slice(dot + 1).toLowerCase())) return null
  return path
}

function withoutOrigin(raw: string): string {
  if (raw.charCodeAt(0) === 0x2f) return raw
  const match = /^https?:\/\/[^/?#\\]*/i.exec(raw)
  return match === null ? raw : raw.slice(match[0].length) || '/'
}

/** Without query and fragment. */
function withoutRest(target: string): string {
  const query = target.indexOf('?')
  const path = query < 0 ? target : target.slice(0, query)
  const fragment = path.indexOf('#')
  return fragment < 0 ? path : path.slice(0, fragment)
}

function withoutIndex(path: string): string {
  let end = path.length
  while (path.endsWith('/index', end)) end -= '/index'.length
  return end === 0 ? '/' : path.slice(0, end)
}

/**
 * Decodes escapes of characters that mean only themselves. What separates (`/ ? # \`), what escapes (`%`), controls and
 * what is no UTF-8 stay escaped, all in one spelling, so that decoding again changes nothing.
 */
function decodeHarmless(path: string): string {
  const escaped = path.includes('\\') ? path.replaceAll('\\', '%5C') : path
  if (!escaped.includes('%')) return escaped
  return escaped.replace(/(?:%[0-9a-f]{2})+|%/gi, (escapes) => (escapes === '%' ? '%25' : decodeRun(escapes)))
}

function decodeRun(escapes: string): string {
  const bytes = Buffer.from(escapes.replaceAll('%', ''), 'hex')
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    const length = lengthOfCharacter(bytes[at]!)
    const character = bytes.toString('utf8', at, at + length)
    const isOne = !character.includes('\ufffd') && (length === 1 || at + length <= bytes.length)
    if (isOne && !/[/?#\\%]/.test(character) && !control.test(character)) {
      text += character
      at += length
    } else {
      text += `%${bytes.toString('hex', at, at + 1).toUpperCase()}`
      at++
    }
  }
  return text
}

/** Of a character in UTF-8, by its first byte. */
function lengthOfCharacter(first: number): number {
  if (first < 0xc0) return 1
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
}

/** The segments, without empty and dot segments; `..` never leads above the root. */
function resolve(path: string): string[] {
  const segments: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return segments
}

/** Takes off `.md` and its like, and `index`, until none is left. Null for what would then be a dot segment. */
function withoutPageType(segments: string[]): string[] | null {
  while (segments.length > 0) {
    const last = segments.at(-1)!
    const name = last.replace(pageType, '')
    if (name === '.' || name === '..') return null
    if (name === '' || name === 'index') segments.pop()
    else if (name !== last) segments[segments.length - 1] = name
    else break
  }
  return segments
}
