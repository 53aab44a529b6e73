import { isIP } from 'node:net'
import { type Category, categories } from '#backends/events/view.ts'
import { DocentError, type ErrorDetail } from '#base/errors.ts'
import { eventLimits } from './event-schema.ts'
import type { Hit } from './hit.ts'
import { parseTimestamp } from './timestamp.ts'

// A batch can be wrong in thousands of places; the first few tell as much.
const mostFaults = 50
const knownCategories = new Set<unknown>(categories)
const { text: mostText, id: mostId, earliest, aheadMs } = eventLimits

/**
 * The hits of a batch of events, or `invalid` with each fault. By hand: zod takes longer for an event than everything
 * after it together. What is documented, and held against this by a test, is `EventBatch`.
 */
export function readEvents(body: unknown, now: number): Hit[] {
  const faults: ErrorDetail[] = []
  const events = readList(body, faults)
  const hits: Hit[] = []
  for (let place = 0; place < events.length && faults.length < mostFaults; place++) {
    const hit = readEvent(events[place], now, (field, message) => {
      faults.push({ path: field === '' ? `events.${place}` : `events.${place}.${field}`, message })
    })
    if (hit) hits.push(hit)
  }
  if (faults.length === 0) return hits
  const details = faults.slice(0, mostFaults)
  const sentence = details.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ')
  throw new DocentError('invalid', 'request.invalid', `${sentence}.`, { details })
}

function readList(body: unknown, faults: ErrorDetail[]): unknown[] {
  const events = isObject(body) ? body.events : undefined
  if (!isObject(body)) faults.push({ path: '', message: 'expected an object with events' })
  else if (!Array.isArray(events)) faults.push({ path: 'events', message: 'expected a list of events' })
  else if (events.length >= 1 && events.length <= eventLimits.events) return events
  else faults.push({ path: 'events', message: `expected 1 to ${eventLimits.events} events, found ${events.length}` })
  return []
}

type Fault = (field: string, message: string) => void

function readEvent(event: unknown, now: number, fault: Fault): Hit | null {
  if (!isObject(event)) {
    fault('', 'expected an object')
    return null
  }
  const { timestamp, path, visitorId, ip, userAgent, referrer, accept, category, id } = event
  let isGood = true
  const wrong: Fault = (field, message) => {
    isGood = false
    fault(field, message)
  }
  const at = timestamp == null ? now : readTimestamp(timestamp, now, wrong)
  if (!isText(path, 1, mostText)) wrong('path', `expected a text of 1 to ${mostText} characters`)
  if (visitorId != null && !isText(visitorId, 1, mostId)) wrong('visitorId', `expected 1 to ${mostId} characters`)
  if (ip != null && (typeof ip !== 'string' || isIP(ip) === 0 || ip.length > 64)) wrong('ip', 'expected an IP address')
  if (visitorId == null && ip == null) wrong('ip', 'expected the visitor’s address, or a visitorId')
  if (userAgent != null && !isText(userAgent, 0, mostText)) wrong('userAgent', tooLong)
  if (referrer != null && !isText(referrer, 0, mostText)) wrong('referrer', tooLong)
  if (accept != null && !isText(accept, 0, mostText)) wrong('accept', tooLong)
  if (category != null && !knownCategories.has(category)) wrong('category', `expected one of ${categories.join(', ')}`)
  if (id != null && !isText(id, 1, mostId)) wrong('id', `expected 1 to ${mostId} characters`)
  if (!isGood) return null
  const hit: Hit = {
    source: 'events',
    at: at!,
    path: path as string,
    visitorId: (visitorId as string | null | undefined) ?? null,
    address: (ip as string | null | undefined) ?? null,
    userAgent: (userAgent as string | null | undefined) || null,
    referrer: (referrer as string | null | undefined) ?? null,
    category: (category as Category | null | undefined) ?? null,
    id: (id as string | null | undefined) ?? null,
  }
  // Left out, it is no evidence; null is.
  if (accept !== undefined) hit.accept = accept as string | null
  return hit
}

const tooLong = `expected a text of at most ${mostText} characters`

function readTimestamp(raw: unknown, now: number, wrong: Fault): number | null {
  const at = typeof raw === 'string' ? parseTimestamp(raw) : null
  if (at === null) wrong('timestamp', 'expected an ISO 8601 date-time with an offset, such as 2026-11-15T08:30:00Z')
  else if (at < earliest) wrong('timestamp', 'expected a time after the year 2000')
  else if (at > now + aheadMs) wrong('timestamp', 'expected a time at most a day ahead')
  return at
}

function isText(value: unknown, min: number, max: number): boolean {
  return typeof value === 'string' && value.length >= min && value.length <= max
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
