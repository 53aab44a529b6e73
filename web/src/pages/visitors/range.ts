import type { Interval } from '../../charts/interval-words.ts'

/** Days of UTC as `YYYY-MM-DD`, as the API takes them: `from` is in the range, `to` is not. Null: all time. */
export interface Range {
  from: string | null
  to: string | null
}

export const presets = ['today', '7', '30', '90', '365', 'all', 'custom'] as const
export type Preset = (typeof presets)[number]

export const presetLabels: Record<Preset, string> = {
  today: 'Today',
  7: 'Last 7 days',
  30: 'Last 30 days',
  90: 'Last 90 days',
  365: 'Last 365 days',
  all: 'All time',
  custom: 'Custom dates',
}

/** What the address says: `?range=30`, or `?range=custom&from=2026-10-01&to=2026-11-01`. */
export interface Choice {
  preset: Preset
  range: Range
}

const dayMs = 86_400_000

export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

export function addDays(day: string, days: number): string {
  return dayOf(Date.parse(day) + days * dayMs)
}

/** The last so many days, with today, which is not over yet. */
function lastDays(count: number, now: number): Range {
  const to = addDays(dayOf(now), 1)
  return { from: addDays(to, -count), to }
}

export function isDay(text: string | null): text is string {
  return text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
}

/** What an address that nobody made here says instead is 30 days. */
export function readChoice(search: URLSearchParams, now: number): Choice {
  const preset = presets.find((one) => one === search.get('range')) ?? '30'
  if (preset === 'all') return { preset, range: { from: null, to: null } }
  if (preset === 'today') return { preset, range: lastDays(1, now) }
  if (preset !== 'custom') return { preset, range: lastDays(Number(preset), now) }
  const [from, to] = [search.get('from'), search.get('to')]
  if (isDay(from) && isDay(to) && from < to) return { preset, range: { from, to } }
  return { preset: '30', range: lastDays(30, now) }
}

export function lengthInDays({ from, to }: Range): number | null {
  return from === null || to === null ? null : Math.round((Date.parse(to) - Date.parse(from)) / dayMs)
}

/** As many days just before; none for all time. */
export function periodBefore(range: Range): Range | null {
  const days = lengthInDays(range)
  return days === null ? null : { from: addDays(range.from!, -days), to: range.from }
}

/** So that a chart has neither a handful of points nor hundreds. */
export function intervalFor(days: number): Interval {
  if (days <= 2) return 'hour'
  if (days <= 92) return 'day'
  return days <= 2 * 366 ? 'week' : 'month'
}

export function queryOf({ from, to }: Range): { dateFrom?: string; dateTo?: string } {
  return { ...(from !== null && { dateFrom: from }), ...(to !== null && { dateTo: to }) }
}

const dayFormat = new Intl.DateTimeFormat('en', { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' })

export function formatDay(day: string): string {
  return dayFormat.format(Date.parse(day))
}

/** `1 day`, `30 days`. */
export function daysInWords(days: number): string {
  return days === 1 ? '1 day' : `${days} days`
}

/** The part of a file's name that says when. */
export function rangeInFileName({ from, to }: Range): string {
  return from === null || to === null ? 'all-time' : `${from}-to-${to}`
}
