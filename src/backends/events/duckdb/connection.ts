import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { type DuckDBConnection, DuckDBInstance, type DuckDBValue } from '@duckdb/node-api'
import { DocentError, messageOf } from '#base/errors.ts'
import { createTables, schemaVersion } from './schema.ts'
import { upgradeToFirstOfDay } from './upgrade-to-first-of-day.ts'
import { upgradeToReturns } from './upgrade-to-returns.ts'
import { upgradeToTexts } from './upgrade-to-texts.ts'

export type Row = Record<string, DuckDBValue>
export type Params = Record<string, DuckDBValue>

/** One connection, on which one statement runs at a time. */
export interface Connection {
  raw: DuckDBConnection
  /**
   * Runs a statement; numbers come as bigint where the column is 64 bits or wider. Outside of a transaction it is planned
   * in one and run in the next, and what was written between the two is counted wrongly.
   */
  query(sql: string, params?: Params): Promise<Row[]>
  run(sql: string, params?: Params): Promise<void>
  /** Runs the work in a transaction; what it throws undoes it. */
  transaction<T>(work: () => Promise<T>): Promise<T>
}

export interface DuckdbFile {
  connect(): Promise<Connection>
  close(): void
}

// Our statements name the small side of a join last. DuckDB cannot know how few rows a subquery will give, and would at
// times build its hash table of all views instead.
const ownJoinOrder = `set disabled_optimizers = 'join_order,build_side_probe_side'`

/** Opens the file, or makes it. Throws `unavailable` with what to do when it cannot be read. */
export async function openDuckdbFile({ file, memoryMb }: { file: string; memoryMb: number }): Promise<DuckdbFile> {
  let instance: DuckDBInstance | undefined
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    instance = await DuckDBInstance.create(file, {
      memory_limit: `${memoryMb}MB`,
      temp_directory: `${file}.tmp`,
      // Nothing is ever loaded from elsewhere.
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      // Never by itself: see checkpoint.ts.
      wal_autocheckpoint: '1TB',
    })
    const opened = instance
    const connections: DuckDBConnection[] = []
    const connect = async () => {
      const raw = await opened.connect()
      connections.push(raw)
      const connection = wrapConnection(raw)
      await connection.run(ownJoinOrder)
      return connection
    }
    await ensureTables(await connect())
    return {
      connect,
      close() {
        // The file stays open as long as one of them is.
        for (const raw of connections) raw.closeSync()
        opened.closeSync()
      },
    }
  } catch (error) {
    instance?.closeSync()
    if (error instanceof DocentError) throw error
    const message = `The analytics file ${file} cannot be opened: ${messageOf(error)}. Nothing in it was changed. Put back a good copy, or move it away to start with an empty one.`
    throw new DocentError('unavailable', 'analytics.unreadable', message, { cause: error })
  }
}

function wrapConnection(raw: DuckDBConnection): Connection {
  const query = async (sql: string, params?: Params) => {
    try {
      const result = await raw.run(sql, params)
      // All of it is there. The reader of DuckDB's package would fetch each part in a turn of the event loop of its own,
      // and while events are read a turn takes tens of milliseconds.
      const rows: Row[] = []
      const names = result.deduplicatedColumnNames()
      for (let part = 0; part < result.chunkCount; part++) result.getChunk(part).appendToRowObjects(names, rows)
      return rows
    } catch (error) {
      throw translateError(error)
    }
  }
  const run = async (sql: string, params?: Params) => {
    await query(sql, params)
  }
  return {
    raw,
    query,
    run,
    async transaction(work) {
      await run('begin')
      try {
        const result = await work()
        await run('commit')
        return result
      } catch (error) {
        // DuckDB ends a transaction whose commit failed by itself; then there is nothing to roll back.
        await run('rollback').catch(() => {})
        throw error
      }
    },
  }
}

export function closed(): DocentError {
  return new DocentError('unavailable', 'analytics.closed', 'The analytics store is closed.')
}

/** After an error of this code nothing works any more until the file is opened anew. */
export const brokenCode = 'analytics.broken'

/** What the disk or the memory refuses passes; anything else is our own fault. */
export function translateError(error: unknown): unknown {
  const message = messageOf(error)
  if (/(?:FATAL|INTERNAL) Error|has been invalidated/.test(message)) {
    return new DocentError('unavailable', brokenCode, `The analytics file failed: ${message}`, { cause: error })
  }
  if (/(?:IO|Out of Memory|Connection|TransactionContext) Error/.test(message)) {
    return new DocentError('unavailable', 'analytics.failed', `The analytics file failed: ${message}`, { cause: error })
  }
  return error
}

/** What brings a file of a version to the next one. */
const upgrades = new Map([
  [1, upgradeToTexts],
  [2, upgradeToReturns],
  [3, upgradeToFirstOfDay],
])

async function ensureTables(connection: Connection): Promise<void> {
  const [found] = await connection.query(`select 1 from duckdb_tables() where table_name = 'facts'`)
  if (!found) await connection.transaction(() => connection.run(createTables))
  const [facts] = await connection.query('select version from facts')
  let version = Number(facts?.version)
  while (upgrades.has(version)) {
    const upgrade = upgrades.get(version)!
    await connection.transaction(() => upgrade(connection))
    version++
  }
  if (version === schemaVersion) return
  const message = `The analytics file is of version ${String(facts?.version)}, and this Docent knows ${schemaVersion}. Run the version of Docent that wrote it, or a later one.`
  throw new DocentError('unavailable', 'analytics.version', message)
}
