import fc from 'fast-check'
import { expect, test } from 'vitest'
import { intervals } from '#backends/events/event-store.ts'
import { checkIntervals, fillIntervals, mostIntervals } from './fill-intervals.ts'

const at = (text: string) => Date.parse(text)
const one = { human: 1, ai: 0, total: 1 }
const none = { human: 0, ai: 0, total: 0 }
const counted = (...starts: string[]) => starts.map((text) => ({ start: at(text), visitors: one, views: one }))
const startsOf = (filled: { start: number }[]) => filled.map(({ start }) => new Date(start).toISOString())
const open = { from: null, to: null }

test('intervals without views are filled in between the first and the last that have some', () => {
  const filled = fillIntervals(counted('2026-02-27', '2026-03-02'), { range: open, interval: 'day' })
  expect(startsOf(filled).map((text) => text.slice(0, 10))).toEqual([
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
    '2026-03-02',
  ])
  expect(filled.map(({ visitors }) => visitors)).toEqual([one, none, none, one])
})

test.each([
  ['hour', '2026-01-01T00:30:00Z', '2026-01-01T02:00:00Z', ['2026-01-01T00', '2026-01-01T01']],
  ['hour', '2026-01-01T00:30:00Z', '2026-01-01T02:00:00.001Z', ['2026-01-01T00', '2026-01-01T01', '2026-01-01T02']],
  ['day', '2025-12-31', '2026-01-02', ['2025-12-31T00', '2026-01-01T00']],
  ['week', '2026-01-01', '2026-01-12', ['2025-12-29T00', '2026-01-05T00']],
  ['week', '1969-12-31', '1970-01-06', ['1969-12-29T00', '1970-01-05T00']],
  ['month', '2026-01-31', '2026-03-01', ['2026-01-01T00', '2026-02-01T00']],
  ['month', '2025-12-15', '2026-01-01T00:00:01Z', ['2025-12-01T00', '2026-01-01T00']],
] as const)('by %s, from %s to %s there are %j', (interval, from, to, starts) => {
  const filled = fillIntervals([], { range: { from: at(from), to: at(to) }, interval })
  expect(startsOf(filled).map((text) => text.slice(0, 13))).toEqual(starts)
})

test('a range with one end goes from or to the views that there are', () => {
  const views = counted('2026-01-03')
  expect(fillIntervals(views, { range: { from: at('2026-01-01'), to: null }, interval: 'day' })).toHaveLength(3)
  expect(fillIntervals(views, { range: { from: null, to: at('2026-01-06') }, interval: 'day' })).toHaveLength(3)
  for (const range of [open, { from: at('2026-01-01'), to: null }, { from: null, to: at('2026-01-06') }]) {
    expect(fillIntervals([], { range, interval: 'day' })).toEqual([])
  }
})

test('more intervals than an answer may have are refused, whether the range or the views say so', () => {
  const from = at('2026-01-01')
  const most = { from, to: from + mostIntervals * 3_600_000 }
  expect(() => checkIntervals(most, 'hour')).not.toThrow()
  expect(fillIntervals([], { range: most, interval: 'hour' })).toHaveLength(mostIntervals)
  const details = [{ path: 'interval', message: expect.stringContaining('more than 10000') }]
  const refusal = expect.objectContaining({ kind: 'invalid', details })
  expect(() => checkIntervals({ ...most, to: most.to + 1 }, 'hour')).toThrow(refusal)
  expect(() => checkIntervals({ from: at('0001-01-01'), to: at('9999-12-31') }, 'hour')).toThrow(refusal)
  expect(() => fillIntervals(counted('2000-01-01', '2026-01-01'), { range: open, interval: 'hour' })).toThrow(refusal)
})

test('every view lies in one interval, and intervals follow each other without a gap', () => {
  const moments = fc.integer({ min: at('1960-01-01'), max: at('2060-01-01') })
  fc.assert(
    fc.property(
      fc.constantFrom(...intervals),
      moments,
      fc.integer({ min: 1, max: 2_000_000_000 }),
      (interval, from, span) => {
        const to = from + span
        const starts = fillIntervals([], { range: { from, to }, interval }).map(({ start }) => start)
        expect(starts[0]!).toBeLessThanOrEqual(from)
        expect(starts.at(-1)!).toBeLessThan(to)
        for (const [index, start] of starts.slice(1).entries()) {
          expect(start).toBeGreaterThan(from)
          const days = (start - starts[index]!) / 86_400_000
          const [least, most] = { hour: [1 / 24, 1 / 24], day: [1, 1], week: [7, 7], month: [28, 31] }[
            interval
          ] as number[]
          expect(days).toBeGreaterThanOrEqual(least!)
          expect(days).toBeLessThanOrEqual(most!)
        }
        if (interval === 'week') for (const start of starts) expect(new Date(start).getUTCDay()).toBe(1)
        if (interval === 'month') for (const start of starts) expect(new Date(start).getUTCDate()).toBe(1)
      },
    ),
    { numRuns: 50 },
  )
})
