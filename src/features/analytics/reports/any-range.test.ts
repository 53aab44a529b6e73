// Runs on PGlite alone: views are in the event store, whichever database there is.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EventStore, intervals } from '#backends/events/event-store.ts'
import type { Category, View } from '#backends/events/view.ts'
import { createMemoryEventStore } from '#tests/harness/memory-event-store.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'

/** What is posted is also told to a store that counts by looking at each view; both must say the same at any range. */
const dayMs = 86_400_000
const start = Date.parse('2026-02-26T00:00:00Z')
const days = 8

let it: TestApp
let projectId: string
const oracle: EventStore = createMemoryEventStore()
beforeAll(async () => {
  it = await createTestApp()
  const source = { provider: 'github', repository: 'acme/docs' }
  projectId = (await it.call('POST', '/v1/projects', { body: { name: 'Docs', source } })).body.id
})
afterAll(() => it.close())

/** Often midnight, or beside it. */
const moments = fc
  .record({
    day: fc.integer({ min: 0, max: days }),
    within: fc.oneof(fc.constantFrom(0, 0, 1, dayMs - 1, 3_600_000), fc.nat({ max: dayMs - 1 })),
  })
  .map(({ day, within }) => start + day * dayMs + within)
const categories: Category[] = ['human', 'human', 'assistant', 'agent', 'training', 'bot', 'unknown']
const events = fc.record({
  at: moments,
  path: fc.constantFrom('/', '/a', '/a/b', '/é', '/😀', '/\u{ff41}', '/Z'),
  visitor: fc.integer({ min: 1, max: 12 }),
  category: fc.constantFrom(...categories),
  id: fc.option(fc.integer({ min: 1, max: 40 })),
})
type Event = typeof events extends fc.Arbitrary<infer Value> ? Value : never

async function post(batch: Event[]): Promise<void> {
  const sent = batch.map(({ at, path, visitor, category, id }) => {
    const event = { timestamp: new Date(at).toISOString(), path, visitorId: `visitor ${visitor}`, category }
    return id === null ? event : { ...event, id: `id ${id}` }
  })
  const { status, text } = await it.call('POST', `/v1/analytics/${projectId}/events`, { body: { events: sent } })
  expect(status, text).toBe(202)
  await oracle.append(
    batch.map(({ at, path, visitor, category, id }): View => {
      const reason = 'stated by the caller'
      const verdict = { category, client: null, reason, verification: 'none', listVersion: '' } as const
      const eventId = id === null ? null : BigInt(id)
      return { projectId, at, path, visitor: BigInt(visitor), eventId, verdict, referrer: null, source: 'events' }
    }),
  )
}

const queries = fc
  .record({
    from: fc.option(moments, { freq: 4 }),
    to: fc.option(moments, { freq: 4 }),
    limit: fc.integer({ min: 1, max: 5 }),
    offset: fc.integer({ min: 0, max: 8 }),
    interval: fc.constantFrom(...intervals),
  })
  .filter(({ from, to }) => from === null || to === null || from < to)
type Query = typeof queries extends fc.Arbitrary<infer Value> ? Value : never

async function check({ from, to, limit, offset, interval }: Query): Promise<void> {
  const wanted = { projectId, range: { from, to }, ai: 'all', limit, offset } as const
  const dates = new URLSearchParams()
  if (from !== null) dates.set('dateFrom', from % dayMs === 0 ? isoDate(from) : new Date(from).toISOString())
  if (to !== null) dates.set('dateTo', to % dayMs === 0 ? isoDate(to) : new Date(to).toISOString())
  const get = async (report: string, more = '') =>
    (await it.call('GET', `/v1/analytics/${projectId}/${report}?${dates}${more}`)).body
  for (const report of ['visitors', 'views', 'agents'] as const) {
    const { rows, ...rest } = await oracle[report](wanted)
    const told = rows.map((row) => ('lastSeenAt' in row ? { ...row, lastSeenAt: isoTime(row.lastSeenAt) } : row))
    expect(await get(report, `&limit=${limit}&offset=${offset}`)).toEqual({ ...rest, [report]: told })
  }
  const { timeseries } = await get('timeseries', `&interval=${interval}`)
  const some = timeseries.filter(({ views }: { views: { total: number } }) => views.total > 0)
  const counted = await oracle.timeseries({ ...wanted, interval })
  expect(some).toEqual(counted.map((counts) => ({ ...counts, start: isoTime(counts.start) })))
}

const isoTime = (at: number) => new Date(at).toISOString()
const isoDate = (at: number) => isoTime(at).slice(0, 10)

test('whatever is posted in whatever order, each report equals brute force at any range', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(events, { minLength: 1, maxLength: 40 }),
      fc.array(queries, { minLength: 3, maxLength: 3 }),
      fc.boolean(),
      async (batch, asked, isCompacted) => {
        await post(batch)
        if (isCompacted) await it.services.events.compact()
        for (const query of asked) await check(query)
      },
    ),
    { numRuns: 12, endOnFailure: true },
  )
  await it.services.events.compact()
  for (const query of fc.sample(queries, 10)) await check(query)
})
