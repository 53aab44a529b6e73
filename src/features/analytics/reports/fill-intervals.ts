import type { Counts, Interval, IntervalCounts, Range } from '#backends/events/event-store.ts'
import { DocentError } from '#base/errors.ts'

/** So many intervals are more than a year of hours, and an answer of about 2 MB. */
export const mostIntervals = 10_000

const hourMs = 3_600_000
const dayMs = 24 * hourMs
// The first Monday after 1970 began.
const firstMonday = 4 * dayMs
const none: Counts = { human: 0, ai: 0, total: 0 }

/** When the interval that a moment lies in starts, in UTC. Weeks start on Monday. */
function startOf(at: number, interval: Interval): number {
  if (interval === 'hour') return Math.floor(at / hourMs) * hourMs
  if (interval === 'day') return Math.floor(at / dayMs) * dayMs
  if (interval === 'week') return Math.floor((at - firstMonday) / (7 * dayMs)) * 7 * dayMs + firstMonday
  return new Date(new Date(at).setUTCHours(0, 0, 0, 0)).setUTCDate(1)
}

function nextStart(start: number, interval: Interval): number {
  if (interval === 'hour') return start + hourMs
  if (interval === 'day') return start + dayMs
  if (interval === 'week') return start + 7 * dayMs
  const date = new Date(start)
  return date.setUTCMonth(date.getUTCMonth() + 1)
}

/** Throws `invalid` when a range with two ends has more intervals than an answer may have. */
export function checkIntervals({ from, to }: Range, interval: Interval): void {
  if (from === null || to === null) return
  let count = 0
  for (let start = startOf(from, interval); start < to; start = nextStart(start, interval)) {
    if (++count > mostIntervals) throw tooMany(interval)
  }
}

/**
 * The intervals from the start of the range to its end, those without a view too. A range without one of its ends starts
 * or ends with the views that there are.
 */
export function fillIntervals(
  counted: readonly IntervalCounts[],
  { range, interval }: { range: Range; interval: Interval },
): IntervalCounts[] {
  const byStart = new Map(counted.map((counts) => [counts.start, counts]))
  const first = range.from ?? counted[0]?.start
  const end = range.to ?? (counted.length > 0 ? counted.at(-1)!.start + 1 : undefined)
  if (first === undefined || end === undefined) return []
  const filled: IntervalCounts[] = []
  for (let start = startOf(first, interval); start < end; start = nextStart(start, interval)) {
    if (filled.length === mostIntervals) throw tooMany(interval)
    filled.push(byStart.get(start) ?? { start, visitors: none, views: none })
  }
  return filled
}

function tooMany(interval: Interval): DocentError {
  const message = `the range has more than ${mostIntervals} of these (${interval}); choose a longer one, or narrow the range with dateFrom and dateTo`
  const details = [{ path: 'interval', message }]
  return new DocentError('invalid', 'request.invalid', `interval: ${message}.`, { details })
}
