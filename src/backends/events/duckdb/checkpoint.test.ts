import { randomBytes } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from '#base/log.ts'
import { allTime, everythingOf, newView, noon } from '../event-fixture.contract.ts'
import type { EventStore } from '../event-store.ts'
import { columnsOf } from '../view-columns.ts'
import { checkpointIfLarge } from './checkpoint.ts'
import { createCommitter } from './committer.ts'
import { openDuckdbFile } from './connection.ts'
import { openDuckdbEvents } from './duckdb-events.ts'
import { createPool } from './pool.ts'

const log = createLog({ level: 'silent', format: 'json', destination: { write: () => {} } })

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-checkpoint-'))
  file = join(folder, 'analytics.duckdb')
})
afterEach(() => rm(folder, { recursive: true }))

const walBytes = () => (existsSync(`${file}.wal`) ? statSync(`${file}.wal`).size : 0)

/** Long referrers that nothing can make shorter: some views are many bytes. */
async function appendBytes(store: EventStore, bytes: number): Promise<void> {
  const each = 100_000
  const views = Array.from({ length: Math.ceil(bytes / each) }, (_, index) =>
    newView({ at: noon + index, visitor: BigInt(index), referrer: randomBytes(each / 2).toString('hex') }),
  )
  await store.append(views)
}

test('a large log is written into the file after a fold, and a small one is left', async () => {
  const store = openDuckdbEvents({ file, memoryMb: 256, log })
  await appendBytes(store, 1_000_000)
  await store.compact()
  expect(walBytes()).toBeGreaterThan(1_000_000)
  await appendBytes(store, 20_000_000)
  await store.compact()
  expect(walBytes()).toBeLessThan(1_000_000)
  expect((await store.views(everythingOf())).totals.total).toBe(210)
  await store.close()
})

test('views that come meanwhile wait and are kept, and reports wait and count them', async () => {
  const store = openDuckdbEvents({ file, memoryMb: 256, log })
  await appendBytes(store, 20_000_000)
  const folded = store.compact()
  const [reports] = await Promise.all([
    Promise.all(Array.from({ length: 20 }, () => store.views(everythingOf()))),
    Promise.all(Array.from({ length: 20 }, (_, at) => store.append([newView({ at: noon + at, visitor: 9n })]))),
    folded,
  ])
  for (const { totals } of reports) expect(totals.total).toBeGreaterThanOrEqual(200)
  expect((await store.views(everythingOf())).totals.total).toBe(220)
  await store.close()
})

test('it is put off while somebody reads for long, who is not disturbed', async () => {
  const duckdb = await openDuckdbFile({ file, memoryMb: 256 })
  const readers = createPool(() => duckdb.connect(), 2)
  const committer = await createCommitter(await duckdb.connect(), { onCommit: () => {}, giveWay: async () => {} })
  const views = Array.from({ length: 200 }, (_, at) =>
    newView({ at: noon + at, path: `/${randomBytes(50_000).toString('hex')}` }),
  )
  await committer.append(columnsOf(views))
  const before = walBytes()
  expect(before).toBeGreaterThan(16 * 1024 * 1024)
  const connection = await duckdb.connect()
  const checkpoint = () =>
    checkpointIfLarge({ connection, walFile: `${file}.wal`, committer, readers }, { isAsked: false })

  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  const reading = readers.use(() => over)
  await checkpoint()
  expect(walBytes()).toBe(before)
  // Others read and write as before.
  await readers.use((reader) => reader.run('select 1'))
  await committer.append(columnsOf([newView({})]))
  end()
  await reading
  await checkpoint()
  expect(walBytes()).toBeLessThan(1_000_000)
  await committer.close()
  await readers.close()
  duckdb.close()
})

test('while somebody counts, a log may grow larger', async () => {
  const store = openDuckdbEvents({ file, memoryMb: 256, log })
  await appendBytes(store, 20_000_000)
  await store.visitors({ ...everythingOf(), range: allTime })
  await store.compact()
  expect(walBytes()).toBeGreaterThan(16 * 1024 * 1024)
  await store.close()
  // Closing writes all of it.
  await sleep(0)
  expect(walBytes()).toBe(0)
})
