// The most that DuckDB itself takes in: rows of our tail table by its appender, each so many in a durable commit of their
// own, one commit after the other, with no HTTP, no JSON, no classifier and no identity before it.
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
import { createTables } from '#backends/events/duckdb/schema.ts'
import { createDataSet } from './analytics-data.ts'
import { paths } from './analytics-site.ts'

const types = [BIGINT, UINTEGER, BIGINT, VARCHAR, UBIGINT, UBIGINT, USMALLINT, USMALLINT, UTINYINT, VARCHAR]

/** Rows a second, for so many seconds into a new file. */
export async function appendBare(input: { file: string; rowsPerCommit: number; seconds: number }): Promise<number> {
  const { rowsPerCommit, seconds } = input
  const instance = await DuckDBInstance.create(input.file, { memory_limit: '512MB', wal_autocheckpoint: '64MB' })
  const connection = await instance.connect()
  await connection.run(createTables)
  const appender = await connection.createAppender('tail')
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
