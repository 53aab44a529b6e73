// Runs on PGlite alone: what is killed here is the embedded event store, which is the same beside either database.
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { encodeColumn } from '#features/analytics/imports/number-column.ts'
import { type ServerProcess, startServerProcess } from '#tests/harness/server-process.ts'
import { createTestDatabase, type TestDatabase } from '#tests/harness/test-database.ts'
import { until } from '#tests/harness/until.ts'

const rowsPerBatch = 500
const visitors = 60
const firstAt = Date.UTC(2026, 0, 1)
const fingerprint = 'ab'.repeat(32)
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'

let database: TestDatabase
let server: ServerProcess
let base: string
beforeEach(async () => {
  database = await createTestDatabase()
  server = await start()
  const project = (await (await send('/v1/projects', { name: 'Killed' })).json()) as { id: string }
  base = `/v1/analytics/${project.id}`
})
afterEach(async () => {
  await server.end('SIGKILL')
  await database.delete()
})

const start = () =>
  startServerProcess({ ...database.settings, shutdownTimeoutSeconds: 5, rateLimitPerMinute: 1_000_000 })

function send(path: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return server.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function killAndStart(): Promise<void> {
  await server.end('SIGKILL')
  server = await start()
}

/** The nth piece of a log; the lines are all of other times. */
function pieceOf(batch: number) {
  const rows = Array.from({ length: rowsPerBatch }, (_, index) => batch * rowsPerBatch + index)
  const addresses = Array.from({ length: visitors }, (_, number) => `192.0.2.${number}`)
  return {
    texts: [browser, '/a', '/b', ...addresses],
    clients: { address: indexes(addresses.map((_, number) => number + 3)), userAgent: indexes(addresses.map(() => 0)) },
    views: {
      at: encodeColumn(BigUint64Array.from(rows, (row) => BigInt(timeOf(row)))),
      client: indexes(rows.map((row) => row % visitors)),
      path: indexes(rows.map((row) => 1 + (row % 2))),
      referrer: indexes(rows.map(() => -1)),
      id: encodeColumn(BigUint64Array.from(rows, BigInt)),
    },
    log: { fingerprint, name: 'access.log', position: batch + 1, lines: batch + 1, checkpoint: 'c0ffee00c0ffee00' },
  }
}

function indexes(numbers: number[]): string {
  return encodeColumn(Int32Array.from(numbers))
}

function timeOf(row: number): number {
  return firstAt + ((row * 7) % 31) * 86_400_000 + row
}

interface Row {
  timestamp: string
  path: string
  visitor: string
}

async function exported(): Promise<Row[]> {
  const answer = await server.fetch(`${base}/export`)
  expect(answer.status, server.output()).toBe(200)
  return (await answer.text())
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Row)
}

/** The reports are those of the views that there are. */
async function expectExact(rows: Row[]): Promise<void> {
  const { totals, visitors: pages } = (await (await server.fetch(`${base}/visitors`)).json()) as {
    totals: { human: number }
    visitors: { path: string; human: number }[]
  }
  const unique = (some: Row[]) => new Set(some.map(({ visitor }) => visitor)).size
  expect(totals.human).toBe(unique(rows))
  for (const { path, human } of pages) expect(human).toBe(unique(rows.filter((row) => row.path === path)))
  const views = (await (await server.fetch(`${base}/views`)).json()) as { totals: { human: number } }
  expect(views.totals.human).toBe(rows.length)
}

test('an import that kill -9 breaks off goes on from its position, and every line counts once', async () => {
  const last = 40
  let position = 0
  for (const afterMs of [30, 200, 450, 800]) {
    const importing = (async () => {
      let next = position
      while (next < last && (await send(`${base}/imports`, pieceOf(next)).catch(() => null))?.status === 200) next++
      return next
    })()
    await sleep(afterMs)
    await server.end('SIGKILL')
    const acknowledged = await importing
    server = await start()
    const answer = await server.fetch(`${base}/imports/${fingerprint}`)
    position = answer.status === 200 ? ((await answer.json()) as { position: number }).position : 0
    expect(position).toBeGreaterThanOrEqual(acknowledged)
    const kept = new Set((await exported()).map(({ timestamp }) => Date.parse(timestamp)))
    const lost = Array.from({ length: position * rowsPerBatch }, (_, row) => row).filter(
      (row) => !kept.has(timeOf(row)),
    )
    expect(lost).toEqual([])
  }
  for (; position < last; position++) expect((await send(`${base}/imports`, pieceOf(position))).status).toBe(200)
  const rows = await exported()
  expect(rows).toHaveLength(last * rowsPerBatch)
  await expectExact(rows)
}, 240_000)

test('a visitor is forgotten whole or not at all when kill -9 comes in between', async () => {
  for (let batch = 0; batch < 6; batch++) expect((await send(`${base}/imports`, pieceOf(batch))).status).toBe(200)
  const all = await exported()
  const viewsEach = all.length / visitors
  const names = [...new Set(all.map(({ visitor }) => visitor))]
  const forgotten = new Set<string>()
  // At last just after one was forgotten, however long that takes here.
  for (const afterMs of [20, 90, null]) {
    const forgetting = (async () => {
      for (const visitor of names.filter((name) => !forgotten.has(name))) {
        const answer = await send(`${base}/forget`, { visitor }).catch(() => null)
        if (answer?.status !== 200) return
        forgotten.add(visitor)
      }
    })()
    if (afterMs === null) await until(async () => forgotten.size > 0)
    else await sleep(afterMs)
    await server.end('SIGKILL')
    await forgetting
    server = await start()
    const rows = await exported()
    for (const [visitor, views] of Map.groupBy(rows, (row) => row.visitor)) {
      expect(forgotten.has(visitor)).toBe(false)
      expect(views).toHaveLength(viewsEach)
    }
    await expectExact(rows)
  }
  expect(forgotten.size).toBeGreaterThan(0)
}, 240_000)

test('what an export was writing when kill -9 came is gone once the file is open again', async () => {
  expect((await send(`${base}/imports`, pieceOf(0))).status).toBe(200)
  const folder = join(database.settings.data, 'analytics.duckdb.exports')
  await mkdir(join(folder, 'broken-off'), { recursive: true })
  await writeFile(join(folder, 'broken-off', 'views.jsonl'), '{"path":"/a"}\n')
  await killAndStart()
  expect((await exported()).length).toBe(rowsPerBatch)
  expect(existsSync(join(folder, 'broken-off'))).toBe(false)
}, 120_000)
