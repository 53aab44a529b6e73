import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanReferrer } from './referrer.ts'

test.each([
  ['https://www.google.com/', 'https://www.google.com/'],
  ['https://www.google.com', 'https://www.google.com/'],
  ['https://example.com/a/b.html?token=secret#part', 'https://example.com/a/b.html'],
  ['https://user:password@example.com/a', 'https://example.com/a'],
  ['HTTP://EXAMPLE.com:8080/A', 'http://example.com:8080/A'],
  ['http://localhost:3000/docs', 'http://localhost:3000/docs'],
  [`https://example.com/${'a'.repeat(600)}`, 'https://example.com/'],
  ['https://example.com/é', 'https://example.com/%C3%A9'],
  ['', null],
  [null, null],
  ['-', null],
  ['/guide', null],
  ['javascript:alert(1)', null],
  ['android-app://com.slack', null],
  ['https://', null],
  [`https://example.com/?${'q'.repeat(9000)}`, null],
])('%s is kept as %s', (raw, kept) => {
  expect(cleanReferrer(raw)).toBe(kept)
})

test('whatever is sent, what is kept is short, plain, and without a query or a user', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.string({ unit: 'binary' }).map((rest) => `https://example.com/${rest}`),
  )
  fc.assert(
    fc.property(text, (raw) => {
      const kept = cleanReferrer(raw)
      if (kept === null) return
      expect(kept).toMatch(/^https?:\/\/[^\s?#@]+\/[^\s?#]*$/)
      expect(kept.length).toBeLessThanOrEqual(500)
      expect(cleanReferrer(kept)).toBe(kept)
    }),
    { numRuns: 1000 },
  )
})
