import { createLog, type Log } from '#base/log.ts'
import { dataPaths } from '#infra/data/folder.ts'
import type { Database } from '#infra/db/database.ts'
import { openPglite } from '#infra/db/pglite.ts'
import { openPostgres } from '#infra/db/postgres.ts'
import type { TestDatabase } from './test-database.ts'

/** Opens the database of these settings as the service does, without the rest of the service. */
export async function openDatabase({ data, databaseUrl }: TestDatabase['settings']): Promise<Database> {
  const onProgress = () => {}
  return databaseUrl === undefined
    ? await openPglite({ folder: dataPaths(data).pg, onProgress })
    : await openPostgres({ url: databaseUrl, onProgress, onConnectionLost: () => {} })
}

/** A log to look into. */
export function createTestLog(): { log: Log; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = []
  const destination = { write: (line: string) => lines.push(JSON.parse(line)) }
  return { log: createLog({ level: 'debug', format: 'json', destination }), lines }
}
