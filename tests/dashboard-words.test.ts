// What the dashboard makes of values, without a browser.
import { describe, expect, test } from 'vitest'
import { deviceOf } from '../web/src/pages/account/device.ts'
import { expiryOf, today } from '../web/src/pages/keys/expiry.ts'
import { lastDays } from '../web/src/pages/overview/last-days.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/141.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`,
    'Edge on Windows',
  ],
  [`Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/141.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
    'Safari on an iPhone',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    'Safari on a Mac',
  ],
  ['curl/8.14.1', 'curl'],
  ['<b>whatever</b>', 'An unknown browser'],
  [null, 'An unknown browser'],
])('the device of %s is %s', (userAgent, words) => {
  expect(deviceOf(userAgent)).toBe(words)
})

describe('when a key stops working', () => {
  const now = Date.parse('2026-11-15T15:00:00Z')

  test.each([
    ['never', '', null],
    ['30', '', '2026-12-15T15:00:00.000Z'],
    ['365', '', '2027-11-15T15:00:00.000Z'],
  ])('%s', (choice, date, moment) => {
    expect(expiryOf(choice, date, now)).toBe(moment)
  })

  test('a date counts to its end, by the clock of who chooses it', () => {
    const end = new Date(expiryOf('date', '2027-02-03', now)!)
    expect([end.getFullYear(), end.getMonth(), end.getDate(), end.getHours(), end.getMinutes()]).toEqual([
      2027, 1, 3, 23, 59,
    ])
    expect(today(new Date(2027, 1, 3, 23, 59))).toBe('2027-02-03')
  })
})

test('the last 30 days are whole days of UTC with today as the last', () => {
  const range = { dateFrom: '2026-10-17', dateTo: '2026-11-16' }
  expect(lastDays(Date.parse('2026-11-15T00:00:00Z'))).toEqual(range)
  expect(lastDays(Date.parse('2026-11-15T23:59:59.999Z'))).toEqual(range)
})
