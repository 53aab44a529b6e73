// The most that DuckDB itself takes in: views as rows of a plain table, by its appender as its documentation shows it, so
// many in a durable commit, one commit after the other, with no HTTP, no JSON, no classifier and no identity before it.
import {
  BIGINT,
  DuckDBDataChunk,
  DuckDBInstance,
  UBIGINT,
  UINTEGER,
  USMALLINT,
  UTINYINT,
  VARCHAR,
} from '@duckdb/node-api'
import { createDataSet } from './analytics-data.ts'
import { paths } from './analytics-site.ts'

// What a view is, with its texts in their rows. The store keeps those apart, which is a part of what is measured.
const createTable = `
  create table plain (
    seq bigint not null, project uinteger not null, ts bigint not null, path varchar not null, visitor ubigint not null,
    event ubigint, kind usmallint not null, list usmallint not null, class utinyint not null, referrer varchar
  )`
const types = [BIGINT, UINTEGER, BIGINT, VARCHAR, UBIGINT, UBIGINT, USMALLINT, USMALLINT, UTINYINT, VARCHAR]

/** Rows a second, for so many seconds into a new file. */
export async function appendBare(input: { file: string; rowsPerCommit: number; seconds: number }): Promise<number> {
  const { rowsPerCommit, seconds } = input
  const instance = await DuckDBInstance.create(input.file, { memory_limit: '512MB', wal_autocheckpoint: '64MB' })
  const connection = await instance.connect()
  await connection.run(createTable)
  const appender = await connection.createAppender('plain')
  const data = createDataSet({ views: 100_000, seed: 1 })
  const batches = [...data.chunks(rowsPerCommit)].slice(0, 100)
  let seq = 0n
  let rows = 0
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000
  for (let round = 0; performance.now() < endsAt; round++) {
    const columns = batches[round % batches.length]!
    const indexes = Array.from({ length: columns.length }, (_, row) => row)
    const chunk = DuckDBDataChunk.create(types, columns.length)
    chunk.setColumns([
      indexes.map(() => ++seq),
      indexes.map(() => 1),
      indexes.map((row) => BigInt(columns.at[row]!)),
      indexes.map((row) => paths[columns.page[row]!]!),
      indexes.map((row) => data.visitorIds[columns.visitor[row]!]!),
      indexes.map(() => null),
      indexes.map((row) => columns.client[row]!),
      indexes.map(() => 1),
      indexes.map(() => 1),
      indexes.map(() => null),
    ])
    appender.appendDataChunk(chunk)
    // Outside a transaction this is one, and it is on disk when it returns.
    appender.flushSync()
    rows += columns.length
  }
  const tookMs = performance.now() - startedAt
  appender.closeSync()
  connection.closeSync()
  instance.closeSync()
  return rows / (tookMs / 1000)
}
