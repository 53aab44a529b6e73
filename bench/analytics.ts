// Unique visitors of a year of views: by our store, by `count(distinct)` over the same rows in DuckDB with the same
// memory and threads (and with as much memory as it likes), and by `count(distinct)` in PostgreSQL; interleaved, in one
// run. All must give the same rows and totals, or the run fails.
// Run: node_modules/.bin/node bench/analytics.ts [--views 1000000|10000000|both] [--seed 1] [--rounds 5] [--shuffled]
//   [--ids 1]: of the views, how many carry an id, as those of imported logs do
import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { openDuckdbEvents } from '#backends/events/duckdb/duckdb-events.ts'
import type { EventStore, Range } from '#backends/events/event-store.ts'
import { createLog } from '#base/log.ts'
import { startPostgresServer } from '../tests/harness/postgres-server.ts'
import { type Columns, createDataSet, type DataSet, toViews } from './analytics-data.ts'
import { loadPlainPostgres, openPlainDuckdb, type Plain, type PlainDuckdb } from './analytics-plain.ts'
import { compare, type Engine, expectEqual, timed } from './compare-reports.ts'
import { median, printTable } from './table.ts'

const { values: options } = parseArgs({
  options: {
    views: { type: 'string', default: 'both' },
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '5' },
    ids: { type: 'string', default: '1' },
    shuffled: { type: 'boolean', default: false },
  },
})
const sizes = options.views === 'both' ? [1_000_000, 10_000_000] : [Number(options.views)]
const rounds = Number(options.rounds)
const seed = Number(options.seed)
const dayMs = 86_400_000
const hourMs = 3_600_000
const limit = 50
const projectId = 'bench'
/** The setting's default. */
const memoryMb = 128
const tailRows = 10_000
/** PostgreSQL takes so long that one must do at the larger size. */
const slowRounds = (views: number) => Math.min(rounds, views > 2_000_000 ? 1 : 3)

const log = createLog({ level: 'warn', format: 'json', destination: process.stderr })
const say = (words: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${words}\n`)
const ms = (value: number) => value.toFixed(value < 100 ? 1 : 0)

// Everything lies in here, PostgreSQL's files too, and that runs as another user where we are root.
const folder = await mkdtemp(join(tmpdir(), 'docent-bench-analytics-'))
await chmod(folder, 0o755)
process.env.TMPDIR = folder
const endings: (() => Promise<unknown>)[] = []
let isBrokenOff = false

async function cleanUp(): Promise<void> {
  for (const end of endings.splice(0).reverse()) await end()
  await rm(folder, { recursive: true, force: true })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    isBrokenOff = true
    await cleanUp()
    process.exit(130)
  })
}

async function medianOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push((await timed(work)).tookMs)
  return median(times)
}

async function loadStore(store: EventStore, data: DataSet): Promise<void> {
  let appendMs = 0
  let done = 0
  for (const columns of data.chunks(20_000)) {
    const views = toViews(columns, data, projectId)
    appendMs += (await timed(() => store.append(views))).tookMs
    done += views.length
    if (done % 1_000_000 === 0) say(`store: ${done} views appended in ${ms(appendMs)} ms`)
  }
  const compact = await timed(() => store.compact())
  const perSecond = Math.round(data.views / ((appendMs + compact.tookMs) / 1000))
  console.log(
    `Loaded in ${((appendMs + compact.tookMs) / 1000).toFixed(1)} s (${perSecond} views/s): append, durable, ${(appendMs / 1000).toFixed(1)} s, and compact ${(compact.tookMs / 1000).toFixed(1)} s\n`,
  )
}

async function loadPlain(plain: PlainDuckdb, data: DataSet): Promise<void> {
  for (const columns of data.chunks(20_480)) {
    plain.append(columns, data)
    // Ctrl-C is heard between two chunks.
    await new Promise(setImmediate)
  }
  await plain.flush()
}

async function measure(views: number): Promise<void> {
  const data = createDataSet({ views, seed, isShuffled: options.shuffled, idShare: Number(options.ids) })
  const order = options.shuffled ? 'in no order' : 'in order of time'
  console.log(`\n## ${views} views of ${data.visitors} visitors, one year, ${order}, seed ${seed}\n`)
  const file = join(folder, `store-${views}`, 'analytics.duckdb')
  const plainFile = join(folder, `plain-${views}.duckdb`)

  let store = openDuckdbEvents({ file, memoryMb, log })
  await loadStore(store, data)
  await store.close()
  const bytes = (path: string) => (existsSync(path) ? statSync(path).size : 0)
  const bytesPerView = (bytes(file) + bytes(`${file}.wal`)) / views
  // Only one process may have the file.
  const memory = await answerAlone(file, data)
  store = openDuckdbEvents({ file, memoryMb, log })

  say('plain DuckDB: loading')
  const plain = await openPlainDuckdb(plainFile)
  await loadPlain(plain, data)
  say('PostgreSQL: loading')
  // Enough memory to keep the table and to sort without files; its defaults would make it look worse than it is.
  const settings = ['shared_buffers=2GB', 'work_mem=512MB', 'maintenance_work_mem=512MB']
  const server = await startPostgresServer(settings)
  endings.push(() => server.stop())
  const postgres = await loadPlainPostgres(server, plain, folder)

  const year = await compareRanges({ store, plain, postgres, data })
  endings.pop()
  await postgres.close()
  await server.stop()

  const own = await measureOurs(store, plain, data)
  await store.close()
  await plain.close()

  console.log()
  printTable(
    ['at 365 days', 'measured', 'goal', ''],
    [
      goal('times faster than plain DuckDB', year.duckdb / year.ours, { least: 40 }),
      goal('times faster than PostgreSQL', year.postgres / year.ours, { least: 150 }),
      goal('times the whole days, a time of day at both ends', own.withTimeRatio, { most: 10 }),
      goal('MB, most ever, a process that answers whole days', memory.wholeDaysMb, { most: 400 }),
      goal('MB, the same and then a range with a time of day', memory.withTimeMb, { most: 400 }),
      goal('MB, the same and then every other report', memory.allMb, { most: 400 }),
      goal('bytes a view on disk', bytesPerView, { most: 40 }),
    ],
  )
  console.log(`\nFirst answer of a new process, opening the file included: ${ms(memory.firstMs)} ms`)
  console.log(
    `Plain DuckDB has ${(bytes(plainFile) / views).toFixed(1)} bytes a view, without ids, clients and referrers`,
  )
  await rm(join(folder, `store-${views}`), { recursive: true })
  await rm(plainFile)
}

function goal(name: string, measured: number, { least, most }: { least?: number; most?: number }): string[] {
  const isMet = least === undefined ? measured < most! : measured >= least
  const wanted = least === undefined ? `under ${most}` : `at least ${least}`
  return [name, measured.toFixed(1), wanted, isMet ? 'met' : 'missed']
}

async function answerAlone(file: string, { from, to }: DataSet) {
  const script = join(import.meta.dirname, 'analytics-answer.ts')
  const args = [script, file, String(memoryMb), projectId, String(from), String(to)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout) as { firstMs: number; wholeDaysMb: number; withTimeMb: number; allMb: number }
}

interface Loaded {
  store: EventStore
  plain: PlainDuckdb
  postgres: Plain
  data: DataSet
}

async function compareRanges({ store, plain, postgres, data }: Loaded) {
  const engines: Engine[] = [
    {
      name: 'ours',
      rounds,
      visitors: (range) => store.visitors({ projectId, range, ai: 'all', limit, offset: 0 }),
    },
    { name: 'plain DuckDB', rounds, visitors: (range) => plain.visitors(range, limit) },
    {
      name: 'PostgreSQL',
      rounds: slowRounds(data.views),
      visitors: (range) => postgres.visitors(range, limit),
    },
  ]
  const spring = data.from + 120 * dayMs
  const ranges: [string, Range][] = [
    ['1 day', { from: spring, to: spring + dayMs }],
    ['30 days', { from: spring, to: spring + 30 * dayMs }],
    ['365 days', { from: data.from, to: data.to }],
  ]
  const rows: (string | number)[][] = []
  let last: number[] = []
  for (const [name, range] of ranges) {
    say(`comparing ${name}`)
    last = await compare(engines, { range, rounds })
    const [ours, ...others] = last as [number, ...number[]]
    rows.push([name, ms(ours), ...others.flatMap((other) => [ms(other), (other / ours).toFixed(0)])])
  }
  console.log(
    `Top ${limit} pages and totals: ${rows.length} ranges, equal answers; medians of ${rounds} (of PostgreSQL ${slowRounds(data.views)}); ours has ${memoryMb} MB, plain DuckDB all memory\n`,
  )
  printTable(['', 'ours ms', 'plain DuckDB ms', 'times', 'PostgreSQL ms', 'times'], rows)
  const [ours, duckdb, postgresMs] = last as [number, number, number]
  return { ours, duckdb, postgres: postgresMs }
}

/** What only our store answers, and what it costs when views have just come in. */
async function measureOurs(store: EventStore, plain: PlainDuckdb, data: DataSet) {
  say('measuring the other reports')
  const range = { from: data.from, to: data.to }
  const query = { projectId, range, ai: 'all', limit, offset: 0 } as const
  const spring = data.from + 120 * dayMs
  const withTime = { from: data.from + 5 * hourMs, to: data.to - 7 * hourMs }
  const wholeDaysMs = await medianOf(() => store.visitors(query))
  const withTimeMs = await medianOf(() => store.visitors({ ...query, range: withTime }))
  const rows: [string, number][] = [
    ['visitors, whole days', wholeDaysMs],
    ['visitors, last of 60 pages of results', await medianOf(() => store.visitors({ ...query, offset: 2950 }))],
    ['visitors, only assistants and agents as AI', await medianOf(() => store.visitors({ ...query, ai: 'direct' }))],
    ['visitors, a time of day at both ends', withTimeMs],
    [
      'visitors, six hours of one day',
      await medianOf(() =>
        store.visitors({ ...query, range: { from: spring + 6 * hourMs, to: spring + 12 * hourMs } }),
      ),
    ],
    ['views', await medianOf(() => store.views(query))],
    ['agents', await medianOf(() => store.agents(query))],
  ]
  for (const interval of ['hour', 'day', 'week', 'month'] as const) {
    rows.push([`timeseries by ${interval}`, await medianOf(() => store.timeseries({ ...query, interval }))])
  }

  // The newest views, as they are while a site is read: of known visitors, on known pages, in the last two days.
  const fresh = createDataSet({ views: data.views, seed: seed + 1 })
    .chunks(tailRows)
    .next().value as Columns
  fresh.at = fresh.at.map((_, row) => data.to - 2 * dayMs + Math.floor((row / fresh.length) * 2 * dayMs))
  const before = await store.visitors({ ...query, range: withTime })
  expectEqual({ name: 'plain DuckDB', found: await plain.visitors(withTime, limit), ours: before })
  await store.append(toViews(fresh, data, projectId))
  const tail = await timed(() => store.visitors(query))
  const tailWithTime = await timed(() => store.visitors({ ...query, range: withTime }))
  const compact = await timed(() => store.compact())
  rows.push([`visitors, ${fresh.length} views not compacted`, tail.tookMs])
  rows.push(['the same with a time of day at both ends', tailWithTime.tookMs])
  rows.push(['compacting them', compact.tookMs])
  plain.append(fresh, data)
  await plain.flush()
  for (const [one, first] of [
    [range, tail],
    [withTime, tailWithTime],
  ] as const) {
    const found = await plain.visitors(one, limit)
    expectEqual({ name: 'plain DuckDB', found, ours: first.result })
    expectEqual({ name: 'plain DuckDB', found, ours: await store.visitors({ ...query, range: one }) })
  }

  console.log(`\nOurs alone, the year; medians of ${rounds}; from the first view not compacted, one call each\n`)
  printTable(
    ['', 'ms', 'ratio'],
    rows.map(([name, value]) => [name, ms(value), (value / wholeDaysMs).toFixed(1)]),
  )
  return { withTimeRatio: withTimeMs / wholeDaysMs }
}

try {
  for (const views of sizes) await measure(views)
} catch (error) {
  // What fails because everything was taken away is no news.
  if (!isBrokenOff) {
    console.error(error)
    process.exitCode = 1
  }
} finally {
  if (!isBrokenOff) await cleanUp()
}
