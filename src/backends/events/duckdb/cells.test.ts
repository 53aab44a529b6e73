import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from '#base/log.ts'
import { dayMs, everythingOf, newView, noon, verdictOf } from '../event-fixture.contract.ts'
import type { Category } from '../view.ts'
import { mergeCells } from './cells.ts'
import { openDuckdbFile } from './connection.ts'
import { openDuckdbEvents } from './duckdb-events.ts'

const log = createLog({ level: 'silent', format: 'json', destination: { write: () => {} } })
const kinds: Category[] = ['human', 'human', 'agent', 'training', 'bot']

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-cells-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('cells that were added up are fewer and say the same, and how many there are is remembered', async () => {
  const input = { file: join(folder, 'analytics.duckdb'), memoryMb: 128, log }
  const reports = async (store: ReturnType<typeof openDuckdbEvents>) =>
    await Promise.all([
      store.visitors(everythingOf()),
      store.views({ ...everythingOf(), ai: 'direct' }),
      store.timeseries({ ...everythingOf(), interval: 'week' }),
    ])

  const store = openDuckdbEvents(input)
  for (let round = 0; round < 4; round++) {
    const views = Array.from({ length: 500 }, (_, index) =>
      newView({
        at: noon + ((index * 7 + round) % 20) * dayMs,
        path: `/${index % 9}`,
        visitor: BigInt(index % 60),
        verdict: verdictOf(kinds[(index + round) % kinds.length]!),
      }),
    )
    await store.append(views)
    await store.compact()
  }
  await store.forgetVisitors({ projectId: 'prj_1', visitors: [7n] })
  const before = await reports(store)
  await store.close()

  const duckdb = await openDuckdbFile(input)
  const connection = await duckdb.connect()
  const count = async (sql: string) => Number(Object.values((await connection.query(sql))[0]!)[0])
  const cells = await count('select count(*) from cells')
  await connection.transaction(() => mergeCells(connection))
  const merged = await count('select count(*) from cells')
  expect(merged).toBeLessThan(cells)
  expect(await count('select merged_cells from facts')).toBe(merged)
  duckdb.close()

  const again = openDuckdbEvents(input)
  expect(await reports(again)).toEqual(before)
  await again.close()
})
