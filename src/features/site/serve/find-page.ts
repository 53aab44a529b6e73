import type { Edition, EditionPage } from '../edition/edition.ts'

/** The page that is read at a route. The root shows the first page where none of its own is there. */
export function findPage({ pages, model }: Pick<Edition, 'pages' | 'model'>, route: string): EditionPage | null {
  const page = pages.get(route)
  if (page) return page
  return route === '/' && model.home !== null ? (pages.get(model.home) ?? null) : null
}

/** The page whose Markdown is asked for: `/guides/setup.md`, and `/guides/index.md` for a folder's own. */
export function findMarkdown(edition: Pick<Edition, 'pages' | 'model'>, route: string): EditionPage | null {
  const bare = /^(.*)\.mdx?$/i.exec(route)?.[1]
  if (bare === undefined) return null
  return findPage(edition, bare || '/') ?? findPage(edition, withoutIndex(bare)) ?? null
}

/** Where a page is really read that somebody looked for under another of its names: `/guides/index`, `/setup.html`. */
export function findMoved(edition: Pick<Edition, 'pages' | 'model'>, route: string): string | null {
  const bare = route.replace(/\.html?$/i, '') || '/'
  for (const candidate of [bare, withoutIndex(bare)]) {
    if (candidate !== route && findPage(edition, candidate) !== null) return candidate
  }
  const file = edition.model.map.pageAt(route)
  const canonical = file === null ? null : edition.model.map.routeOf(file)
  return canonical !== null && canonical !== route && edition.pages.has(canonical) ? canonical : null
}

function withoutIndex(route: string): string {
  return /\/(?:index|readme)$/i.test(route) ? route.slice(0, route.lastIndexOf('/')) || '/' : route
}
