// Runs on PGlite alone: what is killed here is the embedded event store, which is the same beside either database.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { allTime, dayMs, everythingOf, newView, verdictOf } from '#backends/events/event-fixture.contract.ts'
import type { Category, View } from '#backends/events/view.ts'
import { createMemoryEventStore } from '#tests/harness/memory-event-store.ts'
import { type ServerProcess, startServerProcess } from '#tests/harness/server-process.ts'
import { createTestDatabase, type TestDatabase } from '#tests/harness/test-database.ts'
import { until } from '#tests/harness/until.ts'

/** What readers do here is the same in every run. */
const firstAt = Date.UTC(2026, 0, 1)
const kinds: Category[] = ['human', 'human', 'human', 'agent', 'training', 'bot']
const eventsPerBatch = 200

let database: TestDatabase
let server: ServerProcess
let project: string
beforeEach(async () => {
  database = await createTestDatabase()
  server = await start()
  project = ((await (await post('/v1/projects', { name: 'Killed' })).json()) as { id: string }).id
})
afterEach(async () => {
  await server.end('SIGKILL')
  await database.delete()
})

const start = () =>
  startServerProcess({ ...database.settings, shutdownTimeoutSeconds: 5, rateLimitPerMinute: 1_000_000 })

function post(path: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return server.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
}

/** The nth view ever. Each is at a time of its own, which tells it from the others in an export. */
function viewNumber(n: number): View {
  return newView({
    projectId: project,
    // Not in order: some days lie between those that came before.
    at: firstAt + ((n * 7) % 31) * dayMs + n,
    path: `/page-${(n * 13) % 40}`,
    visitor: BigInt((n * n) % 997),
    verdict: verdictOf(kinds[n % kinds.length]!),
  })
}

/** Batches that are sent until they are acknowledged. */
function createIngest() {
  const acknowledged = new Set<number>()
  const unsure = new Set<number>()
  let made = 0

  async function send(batch: number): Promise<boolean> {
    unsure.add(batch)
    const events = numbersOf(batch).map((n) => {
      const { at, path, visitor, verdict } = viewNumber(n)
      const timestamp = new Date(at).toISOString()
      return { id: `view-${n}`, timestamp, path, visitorId: `reader-${visitor}`, category: verdict.category }
    })
    const answer = await post(`/v1/analytics/${project}/events`, { events }).catch(() => null)
    if (answer?.status === 202) {
      acknowledged.add(batch)
      unsure.delete(batch)
    }
    return answer?.status === 202
  }
  return {
    acknowledged: () => [...acknowledged].flatMap(numbersOf),
    sent: () => [...acknowledged, ...unsure].flatMap(numbersOf),
    unsure: () => unsure.size,
    /** Several clients at once, each until the server is gone. */
    async sendUntilGone(): Promise<void> {
      const client = async () => {
        while (await send(made++));
      }
      await Promise.all(Array.from({ length: 4 }, client))
    },
    /** What was not acknowledged once more, and some of what was. */
    async sendAgain(): Promise<void> {
      const again = [...unsure, ...[...acknowledged].filter((batch) => batch % 5 === 0)]
      for (const batch of again) expect(await send(batch)).toBe(true)
    },
  }
}

function numbersOf(batch: number): number[] {
  return Array.from({ length: eventsPerBatch }, (_, index) => batch * eventsPerBatch + index)
}

/** The times of all views that the server has, which tell them apart. */
async function keptTimes(): Promise<number[]> {
  const answer = await server.fetch(`/v1/analytics/${project}/export?format=jsonl`)
  expect(answer.status, server.output()).toBe(200)
  const lines = (await answer.text()).split('\n').slice(0, -1)
  return lines.map((line) => Date.parse((JSON.parse(line) as { timestamp: string }).timestamp))
}

/** Nothing acknowledged is missing, nothing is there that was not sent, and nothing twice. */
async function expectNothingLost(ingest: ReturnType<typeof createIngest>): Promise<void> {
  const times = await keptTimes()
  const kept = new Set(times)
  expect(kept.size).toBe(times.length)
  expect(ingest.acknowledged().filter((n) => !kept.has(viewNumber(n).at))).toEqual([])
  const sent = new Set(ingest.sent().map((n) => viewNumber(n).at))
  expect([...kept].filter((at) => !sent.has(at))).toEqual([])
}

/** The reports are those of brute force over all that was sent. */
async function expectExact(ingest: ReturnType<typeof createIngest>): Promise<void> {
  expect(ingest.unsure()).toBe(0)
  const oracle = createMemoryEventStore()
  await oracle.append(ingest.acknowledged().map(viewNumber))
  const ranges = [
    allTime,
    { from: firstAt + 3 * dayMs, to: firstAt + 9 * dayMs },
    { from: firstAt + 5 * dayMs + 1234, to: firstAt + 20 * dayMs + 4321 },
  ]
  for (const range of ranges) {
    const query = { ...everythingOf(project), range }
    const bounds = new URLSearchParams({ limit: '250' })
    if (range.from !== null) bounds.set('dateFrom', new Date(range.from).toISOString())
    if (range.to !== null) bounds.set('dateTo', new Date(range.to).toISOString())
    const visitors = await oracle.visitors(query)
    const answer = await server.fetch(`/v1/analytics/${project}/visitors?${bounds}`)
    expect(await answer.json()).toEqual({ totals: visitors.totals, visitors: visitors.rows, hasMore: false })
    const views = await oracle.views(query)
    const { totals } = (await (await server.fetch(`/v1/analytics/${project}/views?${bounds}`)).json()) as never
    expect(totals).toEqual(views.totals)
  }
}

describe('events that were acknowledged', () => {
  test('outlive kill -9 at any moment of ingest, and retries of the rest count once', async () => {
    const ingest = createIngest()
    // Commits come every few milliseconds.
    for (const afterMs of [15, 330, 1300]) {
      const sending = ingest.sendUntilGone()
      await sleep(afterMs)
      await server.end('SIGKILL')
      await sending
      server = await start()
      await expectNothingLost(ingest)
      await ingest.sendAgain()
    }
    expect(ingest.acknowledged().length).toBeGreaterThan(5 * eventsPerBatch)
    await expectExact(ingest)
  }, 240_000)

  test('outlive kill -9 while a start folds them', async () => {
    const ingest = createIngest()
    const sending = ingest.sendUntilGone()
    await sleep(1000)
    await server.end('SIGKILL')
    await sending
    for (const afterMs of [500, 550]) {
      server = await start()
      // The first call opens the store, which half a second later folds what the last one left.
      expect((await server.fetch('/readyz')).status).toBe(200)
      await sleep(afterMs)
      await server.end('SIGKILL')
    }
    server = await start()
    await expectNothingLost(ingest)
    await ingest.sendAgain()
    await expectExact(ingest)
  }, 240_000)

  test('outlive SIGTERM during ingest, which ends well', async () => {
    const ingest = createIngest()
    const sending = ingest.sendUntilGone()
    await sleep(500)
    expect(await server.end('SIGTERM'), server.output()).toBe(0)
    await sending
    server = await start()
    await expectNothingLost(ingest)
    await ingest.sendAgain()
    await expectExact(ingest)
  }, 120_000)
})

describe('an analytics file that cannot be read', () => {
  const send = () => post(`/v1/analytics/${project}/events`, { events: [{ path: '/a', visitorId: 'a' }] })

  test('is left as it is; the log says what to do, everything else works, and so do they once it is put right', async () => {
    expect((await send()).status).toBe(202)
    await server.end('SIGTERM')
    const file = join(database.settings.data, 'analytics.duckdb')
    const good = await readFile(file)
    const bad = Buffer.from('This is no database. '.repeat(1000))
    await writeFile(file, bad)

    server = await start()
    for (const answer of [await send(), await server.fetch(`/v1/analytics/${project}/visitors`)]) {
      expect(answer.status).toBe(503)
      expect(await answer.json()).toMatchObject({ code: 'analytics.unreadable' })
    }
    // What to do is for who runs the server; to others the name of a file tells nothing.
    expect(server.output()).toMatch(/analytics\.duckdb cannot be opened: .* Put back a good copy, or move it away/)
    expect((await server.fetch(`/v1/projects/${project}`)).status).toBe(200)
    expect((await server.fetch('/readyz')).status).toBe(503)
    expect((await server.fetch('/healthz')).status).toBe(200)
    expect((await readFile(file)).equals(bad)).toBe(true)

    await rename(file, `${file}.bad`)
    await writeFile(file, good)
    const counted = await until(async () => {
      const answer = await server.fetch(`/v1/analytics/${project}/visitors`)
      return answer.status === 200 && ((await answer.json()) as { totals: object })
    })
    expect(counted.totals).toEqual({ human: 1, ai: 0, total: 1 })
    expect((await server.fetch('/readyz')).status).toBe(200)
  }, 120_000)
})
