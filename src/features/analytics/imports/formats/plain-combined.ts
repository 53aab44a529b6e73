import type { PlainReader } from '../log-entry.ts'
import { createTimeReader, usualLength } from '../log-time.ts'

/**
 * Reads lines of the combined format as nearly all of them are, where they stand and without making texts:
 *
 *     192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /path HTTP/1.1" 200 2326 "referrer" "user agent"
 *
 * perhaps with a `"-"` after it, where no proxy forwarded the request. What has anything unusual in it, such as a user's
 * name, an escape or a byte beyond ASCII, is left to the format's parser. Most searches need not know where the line
 * ends: they stop at control characters, and at the end of the bytes.
 */
export function createPlainCombined(): PlainReader {
  const timeAt = createTimeReader()
  const nothing = { from: 0, to: 0 }
  const found = {
    at: 0,
    status: 0,
    address: { ...nothing },
    path: { ...nothing },
    referrer: { ...nothing },
    userAgent: { ...nothing },
  }
  let statusEnd = 0

  return {
    found,

    readRequest({ bytes, words, from, to }) {
      const addressEnd = wordEnd(bytes, from)
      const timeStart = addressEnd + ' - - ['.length
      const timeEnd = timeStart + usualLength
      const targetStart = timeEnd + '] "GET '.length
      if (targetStart > to || !isBeforeTime(words, addressEnd) || !isBeforeTarget(words, timeEnd)) return false
      const targetEnd = wordEnd(bytes, targetStart)
      const versionStart = targetEnd + ' HTTP/'.length
      if (targetEnd === targetStart || versionStart > to || !isBeforeVersion(words, targetEnd)) return false
      const requestEnd = versionEnd(bytes, versionStart)
      const status = statusAfter(bytes, requestEnd)
      const at = status === 0 ? null : timeAt(words, timeStart)
      if (at === null) return false
      statusEnd = requestEnd + '" 200'.length
      found.at = at
      found.status = status
      place(found.address, from, presentEnd(bytes, from, addressEnd))
      place(found.path, targetStart, queryStart(bytes, targetStart, targetEnd))
      return true
    },

    readClient({ bytes, to }) {
      const sizeStart = statusEnd + 1
      const sizeEnd = wordEnd(bytes, sizeStart)
      if (sizeEnd === sizeStart || bytes[sizeEnd] !== 0x20 || bytes[sizeEnd + 1] !== 0x22) return false
      const referrerStart = sizeEnd + 2
      const referrerEnd = quotedEnd(bytes, referrerStart)
      if (!isBetweenQuoted(bytes, referrerEnd)) return false
      const agentStart = referrerEnd + '" "'.length
      const agentEnd = quotedEnd(bytes, agentStart)
      const isLast = bytes[agentEnd] === 0x22 && agentEnd + 1 === to
      if (!isLast && !isNotForwarded(bytes, agentEnd, to)) return false
      place(found.referrer, referrerStart, presentEnd(bytes, referrerStart, referrerEnd))
      place(found.userAgent, agentStart, presentEnd(bytes, agentStart, agentEnd))
      return true
    },
  }
}

function place(span: { from: number; to: number }, from: number, to: number): void {
  span.from = from
  span.to = to
}

/** Where a text ends that has no space in it, nor anything that may mean something else than itself. */
function wordEnd(bytes: Buffer, from: number): number {
  let at = from
  for (let byte = bytes[at]!; byte > 0x20 && byte < 0x7f; byte = bytes[++at]!) {
    // A quote, a bracket or a backslash.
    if (byte === 0x22 || byte === 0x5b || byte === 0x5c) break
  }
  return at
}

/** Where a quoted text ends, or has something unusual. */
function quotedEnd(bytes: Buffer, from: number): number {
  let at = from
  for (let byte = bytes[at]!; byte >= 0x20 && byte < 0x7f; byte = bytes[++at]!) {
    if (byte === 0x22 || byte === 0x5c) break
  }
  return at
}

/** Where digits and dots end. */
function versionEnd(bytes: Buffer, from: number): number {
  let at = from
  while (isDigit(bytes[at]!) || bytes[at] === 0x2e) at++
  return at
}

function queryStart(bytes: Buffer, from: number, to: number): number {
  for (let at = from; at < to; at++) if (bytes[at] === 0x3f) return at
  return to
}

/** Logs write `-` for what is not there. */
function presentEnd(bytes: Buffer, from: number, to: number): number {
  return to === from + 1 && bytes[from] === 0x2d ? from : to
}

/** The status between spaces after the quote that ends a request; else 0. */
function statusAfter(bytes: Buffer, at: number): number {
  if (bytes[at] !== 0x22 || bytes[at + 1] !== 0x20 || bytes[at + 5] !== 0x20) return 0
  const first = bytes[at + 2]!
  const second = bytes[at + 3]!
  const third = bytes[at + 4]!
  if (first === 0x30 || !isDigit(first) || !isDigit(second) || !isDigit(third)) return 0
  return (first - 0x30) * 100 + (second - 0x30) * 10 + third - 0x30
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}

// Texts of six and seven characters as two words of four that overlap.
const [time, bracket, target, get, http, version] = [' - -', '- - [', '] "G', 'GET ', ' HTT', 'TTP/'].map((text) =>
  Buffer.from(text).readInt32LE(text.length - 4),
)

function isBeforeTime(words: DataView, at: number): boolean {
  return words.getInt32(at, true) === time && words.getInt32(at + 2, true) === bracket
}

function isBeforeTarget(words: DataView, at: number): boolean {
  return words.getInt32(at, true) === target && words.getInt32(at + 3, true) === get
}

function isBeforeVersion(words: DataView, at: number): boolean {
  return words.getInt32(at, true) === http && words.getInt32(at + 2, true) === version
}

/** Whether `" "` is here. */
function isBetweenQuoted(bytes: Buffer, at: number): boolean {
  return bytes[at] === 0x22 && bytes[at + 1] === 0x20 && bytes[at + 2] === 0x22
}

/** Whether the line ends with `" "-"` from here on. */
function isNotForwarded(bytes: Buffer, at: number, to: number): boolean {
  return at + 5 === to && isBetweenQuoted(bytes, at) && bytes[at + 3] === 0x2d && bytes[at + 4] === 0x22
}
