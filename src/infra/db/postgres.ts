import { setTimeout as sleep } from 'node:timers/promises'
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { DocentError, messageOf } from '#base/errors.ts'
import { hideSecrets } from '#base/hide-secrets.ts'
import type { Database } from './database.ts'
import type { Tables } from './schema.ts'

// Containers start together: PostgreSQL may need this long before it takes connections.
const defaultPatienceMs = 30_000
const queueConnections = 5

export interface PostgresOptions {
  url: string
  /** How long to wait for a server that is not there yet. */
  patienceMs?: number
  onProgress(message: string): void
  /** An idle connection broke. The pool replaces it; the log should say so. */
  onConnectionLost(error: Error): void
}

export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { url, patienceMs = defaultPatienceMs, onProgress, onConnectionLost } = options
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5_000,
    application_name: 'docent',
    // A node that hangs inside a transaction must not hold its locks for ever.
    idle_in_transaction_session_timeout: 60_000,
    types: { getTypeParser },
  })
  pool.on('error', onConnectionLost)
  // The pool listens to idle connections only. One that breaks between two statements of a transaction would end the
  // process, although the next statement fails and says so.
  pool.on('connect', (client) => client.on('error', () => {}))
  const description = describe(url)
  await waitUntilReady(pool, { description, patienceMs, onProgress })
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
  let closing: Promise<void> | undefined

  return {
    db,
    description,
    supports: { severalProcesses: true },
    queueConnection: { connectionString: url, backend: 'postgres', max: queueConnections },
    async ping() {
      try {
        await pool.query('select 1')
      } catch (error) {
        throw unreachable(description, error)
      }
    },
    async maintain() {
      // The server checkpoints and vacuums by itself.
    },
    close: () => (closing ??= db.destroy()),
  }
}

/** int8 as a number, as PGlite gives it: our counts stay far below 2^53. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  // biome-ignore lint/suspicious/noExplicitAny: pg types its parsers so.
  return oid === pg.types.builtins.INT8 ? Number : (pg.types.getTypeParser as any)(oid, format)
}

async function waitUntilReady(
  pool: pg.Pool,
  wait: { description: string; patienceMs: number; onProgress: PostgresOptions['onProgress'] },
): Promise<void> {
  const { description, patienceMs, onProgress } = wait
  const giveUpAt = performance.now() + patienceMs
  for (let attempt = 1; ; attempt++) {
    try {
      await pool.query('select 1')
      return
    } catch (error) {
      if (!isWorthWaitingFor(error) || performance.now() > giveUpAt) {
        await pool.end()
        throw unreachable(description, error)
      }
      if (attempt === 1) onProgress(`Waiting for ${description}`)
      await sleep(500)
    }
  }
}

/** A server that is starting refuses or says so (57P03); a wrong password or database never gets better. */
function isWorthWaitingFor(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? ''
  const fromServer = /^[0-9A-Z]{5}$/.test(code)
  return !fromServer || code === '57P03'
}

function unreachable(description: string, cause: unknown): DocentError {
  const message = `${description} does not answer: ${hideSecrets(messageOf(cause) || String((cause as { code?: string }).code))}. Check DOCENT_DATABASE_URL and that the server runs.`
  return new DocentError('unavailable', 'database.unreachable', message, { cause, retryAfterSeconds: 5 })
}

function describe(url: string): string {
  const { host, pathname } = new URL(url)
  return `PostgreSQL at ${host || 'localhost'}${pathname}`
}
