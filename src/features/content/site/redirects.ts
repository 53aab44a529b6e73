export interface Redirect {
  source: string
  destination: string
}

/** Where a route is sent; null when no redirect has it. */
export type FindRedirect = (route: string) => string | null

/** `:name` is one part of a path, `:name*` and `*` are any rest of it; the destination may use what they stood for. */
export function createRedirectFinder(redirects: Redirect[]): FindRedirect {
  const exact = new Map<string, string>()
  const patterns: { parts: Part[]; destination: string }[] = []
  for (const { source, destination } of redirects) {
    const parts = parsePattern(trimSlash(source))
    if (parts.every((part) => typeof part === 'string')) {
      // The first of several is the one that acts.
      if (!exact.has(trimSlash(source))) exact.set(trimSlash(source), destination)
    } else patterns.push({ parts, destination })
  }
  return (route) => {
    const found = exact.get(trimSlash(route))
    if (found !== undefined) return found
    for (const { parts, destination } of patterns) {
      const values = match(parts, trimSlash(route))
      if (values) return fill(destination, values)
    }
    return null
  }
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

function fill(destination: string, values: Map<string, string>): string {
  return destination.replace(/:([A-Za-z_]\w*)\*?|\*/g, (whole, name) => values.get(name ?? '*') ?? whole)
}

function trimSlash(route: string): string {
  const whole = route.startsWith('/') ? route : `/${route}`
  let end = whole.length
  while (end > 1 && whole[end - 1] === '/') end--
  return whole.slice(0, end)
}
