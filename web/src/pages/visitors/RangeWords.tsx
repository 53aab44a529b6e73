import { daysInWords, formatDay, lengthInDays, periodBefore, type Range } from './range.ts'

/** Which range is shown, and what it is compared to, as the API counts it. */
export function RangeWords({ range, now }: { range: Range; now: number }) {
  const before = periodBefore(range)
  const days = lengthInDays(range)
  if (before === null || days === null) {
    return (
      <p className="text-sm text-muted">
        Every view that is kept. All time has no period before it, so nothing is compared.
      </p>
    )
  }
  const isOver = Date.parse(range.to!) <= now
  return (
    <p className="text-sm text-muted">
      Days in UTC: from {formatDay(range.from!)} (included) to {formatDay(range.to!)} (not included),{' '}
      {daysInWords(days)}. Compared to the {days === 1 ? 'day' : daysInWords(days)} before, from{' '}
      {formatDay(before.from!)} to {formatDay(before.to!)}.
      {!isOver && ' The last day is not over yet, so it can only have fewer.'}
    </p>
  )
}
