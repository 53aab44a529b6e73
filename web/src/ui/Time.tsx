import { useEffect, useState } from 'react'

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** `3 minutes ago`, `in 2 days`. */
export function relativeTime(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000)
  const [unit, size] = units.find(([, each]) => Math.abs(seconds) >= each) ?? (['second', 1] as const)
  if (unit === 'second') return seconds > 0 ? 'in a moment' : 'just now'
  return relative.format(Math.trunc(seconds / size), unit)
}

/** A moment, as the reader's clock has it; in UTC on hover. */
export function Time({ at, isRelative = false }: { at: string; isRelative?: boolean }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isRelative) return
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [isRelative])
  const date = new Date(at)
  const words = isRelative ? relativeTime(date.getTime(), now) : absolute.format(date)
  const utc = `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`
  return (
    <time dateTime={at} title={isRelative ? `${absolute.format(date)} (${utc})` : utc} className="whitespace-nowrap">
      {words}
    </time>
  )
}
