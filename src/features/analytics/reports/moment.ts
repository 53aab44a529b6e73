import { oneLine } from '#base/one-line.ts'

/** A moment in milliseconds since 1970, or what is wrong with the text, as half a sentence. */
export type Moment = { at: number } | { fault: string }

const expected =
  'expected a date such as 2026-01-15 (midnight UTC) or an ISO 8601 date-time such as 2026-01-15T10:15:00Z'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
// Year 10,000 has five digits, and PostgreSQL knows no year 0.
const firstAt = Date.parse('0001-01-01T00:00:00Z')
const lastAt = Date.parse('9999-12-31T23:59:59.999Z')
// All that is understood fits, with fractions far finer than any clock's.
const mostCharacters = 100

// An unescaped + of a query arrives as a space; many programs write a space for the T; U+2212 is the minus of ISO 8601.
const extendedForm =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:[T ](?<hour>\d\d)(?::(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d+))?)?)?(?<zone>Z|[+\-− ]\d\d(?::?\d\d)?)?)?$/i
const basicForm =
  /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)(?:[T ](?<hour>\d\d)(?:(?<minute>\d\d)(?:(?<second>\d\d)(?:[.,](?<fraction>\d+))?)?)?(?<zone>Z|[+\-− ]\d\d(?::?\d\d)?)?)?$/i
const weekDate = /^\d{4}-?W\d/i
const ordinalDate = /^\d{4}-?\d{3}(?:T|$)/i

/**
 * Reads what `dateFrom` and `dateTo` may be. Not by `Date`, which reads nearly anything, and 2026-02-30 as a day in March.
 *
 * Views have whole milliseconds, so a finer moment is rounded up: as a bound that is included and as one that is not,
 * the next millisecond takes in the same views as the moment itself.
 */
export function parseMoment(text: string): Moment {
  if (text.length > mostCharacters) return { fault: `${expected}, found ${text.length} characters` }
  const found = `found ${JSON.stringify(oneLine(text, 40))}`
  const parts = (extendedForm.exec(text) ?? basicForm.exec(text))?.groups
  if (!parts) return { fault: `${hintFor(text)}${expected}, ${found}` }
  const midnight = midnightOf(parts)
  if (midnight === null) return { fault: `there is no such day; ${expected}, ${found}` }
  const time = timeOf(parts)
  if (time === null) return { fault: `there is no such time of day; ${expected}, ${found}` }
  const offset = offsetOf(parts.zone)
  if (offset === null) return { fault: `there is no such offset from UTC; ${expected}, ${found}` }
  const at = midnight + time - offset
  // A leap second has no time of its own on our clocks: it stands for the midnight that it delays.
  if (parts.second === '60' && at % dayMs !== 0) {
    return { fault: `a second 60 comes only before midnight UTC; ${expected}, ${found}` }
  }
  if (at < firstAt || at > lastAt) return { fault: `expected a moment in the years 0001 to 9999, ${found}` }
  return { at }
}

function hintFor(text: string): string {
  if (weekDate.test(text)) return 'weeks are not understood; '
  if (ordinalDate.test(text)) return 'days of the year are not understood; '
  return ''
}

type Parts = Record<string, string | undefined>

function midnightOf({ year, month, day }: Parts): number | null {
  const [wantedYear, wantedMonth, wantedDay] = [Number(year), Number(month) - 1, Number(day)]
  const date = new Date(0)
  // A day that there is not becomes another one. `Date.UTC` would take the year 26 for 1926.
  date.setUTCFullYear(wantedYear, wantedMonth, wantedDay)
  return date.getUTCMonth() === wantedMonth && date.getUTCDate() === wantedDay ? date.getTime() : null
}

function timeOf({ hour = '00', minute = '00', second = '00', fraction = '' }: Parts): number | null {
  const isLeapSecond = minute === '59' && second === '60'
  if (minute > '59' || (second > '59' && !isLeapSecond)) return null
  const whole = Number(hour) * hourMs + Number(minute) * minuteMs + Number(second) * 1000
  const time = isLeapSecond ? whole : whole + millisecondsOf(fraction)
  // 24:00 is the end of the day; there is nothing after it.
  return time <= dayMs && (hour < '24' || time === dayMs) ? time : null
}

/** Rounded up. */
function millisecondsOf(fraction: string): number {
  const whole = Number(fraction.slice(0, 3).padEnd(3, '0'))
  return /[1-9]/.test(fraction.slice(3)) ? whole + 1 : whole
}

/** None is UTC. */
function offsetOf(zone = 'Z'): number | null {
  if (zone.toUpperCase() === 'Z') return 0
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(3).replace(':', ''))]
  if (hours > 23 || minutes > 59) return null
  const offset = hours * hourMs + minutes * minuteMs
  return zone.startsWith('-') || zone.startsWith('−') ? -offset : offset
}
