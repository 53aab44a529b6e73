import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseRetryAfter } from './retry-after.ts'

const now = new Date('2026-03-01T12:00:00Z')

test.each([
  ['120', 120],
  [' 7 ', 7],
  ['1.2', 2],
  ['Sun, 01 Mar 2026 12:02:00 GMT', 120],
  ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
  ['', null],
  ['soon', null],
  ['-5', null],
  ['1e3', null],
  ['9'.repeat(30), null],
  [null, null],
  [undefined, null],
])('%j asks to wait %j seconds', (header, seconds) => {
  expect(parseRetryAfter(header, now)).toBe(seconds)
})

test('whatever a server says, the wait is a whole number of seconds or none', () => {
  const dates = fc.date({ noInvalidDate: true }).map((date) => date.toUTCString())
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.integer().map(String), dates), (header) => {
      const seconds = parseRetryAfter(header, now)
      expect(seconds === null || (Number.isSafeInteger(seconds) && seconds >= 0)).toBe(true)
    }),
  )
})
