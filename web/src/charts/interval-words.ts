import type { Timeseries } from '../api/client.ts'

export type Interval = Timeseries['interval']

const shared = { timeZone: 'UTC' } as const
const formats: Record<Interval, Intl.DateTimeFormat> = {
  hour: new Intl.DateTimeFormat('en-GB', {
    ...shared,
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }),
  day: new Intl.DateTimeFormat('en', { ...shared, weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }),
  week: new Intl.DateTimeFormat('en', { ...shared, day: 'numeric', month: 'short', year: 'numeric' }),
  month: new Intl.DateTimeFormat('en', { ...shared, month: 'long', year: 'numeric' }),
}
const shortFormats: Record<Interval, Intl.DateTimeFormat> = {
  hour: new Intl.DateTimeFormat('en-GB', { ...shared, hour: '2-digit', minute: '2-digit' }),
  day: new Intl.DateTimeFormat('en', { ...shared, day: 'numeric', month: 'short' }),
  week: new Intl.DateTimeFormat('en', { ...shared, day: 'numeric', month: 'short' }),
  month: new Intl.DateTimeFormat('en', { ...shared, month: 'short', year: '2-digit' }),
}

/** `Week of Nov 9, 2026`: an interval by its start, in UTC. */
export function intervalName(start: string, interval: Interval): string {
  const text = formats[interval].format(Date.parse(start))
  return interval === 'week' ? `Week of ${text}` : text
}

/** The same for an axis. */
export function shortIntervalName(start: string, interval: Interval): string {
  return shortFormats[interval].format(Date.parse(start))
}

/** Whether nothing can have been read in it yet. */
export function isToCome({ start, views }: Timeseries['timeseries'][number], now = Date.now()): boolean {
  return views.total === 0 && Date.parse(start) > now
}
