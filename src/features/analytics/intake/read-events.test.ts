import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { categories } from '#backends/events/view.ts'
import { DocentError, type ErrorDetail } from '#base/errors.ts'
import { EventBatch } from './event-schema.ts'
import { readEvents } from './read-events.ts'

const now = Date.parse('2026-11-15T08:30:00Z')

function faultsOf(body: unknown): ErrorDetail[] {
  try {
    readEvents(body, now)
    return []
  } catch (error) {
    if (!(error instanceof DocentError) || error.kind !== 'invalid') throw error
    return error.details!
  }
}

test('an event becomes a hit', () => {
  const event = {
    timestamp: '2026-11-15T08:00:00+01:00',
    path: '/guide',
    visitorId: 'u1',
    ip: '203.0.113.9',
    userAgent: 'curl/8',
    referrer: 'https://example.com/',
    accept: 'text/html',
    category: 'bot',
    id: 'e1',
    somethingElse: 1,
  }
  expect(readEvents({ events: [event, { path: '/', ip: '::1', userAgent: '', accept: null }] }, now)).toEqual([
    {
      source: 'events',
      at: Date.parse('2026-11-15T07:00:00Z'),
      path: '/guide',
      visitorId: 'u1',
      address: '203.0.113.9',
      userAgent: 'curl/8',
      referrer: 'https://example.com/',
      accept: 'text/html',
      category: 'bot',
      id: 'e1',
    },
    {
      source: 'events',
      at: now,
      path: '/',
      visitorId: null,
      address: '::1',
      userAgent: null,
      referrer: null,
      accept: null,
      category: null,
      id: null,
    },
  ])
  expect(readEvents({ events: [{ path: '/', ip: '::1' }] }, now)[0]).not.toHaveProperty('accept')
})

describe('a fault is named with its place', () => {
  const good = { path: '/', ip: '203.0.113.9' }
  test.each<[unknown, string]>([
    [null, ''],
    [[], ''],
    ['text', ''],
    [{}, 'events'],
    [{ events: {} }, 'events'],
    [{ events: [] }, 'events'],
    [{ events: Array(5001).fill(good) }, 'events'],
    [{ events: [good, null] }, 'events.1'],
    [{ events: [good, [good]] }, 'events.1'],
    [{ events: [good, good, good, { ...good, timestamp: 'yesterday' }] }, 'events.3.timestamp'],
    [{ events: [{ ...good, timestamp: 1_700_000_000_000 }] }, 'events.0.timestamp'],
    [{ events: [{ ...good, timestamp: '2026-02-30T00:00:00Z' }] }, 'events.0.timestamp'],
    [{ events: [{ ...good, timestamp: '1999-12-31T23:59:59Z' }] }, 'events.0.timestamp'],
    [{ events: [{ ...good, timestamp: '2026-11-16T08:30:00.001Z' }] }, 'events.0.timestamp'],
    [{ events: [{ ip: '203.0.113.9' }] }, 'events.0.path'],
    [{ events: [{ ...good, path: '' }] }, 'events.0.path'],
    [{ events: [{ ...good, path: 'a'.repeat(8193) }] }, 'events.0.path'],
    [{ events: [{ path: '/' }] }, 'events.0.ip'],
    [{ events: [{ ...good, ip: '203.0.113.256' }] }, 'events.0.ip'],
    [{ events: [{ ...good, ip: 'localhost' }] }, 'events.0.ip'],
    [{ events: [{ ...good, visitorId: '' }] }, 'events.0.visitorId'],
    [{ events: [{ ...good, visitorId: 7 }] }, 'events.0.visitorId'],
    [{ events: [{ ...good, userAgent: 'a'.repeat(8193) }] }, 'events.0.userAgent'],
    [{ events: [{ ...good, referrer: {} }] }, 'events.0.referrer'],
    [{ events: [{ ...good, accept: 1 }] }, 'events.0.accept'],
    [{ events: [{ ...good, category: 'robot' }] }, 'events.0.category'],
    [{ events: [{ ...good, category: '__proto__' }] }, 'events.0.category'],
    [{ events: [{ ...good, id: 'a'.repeat(257) }] }, 'events.0.id'],
  ])('%#: %.0s%s', (body, place) => {
    expect(faultsOf(body).map(({ path }) => path)).toEqual([place])
  })

  test('with every field of every event, up to fifty', () => {
    expect(faultsOf({ events: [{ path: 1, id: '' }] }).map(({ path }) => path)).toEqual([
      'events.0.path',
      'events.0.ip',
      'events.0.id',
    ])
    expect(faultsOf({ events: Array(1000).fill({}) })).toHaveLength(50)
  })

  test('a time at the very edge is taken', () => {
    const events = ['2000-01-01T00:00:00Z', '2026-11-16T08:30:00Z'].map((timestamp) => ({ ...good, timestamp }))
    expect(readEvents({ events }, now)).toHaveLength(2)
  })
})

test('the check and the documented schema agree, whatever is sent', () => {
  const odd = fc.constantFrom<unknown>(undefined, null, '', 0, 1, true, [], {}, 'x', 'a'.repeat(257), 'a'.repeat(8193))
  const field = <T>(good: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 6, arbitrary: good as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: odd })
  const instant = fc.date({ noInvalidDate: true, min: new Date('2000-01-02'), max: new Date(now) })
  const event = fc.record(
    {
      timestamp: field(instant.map((date) => date.toISOString())),
      path: field(fc.webPath().map((path) => path || '/')),
      visitorId: field(fc.uuid()),
      ip: field(fc.oneof(fc.ipV4(), fc.ipV6())),
      userAgent: field(fc.string()),
      referrer: field(fc.webUrl()),
      accept: field(fc.string()),
      category: field(fc.constantFrom(...categories)),
      id: field(fc.uuid()),
    },
    { requiredKeys: [] },
  )
  const body = fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        events: fc.array(
          fc.oneof({ weight: 9, arbitrary: event as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: odd }),
          { maxLength: 4 },
        ),
      }) as fc.Arbitrary<unknown>,
    },
    { weight: 1, arbitrary: odd },
    { weight: 1, arbitrary: fc.record({ events: odd }) as fc.Arbitrary<unknown> },
  )
  const seen = { good: 0, bad: 0 }
  fc.assert(
    fc.property(body, (sent) => {
      const documented = EventBatch.safeParse(sent)
      const expected = documented.success ? [] : documented.error.issues.map(({ path }) => path.join('.'))
      seen[documented.success ? 'good' : 'bad']++
      expect([...new Set(faultsOf(sent).map(({ path }) => path))].sort()).toEqual([...new Set(expected)].sort())
    }),
    { numRuns: 1000 },
  )
  expect(Math.min(seen.good, seen.bad)).toBeGreaterThan(50)
})
