import { connect, createServer, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import type { DocentError } from '#base/errors.ts'
import { freePort } from '#tests/harness/free-port.ts'
import { createTestDatabase, type TestDatabase } from '#tests/harness/test-database.ts'
import type { Database } from './database.ts'
import { openPostgres, type PostgresOptions } from './postgres.ts'

// There is no server when the tests run on the embedded database.
describe.runIf(inject('engine') === 'postgres')('a PostgreSQL server', () => {
  let files: TestDatabase
  let url: string
  const cleanup: (() => unknown)[] = []
  beforeAll(async () => {
    files = await createTestDatabase()
    url = files.settings.databaseUrl!
    return () => files.delete()
  })
  afterEach(async () => {
    for (const step of cleanup.splice(0).reverse()) await step()
  })

  async function open(options: Partial<PostgresOptions> = {}): Promise<Database> {
    const database = await openPostgres({ url, onProgress: () => {}, onConnectionLost: () => {}, ...options })
    cleanup.push(() => database.close())
    return database
  }

  const refusal = (options: Partial<PostgresOptions>) =>
    open(options).then(
      () => {
        throw new Error('It was opened.')
      },
      (error: DocentError) => error,
    )

  test('is described without user and password', async () => {
    const { host, pathname } = new URL(url)
    const withPassword = url.replace('://docent@', '://docent:hunter2@')
    const { description } = await open({ url: withPassword })
    expect(description).toBe(`PostgreSQL at ${host}${pathname}`)
  })

  test('that is not there is given up after a while, and the password stays out of the message', async () => {
    const port = await freePort()
    const progress: string[] = []
    const error = await refusal({
      url: `postgres://docent:hunter2@127.0.0.1:${port}/docent`,
      patienceMs: 100,
      onProgress: (message) => progress.push(message),
    })
    expect(error).toMatchObject({ kind: 'unavailable', code: 'database.unreachable' })
    expect(error.message).toContain(`PostgreSQL at 127.0.0.1:${port}/docent does not answer`)
    expect(error.message).toContain('Check DOCENT_DATABASE_URL')
    expect(error.message).not.toContain('hunter2')
    expect(progress).toEqual([`Waiting for PostgreSQL at 127.0.0.1:${port}/docent`])
  })

  test('that is starting is waited for', async () => {
    const port = await freePort()
    const progress: string[] = []
    const opening = open({
      url: url.replace(/:\d+\//, `:${port}/`),
      onProgress: (message) => progress.push(message),
    })
    while (progress.length === 0) await sleep(5)
    const proxy = await forward(port, Number(new URL(url).port))
    cleanup.unshift(() => proxy.close())
    await (await opening).ping()
    expect(progress).toHaveLength(1)
  })

  test.each([
    ['another database', (good: string) => good.replace(/[^/]+$/, 'no_such_database'), 'does not exist'],
    ['another user', (good: string) => good.replace('://docent@', '://nobody_we_know@'), 'does not exist'],
  ])('that refuses us is not waited for: %s', async (_, wrong, reason) => {
    const progress: string[] = []
    const error = await refusal({
      url: wrong(url),
      patienceMs: 600_000,
      onProgress: (message) => progress.push(message),
    })
    expect(error).toMatchObject({ kind: 'unavailable', code: 'database.unreachable' })
    expect(error.message).toContain(reason)
    expect(progress).toEqual([])
  })

  test('that drops a connection is told about and used again', async () => {
    const lost: Error[] = []
    const database = await open({ onConnectionLost: (error) => lost.push(error) })
    const other = await open()
    await database.ping()
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name = 'docent'`.execute(other.db)
    while (lost.length === 0) await sleep(5)
    await database.ping()
  })

  // Nobody waits for an answer at that moment, so the error has no statement to belong to: it must not end the process.
  test('that drops a connection between two statements of a transaction fails that transaction alone', async () => {
    const database = await open()
    const other = await open()
    const broken = database.db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      await sql`select pg_terminate_backend(${rows[0]!.pid}::int)`.execute(other.db)
      await sleep(200)
      await sql`select 1`.execute(tx)
    })
    await expect(broken).rejects.toThrow()
    await database.ping()
    await database.db.transaction().execute((tx) => sql`select 1`.execute(tx))
  })

  test('that goes away makes ping say so', async () => {
    const port = await freePort()
    const proxy = await forward(port, Number(new URL(url).port))
    const database = await open({ url: url.replace(/:\d+\//, `:${port}/`) })
    await database.ping()
    proxy.close()
    await expect(database.ping()).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'database.unreachable',
      retryAfterSeconds: 5,
    })
  })

  test('does not let a node that hangs keep its locks for ever', async () => {
    const { db } = await open()
    const { rows } = await sql<{ value: string }>`
      select current_setting('idle_in_transaction_session_timeout') as value`.execute(db)
    expect(rows[0]!.value).toBe('1min')
  })
})

/** Takes connections on one port to another one; closing it cuts them. */
async function forward(port: number, to: number): Promise<{ close(): void }> {
  const sockets = new Set<{ destroy(): unknown }>()
  const server: Server = createServer((near) => {
    const far = connect(to, '127.0.0.1')
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.pipe(other)
      socket.on('error', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
