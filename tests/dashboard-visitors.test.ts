import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { intervalName, shortIntervalName } from '../web/src/charts/interval-words.ts'
import { differenceOf } from '../web/src/pages/visitors/difference.ts'
import {
  intervalFor,
  lengthInDays,
  periodBefore,
  queryOf,
  rangeInFileName,
  readChoice,
} from '../web/src/pages/visitors/range.ts'
import { reasonInWords } from '../web/src/pages/visitors/reason-words.ts'

const now = Date.parse('2026-03-10T23:59:59.999Z')
const choiceOf = (search: string, at = now) => readChoice(new URLSearchParams(search), at)

describe('the range of the page Visitors', () => {
  test.each([
    ['', '2026-02-09', '2026-03-11'],
    ['range=today', '2026-03-10', '2026-03-11'],
    ['range=7', '2026-03-04', '2026-03-11'],
    ['range=365', '2025-03-11', '2026-03-11'],
    ['range=all', null, null],
    ['range=custom&from=2024-02-28&to=2024-03-01', '2024-02-28', '2024-03-01'],
    ['range=year', '2026-02-09', '2026-03-11'],
    ['range=custom&from=2024-03-01&to=2024-03-01', '2026-02-09', '2026-03-11'],
    ['range=custom&from=2024-03-01', '2026-02-09', '2026-03-11'],
    ['range=custom&from=x&to=2024-13-01', '2026-02-09', '2026-03-11'],
  ])('%j is from %s to %s', (search, from, to) => {
    expect(choiceOf(search).range).toEqual({ from, to })
  })

  test('ends with the day of UTC that it is, wherever the reader is', () => {
    expect(choiceOf('range=today', now + 1).range).toEqual({ from: '2026-03-11', to: '2026-03-12' })
  })

  test('has before it a period of the same length that ends where it starts; all time has none', () => {
    const anyDay = fc
      .integer({ min: 1, max: 40_000 })
      .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10))
    fc.assert(
      fc.property(anyDay, anyDay, (a, b) => {
        fc.pre(a !== b)
        const [from, to] = a < b ? [a, b] : [b, a]
        const before = periodBefore({ from, to })!
        expect(before.to).toBe(from)
        expect(lengthInDays(before)).toBe(lengthInDays({ from, to }))
      }),
    )
    expect(periodBefore({ from: null, to: null })).toBeNull()
  })

  test('is asked for and named by its days', () => {
    expect(queryOf({ from: '2026-01-01', to: '2026-02-01' })).toEqual({ dateFrom: '2026-01-01', dateTo: '2026-02-01' })
    expect(queryOf({ from: null, to: null })).toEqual({})
    expect(rangeInFileName({ from: '2026-01-01', to: '2026-02-01' })).toBe('2026-01-01-to-2026-02-01')
  })

  test.each([
    [1, 'hour'],
    [2, 'hour'],
    [7, 'day'],
    [90, 'day'],
    [365, 'week'],
    [800, 'month'],
  ])('of %d days is drawn by %s', (days, interval) => {
    expect(intervalFor(days)).toBe(interval)
  })

  test('names intervals in UTC', () => {
    expect(intervalName('2026-03-09T00:00:00.000Z', 'week')).toBe('Week of Mar 9, 2026')
    expect(shortIntervalName('2026-03-09T05:00:00.000Z', 'hour')).toBe('05:00')
  })
})

test.each([
  [12, 10, 'more', '2 more (+20 %)'],
  [10, 12, 'fewer', '2 fewer (−17 %)'],
  [1004, 1000, 'more', '4 more (+0.4 %)'],
  [10_001, 10_000, 'more', '1 more (0 %)'],
  [3000, 0, 'more', '3,000 more'],
  [0, 7, 'fewer', '7 fewer (−100 %)'],
  [7, 7, 'same', 'As many'],
  [0, 0, 'same', 'As many'],
])('%d after %d is %s: %s', (value, before, direction, words) => {
  expect(differenceOf(value, before)).toEqual({ direction, words })
})

test.each([
  ['user agent list: GPTBot', 'Its user agent names GPTBot, which is on the list of known clients.'],
  ['user agent list: GPTBot, from an address of OpenAI', /GPTBot.*address that OpenAI publishes/],
  ['project rule 3', 'Rule 3 of this project’s analytics settings says so.'],
  ['words that nobody knew', 'Words that nobody knew.'],
])('the reason %j is told as %s', (reason, words) => {
  if (typeof words === 'string') expect(reasonInWords(reason)).toBe(words)
  else expect(reasonInWords(reason)).toMatch(words)
})
