import { closest } from '#base/closest.ts'
import type { Edition, EditionPage } from '../edition/edition.ts'

const mostSuggestions = 5
const mostCharacters = 200
// Compared with each of them, one by one.
const mostNames = 2_000
// Programs ask for hundreds of pages that no site has; looking for what each may mean would take the time of readers.
const searchesAtOnce = 10
const searchesPerSecond = 1

/** Routes by the last part of them, made for the first reader who is lost. */
const routesByName = new WeakMap<Edition, Map<string, string[]>>()

/** Pages that somebody may have meant who asked for a route that is none: of the same or a similar name, or about it. */
export function suggestPages(edition: Edition, route: string): EditionPage[] {
  if (route.length > mostCharacters) return []
  const byName = namesOf(edition)
  const name = nameOf(route)
  const same = byName.get(name) ?? []
  if (!maySearch(edition)) return same.flatMap((known) => edition.pages.get(known) ?? [])
  const namesakes =
    same.length > 0 ? same : (byName.get(closest(name, [...byName.keys()].slice(0, mostNames)) ?? '') ?? [])
  const text = route.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
  const language = languageOf(edition, route)
  const found = text === '' ? [] : edition.search({ text, limit: mostSuggestions, language, version: null })
  const routes = new Set([...namesakes, ...found.map((hit) => hit.route)])
  return [...routes].slice(0, mostSuggestions).flatMap((known) => edition.pages.get(known) ?? [])
}

const budgets = new WeakMap<Edition, { left: number; at: number }>()

function maySearch(edition: Edition): boolean {
  const now = performance.now()
  const { left, at } = budgets.get(edition) ?? { left: searchesAtOnce, at: now }
  const refilled = Math.min(searchesAtOnce, left + ((now - at) / 1000) * searchesPerSecond)
  if (refilled < 1) return false
  budgets.set(edition, { left: refilled - 1, at: now })
  return true
}

function namesOf(edition: Edition): Map<string, string[]> {
  let byName = routesByName.get(edition)
  if (byName) return byName
  byName = new Map()
  for (const [route, page] of edition.pages) {
    if (page.index.fields.isHidden) continue
    const name = nameOf(route)
    const known = byName.get(name)
    if (known === undefined) byName.set(name, [route])
    else if (known.length < mostSuggestions) known.push(route)
  }
  routesByName.set(edition, byName)
  return byName
}

/** Somebody who reads German is not helped by the French page. */
function languageOf({ model }: Edition, route: string): string | null {
  const first = route.split('/')[1] ?? ''
  const languages = model.navigation.root.divisions.filter(({ kind }) => kind === 'language')
  return languages.find(({ code }) => code.toLowerCase() === first.toLowerCase())?.code ?? null
}

function nameOf(route: string): string {
  return route
    .slice(route.lastIndexOf('/') + 1)
    .replace(/\.(?:mdx?|html?)$/i, '')
    .toLowerCase()
}
