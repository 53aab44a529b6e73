import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Edition, EditionPage } from '../edition/edition.ts'
import { changedPages } from './changed-pages.ts'

function editionOf(keys: Record<string, string>): Pick<Edition, 'pages'> {
  const entries = Object.entries(keys).map(([route, key]) => [route, { route, key } as EditionPage] as const)
  return { pages: new Map(entries) }
}

test('pages are compared by what they were made from', () => {
  const before = editionOf({ '/': 'a', '/same': 'b', '/gone': 'c' })
  const after = editionOf({ '/': 'A', '/same': 'b', '/new': 'c' })
  expect(changedPages(before, after)).toEqual({
    added: 1,
    changed: 1,
    removed: 1,
    routes: { added: ['/new'], changed: ['/'], removed: ['/gone'] },
  })
})

test('without an edition before, all are new', () => {
  expect(changedPages(null, editionOf({ '/': 'a', '/b': 'b' }))).toMatchObject({ added: 2, changed: 0, removed: 0 })
})

test('lists end, counts do not', () => {
  const many = editionOf(Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`/${index}`, 'x'])))
  const { added, routes } = changedPages(null, many)
  expect(added).toBe(1000)
  expect(routes.added).toHaveLength(200)
})

test('what comes and goes adds up, for any two editions', () => {
  const keys = fc.dictionary(fc.constantFrom('/', '/a', '/b', '/c', '/d'), fc.constantFrom('1', '2'))
  fc.assert(
    fc.property(keys, keys, (old, next) => {
      const [before, after] = [editionOf(old), editionOf(next)]
      const { added, changed, removed } = changedPages(before, after)
      expect(before.pages.size + added - removed).toBe(after.pages.size)
      const back = changedPages(after, before)
      expect([back.removed, back.changed, back.added]).toEqual([added, changed, removed])
    }),
  )
})
