import type { OperationOutline, SpecOutline } from './spec-outline.ts'

export interface GeneratedPage {
  /** With a leading slash: `/api-reference/users/list-users`. */
  route: string
  operation: OperationOutline
}

/**
 * A page for every operation that is not hidden. Links to such pages are written by hand, so their addresses are made the
 * way sites of this format have them: folder, first tag, title; of several with one address, the later ones get a number.
 */
export function generatePages(outline: SpecOutline, { directory }: { directory: string }): GeneratedPage[] {
  const take = createRouteTaker()
  return outline.operations
    .filter(({ isHidden }) => !isHidden)
    .map((operation) => ({ route: take(operationRoute(operation, { directory })), operation }))
}

export function operationRoute(operation: OperationOutline, { directory }: { directory: string }): string {
  const asked = operation.href === null ? '' : cleanRoute(operation.href)
  if (asked !== '') return `/${asked}`
  const { tag, title, method, path } = operation
  const name = slugOf(title) || slugOf(`${method} ${path}`) || 'operation'
  return `/${[cleanRoute(directory), slugOf(tag ?? ''), name].filter(Boolean).join('/')}`
}

/** Gives out routes: the one asked for, or the first of `route-1`, `route-2` that is free. */
export function createRouteTaker(taken: Iterable<string> = []): (route: string) => string {
  const all = new Set(taken)
  // Counted on from the last: a specification may have thousands of one name.
  const counts = new Map<string, number>()
  return (route) => {
    let free = route
    let count = counts.get(route) ?? 0
    while (all.has(free)) free = `${route}-${++count}`
    counts.set(route, count)
    all.add(free)
    return free
  }
}

function slugOf(text: string): string {
  const isPath = /^[a-z]+ \//i.test(text)
  return text
    .toLowerCase()
    .replace(/\{[^{}]*\}/g, isPath ? '' : '-')
    .replaceAll('/', isPath ? '-' : '')
    .replace(/\s+/g, '-')
    .replace(/[^\p{L}\p{N}_~-]/gu, '')
    .replace(/-{2,}/g, '-')
    .replace(/^-+|-+$/g, '')
}

/** Parts between slashes, none of which leads up. */
function cleanRoute(path: string): string {
  return path
    .split(/[?#]/)[0]!
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .join('/')
}
