import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { PGlite, types } from '@electric-sql/pglite'
import { CamelCasePlugin, Kysely, PGliteDialect } from 'kysely'
import { fromPglite } from 'pg-boss'
import { DocentError, messageOf } from '#base/errors.ts'
import type { Database } from './database.ts'
import type { Tables } from './schema.ts'

// PostgreSQL's default of 128 MB suits a server; control data is small, and this is the memory of one Node process.
const postgresqlconf = ['shared_buffers=16MB', 'min_wal_size=32MB', 'max_wal_size=64MB']

// PGlite is PostgreSQL in single-user mode: no checkpointer, no autovacuum. Without these two the write-ahead log
// and the queue's tables would grow until the next clean stop.
const checkpointAfterBytes = 16 * 1024 * 1024
const vacuumEveryMs = 60 * 60 * 1000

export interface PgliteOptions {
  folder: string
  /** Called before a step that takes seconds. */
  onProgress(message: string): void
}

/** The embedded PostgreSQL. The caller holds the data folder's lock: two processes on these files would ruin them. */
export async function openPglite({ folder, onProgress }: PgliteOptions): Promise<Database> {
  await initialise(folder, onProgress).catch((error) => {
    const message = `The embedded database in ${folder} cannot be made: ${messageOf(error)}`
    throw new DocentError('unavailable', 'database.not_made', message, { cause: error })
  })
  const pglite = await openFolder(folder)
  const db = new Kysely<Tables>({
    dialect: new PGliteDialect({ pglite }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
  let checkpointedAt = await walBytes(pglite)
  let vacuumedAt = performance.now()
  let closing: Promise<void> | undefined

  return {
    db,
    description: `PGlite in ${folder}`,
    supports: { severalProcesses: false },
    queueConnection: { db: fromPglite(pglite), backend: 'pglite' },
    async ping() {
      try {
        await pglite.query('select 1')
      } catch (error) {
        const message = `PGlite in ${folder} does not answer: ${messageOf(error)}.`
        throw new DocentError('unavailable', 'database.unreachable', message, { cause: error })
      }
    },
    async maintain() {
      if (performance.now() - vacuumedAt > vacuumEveryMs) {
        vacuumedAt = performance.now()
        await pglite.exec('vacuum analyze')
      }
      const written = await walBytes(pglite)
      if (written - checkpointedAt < checkpointAfterBytes) return
      checkpointedAt = written
      await pglite.exec('checkpoint')
    },
    // Kysely closes what it has used; one that nobody asked anything is ours to close.
    close: () => (closing ??= db.destroy().then(() => (pglite.closed ? undefined : pglite.close()))),
  }
}

/**
 * Makes the database files beside their final place and moves them in when they are whole: a process killed
 * while it initialises leaves nothing that a later start could mistake for a database.
 */
async function initialise(folder: string, onProgress: PgliteOptions['onProgress']): Promise<void> {
  if (existsSync(folder)) return
  onProgress('Preparing the database (first start only)')
  const prefix = `${folder}.new-`
  for (const name of await readdir(dirname(folder))) {
    const path = join(dirname(folder), name)
    if (path.startsWith(prefix)) await rm(path, { recursive: true, force: true, maxRetries: 5 })
  }
  // A name of its own: the child of a process that was killed may still be writing under the earlier one.
  const unfinished = await mkdtemp(prefix)
  const script = join(import.meta.dirname, 'initialise-pglite.ts')
  await promisify(execFile)(process.execPath, [script, unfinished], { env: {} })
  await rename(unfinished, folder)
}

async function openFolder(folder: string): Promise<PGlite> {
  try {
    // Without the parser, a count would be a number here and a text on a server; see postgres.ts.
    const pglite = new PGlite({ dataDir: folder, postgresqlconf, parsers: { [types.INT8]: Number } })
    await pglite.waitReady
    return pglite
  } catch (error) {
    const message = `The embedded database in ${folder} does not open: ${messageOf(error)}. Restore the folder from a backup, or set DOCENT_DATA to another one.`
    throw new DocentError('unavailable', 'database.unreadable', message, { cause: error })
  }
}

async function walBytes(pglite: PGlite): Promise<number> {
  const { rows } = await pglite.query<{ bytes: number }>(`select pg_current_wal_lsn() - '0/0' as bytes`)
  return Number(rows[0]?.bytes ?? 0)
}
