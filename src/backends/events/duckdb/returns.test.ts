import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from '#base/log.ts'
import { dayMs, everythingOf, newView, noon, verdictOf } from '../event-fixture.contract.ts'
import type { Category } from '../view.ts'
import { openDuckdbFile } from './connection.ts'
import { openDuckdbEvents } from './duckdb-events.ts'
import { upgradeToReturns } from './upgrade-to-returns.ts'

const log = createLog({ level: 'silent', format: 'json', destination: { write: () => {} } })

let folder: string
let input: Parameters<typeof openDuckdbEvents>[0]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-returns-'))
  input = { file: join(folder, 'analytics.duckdb'), memoryMb: 128, log }
})
afterEach(() => rm(folder, { recursive: true }))

/** Views of visitors who come back, some of them as another class of reader, in no order of time. */
async function fill(store: ReturnType<typeof openDuckdbEvents>) {
  const kinds: Category[] = ['human', 'agent', 'training']
  for (let round = 0; round < 5; round++) {
    const views = Array.from({ length: 300 }, (_, index) =>
      newView({
        projectId: index % 10 === 0 ? 'prj_2' : 'prj_1',
        at: noon + ((index * 11 + round * 7) % 20) * dayMs,
        path: `/${(index * 3 + round) % 5}`,
        visitor: BigInt(index % 40),
        verdict: verdictOf(index % 40 < 8 ? kinds[(index + round) % kinds.length]! : kinds[index % 3]!),
      }),
    )
    await store.append(views)
    await store.compact()
  }
}

test('what is kept of visitors who come back is what the views say, whatever was done to them', async () => {
  const store = openDuckdbEvents(input)
  await fill(store)
  await store.forgetVisitors({ projectId: 'prj_1', visitors: [3n, 20n] })
  await store.prune({ projectId: 'prj_1', before: noon + 4 * dayMs })
  await store.deleteProject('prj_2')
  await store.close()

  const duckdb = await openDuckdbFile(input)
  try {
    const connection = await duckdb.connect()
    const read = () => connection.query('select * from returns order by all')
    const kept = await read()
    expect(kept.length).toBeGreaterThan(100)
    await connection.run('drop table returns')
    await connection.transaction(() => upgradeToReturns(connection))
    expect(await read()).toEqual(kept)
  } finally {
    duckdb.close()
  }
})

test('of a visitor’s views of a page on a day, as one class of reader, the first is told from the others', async () => {
  const store = openDuckdbEvents(input)
  await fill(store)
  // Days between others, and the same again, in one append and in a later one.
  await fill(store)
  await store.forgetVisitors({ projectId: 'prj_1', visitors: [3n, 20n] })
  await store.prune({ projectId: 'prj_1', before: noon + 4 * dayMs })
  await store.append([newView({ at: noon - dayMs }), newView({ at: noon - dayMs }), newView({ at: noon - dayMs + 1 })])
  await store.compact()
  await store.close()

  const duckdb = await openDuckdbFile(input)
  try {
    const connection = await duckdb.connect()
    const [found] = await connection.query(`
      select count(*) as groups, count(*) filter (firsts = 1) as right, sum(views) as views from (
        select count(*) as views, count(*) filter (first_of_day) as firsts
        from views where class > 0 group by project, page, visitor, ts // ${dayMs}, class
      )`)
    expect(found!.right).toBe(found!.groups)
    expect(Number(found!.views)).toBeGreaterThan(2 * Number(found!.groups))
  } finally {
    duckdb.close()
  }
})

test('a file of the second version gives the same numbers, and takes more', async () => {
  const range = { from: noon + 2 * dayMs, to: noon + 15 * dayMs + 1 }
  const reports = async (store: ReturnType<typeof openDuckdbEvents>) =>
    await Promise.all([
      store.visitors({ ...everythingOf(), range }),
      store.visitors({ ...everythingOf(), range, ai: 'direct' }),
      store.timeseries({ ...everythingOf(), range, interval: 'month' }),
    ])
  const first = openDuckdbEvents(input)
  await fill(first)
  const before = await reports(first)
  await first.close()
  const duckdb = await openDuckdbFile(input)
  await (await duckdb.connect()).run(`
    drop table returns; alter table views drop column first_of_day; update facts set version = 2`)
  duckdb.close()

  const store = openDuckdbEvents(input)
  expect(await reports(store)).toEqual(before)
  await store.append([newView({ at: range.to - 1, visitor: 1000n }), newView({ at: range.from, visitor: 1000n })])
  await store.compact()
  const [visitors] = await reports(store)
  expect(visitors.totals.total).toBe(before[0].totals.total + 1)
  await store.close()
})
