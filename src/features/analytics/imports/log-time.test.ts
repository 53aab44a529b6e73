import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wordsOf } from './byte-texts.ts'
import { createTimeParser, createTimeReader, parseLogTime } from './log-time.ts'

test.each<[string | number, string | null]>([
  ['10/Oct/2000:13:55:36 -0700', '2000-10-10T20:55:36.000Z'],
  ['10/Oct/2000:13:55:36.789 +0530', '2000-10-10T08:25:36.789Z'],
  ['29/Feb/2024:23:59:60 +0000', '2024-03-01T00:00:00.000Z'],
  ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31T12:00:00.123456789+02:00', '2026-01-31T10:00:00.123Z'],
  ['2026-01-31 12:00:00', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31T12:00', '2026-01-31T12:00:00.000Z'],
  [1700000000, '2023-11-14T22:13:20.000Z'],
  [1700000000.25, '2023-11-14T22:13:20.250Z'],
  [1700000000123, '2023-11-14T22:13:20.123Z'],
  [1700000000123456, '2023-11-14T22:13:20.123Z'],
  ['1700000000123456789', '2023-11-14T22:13:20.123Z'],
  ['30/Feb/2026:00:00:00 +0000', null],
  ['2026-02-30T00:00:00Z', null],
  ['2026-13-01T00:00:00Z', null],
  ['2026-01-01T24:00:00Z', null],
  // What Go writes for a time that was never set, and clocks that were never set.
  ['0001-01-01T00:00:00Z', null],
  ['01/Jan/1970:00:00:01 +0000', null],
  ['1989-12-31T23:59:59Z', null],
  ['9999-12-31T23:59:59Z', null],
  ['yesterday', null],
  ['', null],
  [-1, null],
  [Number.NaN, null],
])('%j is %s', (value, expected) => {
  const at = parseLogTime(value)
  expect(at === null ? null : new Date(at).toISOString()).toBe(expected)
})

test('a parser that remembers the day reads every time as one that does not', () => {
  const parse = createTimeParser()
  const read = createTimeReader()
  const two = fc.integer({ min: 0, max: 70 }).map((value) => String(value).padStart(2, '0'))
  const time = fc
    .tuple(
      two,
      fc.constantFrom('Jan', 'feb', 'Xyz'),
      two,
      two,
      two,
      fc.constantFrom(' +0000', ' -0730', ' +x000', '.12345', '.1234Z', ' -07:0'),
    )
    .map(([day, month, hour, minute, second, zone]) => `${day}/${month}/2026:${hour}:${minute}:${second}${zone}`)
  fc.assert(
    fc.property(fc.oneof(time, fc.string({ minLength: 26, maxLength: 26 })), (text) => {
      const expected = parseLogTime(text)
      expect(parse(`at [${text}] "`, 4, 4 + text.length)).toBe(expected)
      if (text.length !== 26) return
      const found = read(wordsOf(Buffer.from(`at [${text}] "`, 'latin1')), 4)
      // Of other forms with the same length it knows nothing.
      if (found !== null || / [+-]\d{4}$/.test(text)) expect(found).toBe(expected)
    }),
    { numRuns: 1000 },
  )
})
