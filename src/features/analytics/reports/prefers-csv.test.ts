import fc from 'fast-check'
import { expect, test } from 'vitest'
import { prefersCsv } from './prefers-csv.ts'

test.each([
  ['text/csv', true],
  ['TEXT/CSV', true],
  ['text/csv; charset=utf-8; header=present', true],
  ['text/*', true],
  ['text/csv, */*', true],
  ['text/csv;q=0.5, */*;q=0.1', true],
  ['application/json;q=0.5, text/csv;q=0.8', true],
  ['application/json;q=0, text/csv;q=0.001', true],
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['application/json, text/plain, */*', false],
  ['text/csv, application/json', false],
  ['application/json, text/csv;q=0.9', false],
  ['text/csv;q=0', false],
  ['text/csv;q=0, text/*', false],
  ['text/csv;q=high', false],
  ['text/csv;q=2', false],
  ['text/csvx', false],
  ['image/png', false],
  [',;,;q=1', false],
])('Accept: %s prefers CSV: %s', (accept, expected) => {
  expect(prefersCsv(accept)).toBe(expected)
})

test('any header is read, and quickly', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('text/csv', '*/*', ';', ',', 'q=', '0.5', ' '), maxLength: 40 }),
      (text) => {
        expect(typeof prefersCsv(text)).toBe('boolean')
      },
    ),
  )
  // The machine may be busy; the quickest of several is what the work itself takes.
  const took = Array.from({ length: 5 }, () => {
    const startedAt = performance.now()
    prefersCsv('text/csv;q=0.1,'.repeat(1000))
    return performance.now() - startedAt
  })
  expect(Math.min(...took)).toBeLessThan(100)
})
