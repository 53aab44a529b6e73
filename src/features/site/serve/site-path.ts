// Longer than any path of a file; what is longer only costs time to look for.
const mostCharacters = 2048
/** Most paths: nothing to decode. A dot leads a segment only where something else follows it. */
const plainPath = /^(?:\/(?!\.{0,2}(?:\/|$))[\w.~-]+)*\/?$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: what is in no name of a file.
const unfit = /[\u0000-\u001f\u007f/\\]/

/** What a client asked for inside a site. */
export interface SitePath {
  /** Decoded, with single slashes and none at the end: `/guides/setup`; the root is `/`. */
  route: string
  /** Whether the client wrote it so. */
  isCanonical: boolean
}

/**
 * Reads a path as a client wrote it; null for what can be no page and no file: `..`, an encoded slash, a backslash, NUL,
 * what does not decode. It is decoded once, so what was encoded twice stays what it is: a name with a `%` in it.
 */
export function readSitePath(raw: string): SitePath | null {
  if (raw.length > mostCharacters || !raw.startsWith('/')) return null
  if (plainPath.test(raw)) {
    const isCanonical = raw.length === 1 || !raw.endsWith('/')
    return { route: isCanonical ? raw : raw.slice(0, -1), isCanonical }
  }
  const written = raw.split('/').slice(1)
  const segments: string[] = []
  for (const segment of written) {
    if (segment === '') continue
    const decoded = decode(segment)
    if (decoded === null || decoded === '.' || decoded === '..' || unfit.test(decoded)) return null
    segments.push(decoded)
  }
  const isCanonical = segments.length === written.length || raw === '/'
  return { route: `/${segments.join('/')}`, isCanonical }
}

function decode(segment: string): string | null {
  try {
    const text = decodeURIComponent(segment)
    return text.isWellFormed() ? text : null
  } catch {
    return null
  }
}

/** A route or a file's path as it stands in an address. */
export function encodePath(path: string): string {
  if (/^[\w/.~-]*$/.test(path)) return path
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/')
}
