const dayMs = 86_400_000
const shownDays = 30

/** The last 30 days in UTC, today among them, as the API counts: from the first one, to before the last. */
export function lastDays(now: number): { dateFrom: string; dateTo: string } {
  const today = Math.floor(now / dayMs)
  const dateOf = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10)
  return { dateFrom: dateOf(today - shownDays + 1), dateTo: dateOf(today + 1) }
}
