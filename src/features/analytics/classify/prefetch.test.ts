import { expect, test } from 'vitest'
import { isPrefetch } from './prefetch.ts'

test.each<[Record<string, string | string[] | undefined>, boolean]>([
  [{ 'sec-purpose': 'prefetch' }, true],
  [{ 'sec-purpose': 'prefetch;prerender' }, true],
  [{ 'sec-purpose': 'Prefetch; anonymous-client-ip' }, true],
  [{ purpose: 'prefetch' }, true],
  [{ 'x-purpose': 'preview' }, true],
  [{ 'x-moz': 'prefetch' }, true],
  [{ 'x-moz': ['none', 'prefetch'] }, true],
  [{ 'sec-purpose': '' }, false],
  [{ purpose: 'reading' }, false],
  [{ accept: 'prefetch', referer: 'https://example.com/prefetch' }, false],
  [{ purpose: undefined }, false],
  [{}, false],
])('%j is a prefetch: %s', (headers, expected) => {
  expect(isPrefetch(headers)).toBe(expected)
})
