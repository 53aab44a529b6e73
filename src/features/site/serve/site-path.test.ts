import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodePath, readSitePath } from './site-path.ts'

test.each([
  ['/', '/', true],
  ['/guides/setup', '/guides/setup', true],
  ['/guides/setup/', '/guides/setup', false],
  ['//guides//setup', '/guides/setup', false],
  ['//', '/', false],
  ['//evil.example', '/evil.example', false],
  ['/a%20b', '/a b', true],
  ['/%C3%A9t%C3%A9', '/été', true],
  ['/.well-known/x', '/.well-known/x', true],
  ['/...', '/...', true],
  ['/a..b/..c', '/a..b/..c', true],
  // Encoded twice it is a name with a percent sign, and nothing else.
  ['/%252e%252e/x', '/%2e%2e/x', true],
])('%s is %s', (raw, route, isCanonical) => {
  expect(readSitePath(raw)).toEqual({ route, isCanonical })
})

test.each([
  '/../x',
  '/..',
  '/.',
  '/a/./b',
  '/a/../b',
  '/%2e%2e/x',
  '/%2E%2e',
  '/.%2e/x',
  '/a%2fb',
  '/a%2Fb',
  '/a%5cb',
  '/a\\b',
  '/a%00',
  '/a\0',
  '/a%0d%0ab',
  '/%',
  '/%zz',
  '/%c3',
  '/%ff',
  '',
  'x',
  `/${'a'.repeat(10_000)}`,
])('%j is no path of a site', (raw) => {
  expect(readSitePath(raw)).toBeNull()
})

test('what is read never leads up, and is read again as itself', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.constantFrom('..', '.', '%2e', '%2f', '%5c', '%00', '/', '//', '%25', '%', 'a', 'é', '\\'),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const path = readSitePath(`/${pieces.join('')}`)
      if (path === null) return
      const segments = path.route.split('/').slice(1)
      expect(segments).not.toContain('..')
      expect(segments).not.toContain('.')
      expect(path.route).not.toMatch(/[\0\\]|\/\//)
      expect(readSitePath(encodePath(path.route))).toEqual({ route: path.route, isCanonical: true })
    }),
  )
})
