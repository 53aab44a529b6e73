import type { Edition } from '../edition/edition.ts'
import type { StoredChanges } from './store.ts'

// A list is for people to look through; the numbers beside it are exact.
const mostListed = 200

/** Which pages differ from what was live before; without that, all are new. */
export function changedPages(before: Pick<Edition, 'pages'> | null, after: Pick<Edition, 'pages'>): StoredChanges {
  const old: Edition['pages'] = before?.pages ?? new Map()
  const routes = [...after.pages.keys()]
  const added = routes.filter((route) => !old.has(route))
  const changed = routes.filter((route) => old.has(route) && old.get(route)!.key !== after.pages.get(route)!.key)
  const removed = [...old.keys()].filter((route) => !after.pages.has(route))
  const first = (all: string[]) => all.toSorted().slice(0, mostListed)
  return {
    added: added.length,
    changed: changed.length,
    removed: removed.length,
    routes: { added: first(added), changed: first(changed), removed: first(removed) },
  }
}
