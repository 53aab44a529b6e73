export interface Redirect {
  source: string
  destination: string
}

/** Where a route is sent; null when no redirect has it. */
export type FindRedirect = (route: string) => string | null

// Longer than any address that is really asked for. A redirect may write what it was given twice, and lead to itself.
const mostCharacters = 4_096
// Each is tried on every address that leads nowhere; those without a wildcard cost nothing, however many they are.
const mostPatterns = 1_000

/** `:name` is one part of a path, `:name*` and `*` are any rest of it; the destination may use what they stood for. */
export function createRedirectFinder(redirects: Redirect[]): FindRedirect {
  const exact = new Map<string, string>()
  const patterns: { parts: Part[]; destination: string }[] = []
  for (const { source, destination } of redirects) {
    const whole = trimSlash(source)
    const parts = /[:*]/.test(whole) ? parsePattern(whole) : [whole]
    if (parts.every((part) => typeof part === 'string')) {
      // The first of several is the one that acts.
      if (!exact.has(whole)) exact.set(whole, destination)
    } else if (patterns.length < mostPatterns) patterns.push({ parts, destination })
  }
  return (route) => {
    if (route.length > mostCharacters) return null
    const found = exact.get(trimSlash(route))
    if (found !== undefined) return found
    for (const { parts, destination } of patterns) {
      const values = match(parts, trimSlash(route))
      if (values) return fill(destination, values)
    }
    return null
  }
}

/**
 * Where readers are sent: a place of this site, or one elsewhere that the redirect itself names. What a visitor writes
 * into the address never decides which site that is.
 */
export function createSafeRedirects(redirects: Redirect[], isPage: (route: string) => boolean): FindRedirect {
  const find = createRedirectFinder(redirects.filter(({ destination }) => isSafeDestination(destination)))
  const next = (route: string) => {
    const destination = find(route)
    if (destination === null || isElsewhere(destination)) return destination
    // Two slashes, or a backslash that browsers take for one, would be the name of another site.
    return `/${destination.trim().replace(/^[/\\]+/, '')}`
  }
  return (route) => {
    const destination = next(route)
    // Those that lead in a circle lead nowhere.
    const seen = new Set([trimSlash(route)])
    for (let to = destination; to !== null && !isElsewhere(to); to = next(to)) {
      to = trimSlash(to.split(/[?#]/)[0]!)
      if (isPage(to)) break
      if (seen.has(to) || seen.size > mostHops) return null
      seen.add(to)
    }
    return destination
  }
}

const mostHops = 20

function isElsewhere(destination: string): boolean {
  return /^https?:\/\//i.test(destination.trim())
}

function isSafeDestination(destination: string): boolean {
  const text = destination.trim()
  if (isElsewhere(text)) return !/^https?:\/\/[^/?#]*(?:\*|:[A-Za-z_])/i.test(text)
  return !/^[a-z][a-z\d+.-]*:/i.test(text) && !/^\/\//.test(text)
}

/** A name and whether it takes slashes too; `*` alone has the name `*`. */
interface Wildcard {
  name: string
  isRest: boolean
}
type Part = string | Wildcard

function parsePattern(source: string): Part[] {
  const parts: Part[] = []
  let after = 0
  for (const found of source.matchAll(/:([A-Za-z_]\w*)(\*?)|\*/g)) {
    if (found.index > after) parts.push(source.slice(after, found.index))
    parts.push({ name: found[1] ?? '*', isRest: found[1] === undefined || found[2] === '*' })
    after = found.index + found[0].length
  }
  if (after < source.length) parts.push(source.slice(after))
  return parts
}

/** The leftmost match of each fixed part: no trying of others, so no pattern is slow. */
function match(parts: Part[], route: string): Map<string, string> | null {
  const values = new Map<string, string>()
  let at = 0
  for (const [index, part] of parts.entries()) {
    if (typeof part === 'string') {
      if (!route.startsWith(part, at)) {
        const rest = folderRest(parts.slice(index), route.slice(at))
        return rest === null ? null : values.set(rest, '')
      }
      at += part.length
      continue
    }
    const next = parts[index + 1]
    const isLast = index === parts.length - 1
    let end = isLast ? route.length : typeof next === 'string' ? route.indexOf(next, at) : at
    // The last fixed part has to end the route.
    if (index === parts.length - 2 && typeof next === 'string') {
      end = route.endsWith(next) ? route.length - next.length : -1
    }
    if (end < at) return null
    const value = route.slice(at, end)
    if (!part.isRest && (value === '' || value.includes('/'))) return null
    values.set(part.name, value)
    at = end
  }
  return at === route.length ? values : null
}

/** `/beta/:slug*` has `/beta` too: the rest may be nothing, and its slash with it. Its name then, else null. */
function folderRest([part, next, ...more]: Part[], route: string): string | null {
  const isLast = typeof next === 'object' && next.isRest && more.length === 0
  return isLast && part === `${route}/` ? next.name : null
}

/** Null for what would be longer than an address. */
function fill(destination: string, values: Map<string, string>): string | null {
  let text = ''
  let after = 0
  for (const found of destination.matchAll(/:([A-Za-z_]\w*)\*?|\*/g)) {
    text += destination.slice(after, found.index) + (values.get(found[1] ?? '*') ?? found[0])
    after = found.index + found[0].length
    if (text.length > mostCharacters) return null
  }
  return text + destination.slice(after)
}

function trimSlash(route: string): string {
  const whole = route.startsWith('/') ? route : `/${route}`
  let end = whole.length
  while (end > 1 && whole[end - 1] === '/') end--
  return whole.slice(0, end)
}
