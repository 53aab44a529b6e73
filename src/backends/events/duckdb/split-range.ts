import type { Range } from '../event-store.ts'
import { timeBounds } from '../view.ts'
import { dayMs } from './schema.ts'

/** A range as its whole days, which cells answer, and what is left over at either end, which only views can. */
export interface SplitRange {
  from: number
  to: number
  /** The whole days, half open; none when equal. */
  firstDay: number
  endDay: number
}

export function splitRange({ from, to }: Range): SplitRange {
  const start = clamp(from ?? timeBounds.from)
  const end = clamp(to ?? timeBounds.to)
  const firstDay = Math.ceil(start / dayMs)
  const endDay = Math.floor(end / dayMs)
  if (firstDay >= endDay) return { from: start, to: end, firstDay: 0, endDay: 0 }
  return { from: start, to: end, firstDay, endDay }
}

/** The same without whole days: for what is cut finer than a day. */
export function withoutDays(range: SplitRange): SplitRange {
  return { ...range, firstDay: 0, endDay: 0 }
}

/** What of the range lies outside its whole days: one or two spans of milliseconds, half open. */
export function edgesOf({ from, to, firstDay, endDay }: SplitRange): [from: number, to: number][] {
  const spans: [number, number][] =
    firstDay === endDay
      ? [[from, to]]
      : [
          [from, firstDay * dayMs],
          [endDay * dayMs, to],
        ]
  return spans.filter(([start, end]) => start < end)
}

export function inRange({ from, to }: SplitRange): string {
  return `ts >= ${from} and ts < ${to}`
}

export function inWholeDays({ firstDay, endDay }: SplitRange): string {
  return `ts >= ${firstDay * dayMs} and ts < ${endDay * dayMs}`
}

function clamp(at: number): number {
  return Math.min(Math.max(at, timeBounds.from), timeBounds.to)
}
