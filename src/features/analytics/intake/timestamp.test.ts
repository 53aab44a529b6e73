import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseTimestamp } from './timestamp.ts'

const documented = z.iso.datetime({ offset: true })

test.each([
  ['2026-11-15T08:30:00Z', '2026-11-15T08:30:00.000Z'],
  ['2026-11-15T08:30:00.123Z', '2026-11-15T08:30:00.123Z'],
  ['2026-11-15T08:30:00.5Z', '2026-11-15T08:30:00.500Z'],
  ['2026-11-15T08:30:00.123456789Z', '2026-11-15T08:30:00.123Z'],
  ['2026-11-15T08:30:00+01:00', '2026-11-15T07:30:00.000Z'],
  ['2026-11-15T08:30:00.25-05:30', '2026-11-15T14:00:00.250Z'],
  ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59.000Z'],
  ['2000-02-29T00:00:00.000Z', '2000-02-29T00:00:00.000Z'],
])('%s is %s', (text, instant) => {
  expect(new Date(parseTimestamp(text)!).toISOString()).toBe(instant)
})

test.each([
  ...[
    '',
    '2026-11-15',
    '2026-11-15T08:30:00',
    '2026-11-15T08:30Z',
    '2026-02-30T00:00:00Z',
    '2026-02-29T00:00:00.000Z',
    '1900-02-29T00:00:00Z',
  ],
  ...['2026-13-01T00:00:00Z', '2026-00-01T00:00:00Z', '2026-01-00T00:00:00Z', '2026-01-01T24:00:00Z', 'yesterday'],
  ...['2026-01-01T00:60:00Z', '2026-01-01T00:00:60Z', '2026-01-01t00:00:00z', '2026-01-01 00:00:00Z', '1700000000000'],
  ...[
    '2026-11-15T08:30:00.12aZ',
    '2026-11-15T08:30:0-Z',
    '+02026-11-15T08:30:00Z',
    `2026-11-15T08:30:00.${'1'.repeat(100)}Z`,
  ],
])('%j is none', (text) => {
  expect(parseTimestamp(text)).toBeNull()
})

test('it takes what is documented, and means what Date means', () => {
  const digit = fc.constantFrom(...'0123456789')
  const two = fc.oneof(
    fc.constantFrom('00', '01', '02', '12', '13', '23', '24', '28', '29', '30', '31', '59', '60'),
    fc.tuple(digit, digit).map((pair) => pair.join('')),
  )
  const text = fc
    .tuple(
      fc.constantFrom('2024', '2026', '1900', '2000', '0099'),
      two,
      two,
      two,
      two,
      two,
      fc.constantFrom('', '.1', '.123', '.1234'),
      fc.constantFrom('Z', '+00:00', '-23:59', '', 'z', '+24:00'),
    )
    .map(
      ([year, month, day, hour, minute, second, fraction, zone]) =>
        `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}${zone}`,
    )
  fc.assert(
    fc.property(
      fc.oneof(
        text,
        fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString()),
      ),
      (raw) => {
        expect(parseTimestamp(raw)).toBe(documented.safeParse(raw).success ? Date.parse(raw) : null)
      },
    ),
    { numRuns: 3000 },
  )
})
