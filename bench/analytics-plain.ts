// What the store is measured against: the same views as rows of one table, counted with `count(distinct)`, in DuckDB
// and in PostgreSQL.
import { chmod, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { BIGINT, DuckDBDataChunk, DuckDBInstance, ENUM, UBIGINT, VARCHAR } from '@duckdb/node-api'
import pg from 'pg'
import type { Counts, PathCounts, PathReport, Range } from '#backends/events/event-store.ts'
import { aiCategories, categories } from '#backends/events/view.ts'
import type { PostgresServer } from '../tests/harness/postgres-server.ts'
import type { Columns, DataSet } from './analytics-data.ts'
import { clients, paths } from './analytics-site.ts'

export interface Plain {
  visitors(range: Range, limit: number): Promise<PathReport>
  close(): Promise<void>
}

export interface PlainDuckdb extends Plain {
  append(columns: Columns, data: DataSet): void
  /** Makes what was appended visible and writes it into the tables. */
  flush(): Promise<void>
  writeCsv(file: string): Promise<void>
}

const list = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ')
const isAi = `category in (${list(aiCategories)})`
const counts = `
  count(distinct visitor) filter (where category = 'human') as human,
  count(distinct visitor) filter (where ${isAi}) as ai,
  count(distinct visitor) as total`
/** Two statements, as a product asks them: the first pages with one more to see whether there are, and the totals. */
const statements = (where: string, byBytes: string, limit: number) => [
  `select path, ${counts} from plain where ${where} and (category = 'human' or ${isAi})
   group by path order by total desc, path${byBytes} limit ${limit + 1}`,
  `select ${counts} from plain where ${where} and (category = 'human' or ${isAi})`,
]

type Row = Record<'path' | keyof Counts, unknown>

function toReport(rows: Row[], [totals]: Row[], limit: number): PathReport {
  const numbers = ({ human, ai, total }: Row) => ({ human: Number(human), ai: Number(ai), total: Number(total) })
  const toRow = (row: Row): PathCounts => ({ path: String(row.path), ...numbers(row) })
  return { totals: numbers(totals!), rows: rows.slice(0, limit).map(toRow), hasMore: rows.length > limit }
}

export async function openPlainDuckdb(file: string): Promise<PlainDuckdb> {
  const instance = await DuckDBInstance.create(file, { temp_directory: `${file}.tmp` })
  const connection = await instance.connect()
  await connection.run(`create type category as enum (${list(categories)})`)
  await connection.run(`create table plain (ts bigint, path varchar, visitor ubigint, category category)`)
  const types = [BIGINT, VARCHAR, UBIGINT, ENUM(categories)]
  let appender = await connection.createAppender('plain')
  return {
    append(columns, { visitorIds }) {
      // As many rows as DuckDB takes at a time.
      for (let start = 0; start < columns.length; start += 2048) {
        const rows = Array.from({ length: Math.min(2048, columns.length - start) }, (_, row) => start + row)
        const chunk = DuckDBDataChunk.create(types, rows.length)
        chunk.setColumns([
          rows.map((row) => BigInt(columns.at[row]!)),
          rows.map((row) => paths[columns.page[row]!]!),
          rows.map((row) => visitorIds[columns.visitor[row]!]!),
          rows.map((row) => clients[columns.client[row]!]!.verdict.category),
        ])
        appender.appendDataChunk(chunk)
      }
    },
    async flush() {
      appender.closeSync()
      await connection.run('checkpoint')
      appender = await connection.createAppender('plain')
    },
    async visitors({ from, to }, limit) {
      const [rows, totals] = statements(`ts >= ${from} and ts < ${to}`, '', limit)
      const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjects() as Row[]
      return toReport(await read(rows!), await read(totals!), limit)
    },
    async writeCsv(file) {
      // PostgreSQL has no unsigned numbers; the 64 bits stay the same.
      const signed = `(case when visitor > 9223372036854775807 then visitor::hugeint - 18446744073709551616 else visitor end)::bigint`
      const columns = `'bench', ts, path, ${signed}, category`
      await connection.run(`copy (select ${columns} from plain) to '${file}' (format csv, header false)`)
    },
    async close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

/** A table as the analytics products that stand on PostgreSQL have it: an index over the site and the time. */
export async function loadPlainPostgres(server: PostgresServer, source: PlainDuckdb, folder: string): Promise<Plain> {
  await server.execute('create database bench')
  const client = new pg.Client(server.url('bench'))
  // The server may go first, when the run is broken off.
  client.on('error', () => {})
  await client.connect()
  const file = join(folder, 'plain.csv')
  await source.writeCsv(file)
  // The server reads it, as another user.
  await chmod(file, 0o644)
  await client.query('create temp table came (project text, ts bigint, path text, visitor bigint, category text)')
  await client.query(`copy came from '${file}' (format csv)`)
  await rm(file)
  await client.query('create table plain (project text, ts timestamptz, path text, visitor bigint, category text)')
  await client.query(
    'insert into plain select project, to_timestamp(ts / 1000.0), path, visitor, category from came order by ts',
  )
  await client.query('drop table came')
  await client.query('create index on plain (project, ts)')
  await client.query('vacuum analyze plain')
  return {
    async visitors({ from, to }, limit) {
      const time = (ms: number | null) => `timestamptz '${new Date(ms!).toISOString()}'`
      const where = `project = 'bench' and ts >= ${time(from)} and ts < ${time(to)}`
      const [rows, totals] = statements(where, ' collate "C"', limit)
      return toReport((await client.query(rows!)).rows, (await client.query(totals!)).rows, limit)
    },
    close: () => client.end(),
  }
}
