const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const clf = /^(\d{1,2})\/([A-Za-z]{3})\/(\d{4}):(\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?(?: ([+-])(\d\d):?(\d\d)| ?Z)?$/
const iso = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?: ?(?:([+-])(\d\d):?(\d\d)?|Z))?$/i

/**
 * A time as logs write it, in milliseconds since 1970; null when it is none, or none that a log of the web can have. Takes `10/Oct/2000:13:55:36 -0700`, ISO 8601
 * (without a zone it is UTC), and seconds, milliseconds, microseconds or nanoseconds since 1970, told by their size.
 */
export function parseLogTime(value: string | number): number | null {
  if (typeof value === 'number') return fromNumber(value)
  const first = clf.exec(value)
  if (first) {
    const [, day, month, year, hour, minute, second, fraction, sign, zoneHours, zoneMinutes] = first
    const at = months.indexOf(month!.toLowerCase())
    return instantOf([year, at + 1, day, hour, minute, second], fraction, zoneOf(sign, zoneHours, zoneMinutes))
  }
  const second = iso.exec(value)
  if (second) {
    const [, year, month, day, hour, minute, seconds = '0', fraction, sign, zoneHours, zoneMinutes] = second
    return instantOf([year, month, day, hour, minute, seconds], fraction, zoneOf(sign, zoneHours, zoneMinutes))
  }
  return /^\d{9,19}(\.\d{1,9})?$/.test(value) ? fromNumber(Number(value)) : null
}

/**
 * The same for what stands in a line from one place to another, in logs that have a time on every line in the form
 * `10/Oct/2000:13:55:36 -0700`: day and zone are those of the line before nearly always, and only the time of day is read
 * anew. Each parser has its own.
 */
export function createTimeParser(): (line: string, from: number, to: number) => number | null {
  let day = ''
  let zone = ''
  let midnight = 0
  return (line, from, to) => {
    if (to - from !== usualLength) return parseLogTime(line.slice(from, to))
    if (day === '' || !line.startsWith(day, from) || !line.startsWith(zone, from + 20)) {
      const start = parseLogTime(`${line.slice(from, from + 12)}00:00:00${line.slice(from + 20, to)}`)
      // Not of the usual form, though as long.
      if (start === null) return parseLogTime(line.slice(from, to))
      midnight = start
      day = line.slice(from, from + 12)
      zone = line.slice(from + 20, to)
    }
    const hour = twoDigits(line, from + 12)
    const minute = twoDigits(line, from + 15)
    const second = twoDigits(line, from + 18)
    const isTime = hour < 24 && minute < 60 && second <= 60
    const isSpelt = line.charCodeAt(from + 14) === colon && line.charCodeAt(from + 17) === colon
    return isTime && isSpelt ? midnight + ((hour * 60 + minute) * 60 + second) * 1000 : null
  }
}

/** How long a time is in the form `10/Oct/2000:13:55:36 -0700`. */
export const usualLength = '10/Oct/2000:13:55:36 -0700'.length
const colon = 0x3a

/** The same for times of the usual length that stand in bytes; null also for what only looks like one. */
export function createTimeReader(): (words: DataView, from: number) => number | null {
  // A time of the last day and zone.
  const known = new DataView(new ArrayBuffer(usualLength))
  let midnight: number | null = null
  return (words, from) => {
    if (midnight === null || !isSameDay(known, words, from)) {
      const text = Buffer.from(words.buffer, words.byteOffset + from, usualLength).toString('latin1')
      midnight = parseLogTime(`${text.slice(0, 12)}00:00:00${text.slice(20)}`)
      if (midnight === null) return null
      for (let at = 0; at < usualLength; at++) known.setUint8(at, words.getUint8(from + at))
    }
    const hour = twoDigitsOf(words.getUint8(from + 12), words.getUint8(from + 13))
    const minute = twoDigitsOf(words.getUint8(from + 15), words.getUint8(from + 16))
    const second = twoDigitsOf(words.getUint8(from + 18), words.getUint8(from + 19))
    const isTime = hour < 24 && minute < 60 && second <= 60
    const isSpelt = words.getUint8(from + 14) === colon && words.getUint8(from + 17) === colon
    return isTime && isSpelt ? midnight + ((hour * 60 + minute) * 60 + second) * 1000 : null
  }
}

/** Whether all but the time of day is the same: the first 12 bytes and those from the 20th on. */
function isSameDay(known: DataView, words: DataView, from: number): boolean {
  return (
    known.getInt32(8) === words.getInt32(from + 8) &&
    known.getInt32(0) === words.getInt32(from) &&
    known.getInt32(4) === words.getInt32(from + 4) &&
    known.getInt32(20) === words.getInt32(from + 20) &&
    known.getInt16(24) === words.getInt16(from + 24)
  )
}

/** Beyond every hour and minute when these are no digits. */
function twoDigits(text: string, at: number): number {
  return twoDigitsOf(text.charCodeAt(at), text.charCodeAt(at + 1))
}

function twoDigitsOf(first: number, second: number): number {
  const tens = first - 0x30
  const ones = second - 0x30
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : 100
}

// Between these lies every time that a log of the web can have: 1990 to 2100. In seconds.
const earliest = 631_152_000
const latest = 4_102_444_800

function fromNumber(value: number): number | null {
  for (const perSecond of [1, 1e3, 1e6, 1e9]) {
    const seconds = value / perSecond
    if (seconds >= earliest && seconds < latest) return Math.floor(seconds * 1000)
  }
  return null
}

function zoneOf(sign: string | undefined, hours = '0', minutes = '0'): number {
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

/** Null for what the calendar does not have, such as 30 February, which `Date.UTC` would take for 2 March. */
function instantOf(
  parts: (string | number | undefined)[],
  fraction: string | undefined,
  zoneMs: number,
): number | null {
  const [year, month, day, hour, minute, second] = parts.map(Number) as [number, number, number, number, number, number]
  // 60 is a leap second.
  if (hour > 23 || minute > 59 || second > 60) return null
  const date = new Date(Date.UTC(year, month - 1, day))
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null
  const ms = fraction === undefined ? 0 : Math.floor(Number(`0.${fraction}`) * 1000)
  const at = date.getTime() + ((hour * 60 + minute) * 60 + second) * 1000 + ms - zoneMs
  return at >= earliest * 1000 && at < latest * 1000 ? at : null
}
