import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { DocentError, type ErrorKind } from '#base/errors.ts'
import { randomBase62 } from '#base/ids.ts'
import type { Database } from '#infra/db/database.ts'
import { setFact } from '#infra/db/facts.ts'
import { createTestLog, openDatabase } from '#tests/harness/open-database.ts'
import { createTestDatabase, type TestDatabase } from '#tests/harness/test-database.ts'
import { until } from '#tests/harness/until.ts'
import { defineJob, type JobDefinition } from './define-job.ts'
import { type JobContext, type Queue, startQueue } from './queue.ts'

const severalProcesses = inject('engine') === 'postgres'
const Data = z.object({ name: z.string() })
type Data = z.output<typeof Data>

let files: TestDatabase
let database: Database
let queue: Queue
const { log, lines } = createTestLog()
beforeAll(async () => {
  files = await createTestDatabase()
  database = await openDatabase(files.settings)
  queue = await startQueue({ database, log })
})
afterAll(async () => {
  await queue.stop({ timeoutMs: 1000 })
  await database.close()
  await files.delete()
})

/** A kind of job of this test alone, known to the queue. */
async function declareJob(settings: Partial<JobDefinition<Data>> = {}): Promise<JobDefinition<Data>> {
  const job = defineJob({ name: `test.${randomBase62(8)}`, data: Data, retryDelaySeconds: 1, ...settings })
  await queue.declare([job])
  return job
}

interface Row {
  state: string
  tries: number
  output: { code?: string; message?: string } | null
  data: unknown
}

/** How the queue has a job written down. */
async function rowOf({ db }: Database, id: string): Promise<Row> {
  const { rows } = await sql<Row>`
    select state::text as state, retry_count as tries, output, data from pgboss.job where id = ${id}::uuid`.execute(db)
  return rows[0]!
}
const stateOf = async (id: string) => (await rowOf(database, id)).state

/** A handler that writes down what it gets. */
function collect(): { got: JobContext<Data>[]; handler(context: JobContext<Data>): Promise<void> } {
  const got: JobContext<Data>[] = []
  return { got, handler: async (context) => void got.push(context) }
}

describe('sending', () => {
  test('a job is done once, with its data, and written down as done', async () => {
    const job = await declareJob()
    const { got, handler } = collect()
    await queue.work(job, handler)
    const id = await queue.send(job, { name: 'one' })
    await until(async () => (await stateOf(id)) === 'completed')
    expect(got).toMatchObject([{ id, data: { name: 'one' }, attempt: 1 }])
    expect(got[0]!.stopping.aborted).toBe(false)
  })

  test('inside a transaction that is rolled back sends nothing, inside one that commits sends one', async () => {
    const job = await declareJob()
    const { got, handler } = collect()
    await queue.work(job, handler)
    let rolledBack = ''
    const failing = database.db.transaction().execute(async (tx) => {
      rolledBack = await queue.send(job, { name: 'rolled back' }, { tx })
      await setFact(tx, 'with.job', 'rolled back')
      throw new Error('on purpose')
    })
    await expect(failing).rejects.toThrow('on purpose')
    const id = await database.db.transaction().execute(async (tx) => {
      await setFact(tx, 'with.job', 'committed')
      return await queue.send(job, { name: 'committed' }, { tx })
    })
    await until(async () => (await stateOf(id)) === 'completed')
    expect(got.map(({ data }) => data.name)).toEqual(['committed'])
    expect(await rowOf(database, rolledBack)).toBeUndefined()
  })

  test.runIf(severalProcesses)(
    'inside a transaction starts nothing before the commit (an embedded database runs nothing beside a transaction)',
    async () => {
      const job = await declareJob()
      const { got, handler } = collect()
      await queue.work(job, handler)
      await database.db.transaction().execute(async (tx) => {
        await queue.send(job, { name: 'later' }, { tx })
        const marker = await queue.send(job, { name: 'marker' })
        await until(async () => (await stateOf(marker)) === 'completed')
        expect(got.map(({ data }) => data.name)).toEqual(['marker'])
      })
      await until(() => got.length === 2)
      expect(got.map(({ data }) => data.name)).toEqual(['marker', 'later'])
    },
  )

  test('inside a transaction works for a job that was declared a moment ago and that nobody works on yet', async () => {
    const job = await declareJob()
    // On the one connection of PGlite, a question outside the transaction would wait for its end, and it for the answer.
    const id = await database.db.transaction().execute((tx) => queue.send(job, { name: 'early' }, { tx }))
    expect((await rowOf(database, id)).state).toBe('created')
  }, 10_000)

  test('wrong data is refused and nothing is sent', async () => {
    const job = await declareJob()
    await expect(queue.send(job, { name: 5 } as unknown as Data)).rejects.toThrow()
    const { rows } = await sql`select 1 from pgboss.job where name = ${job.name}`.execute(database.db)
    expect(rows).toEqual([])
  })

  test('what is not part of the data does not travel', async () => {
    const job = await declareJob()
    const id = await queue.send(job, { name: 'x', token: 'hunter2' } as Data)
    expect((await rowOf(database, id)).data).toEqual({ name: 'x' })
  })

  test('a job of a kind that nobody declared is refused', async () => {
    const job = defineJob({ name: 'test.undeclared', data: Data })
    await expect(queue.send(job, { name: 'x' })).rejects.toThrow('test.undeclared')
  })

  test('a job with a delay waits for its time', async () => {
    const job = await declareJob()
    const { got, handler } = collect()
    await queue.work(job, handler)
    const delayed = await queue.send(job, { name: 'in an hour' }, { delaySeconds: 3600 })
    const now = await queue.send(job, { name: 'now' })
    await until(async () => (await stateOf(now)) === 'completed')
    expect(got.map(({ data }) => data.name)).toEqual(['now'])
    expect(await stateOf(delayed)).toBe('created')
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from start_after - now())::int as seconds from pgboss.job where id = ${delayed}::uuid`.execute(
      database.db,
    )
    expect(rows[0]!.seconds).toBeGreaterThan(3500)
    expect(rows[0]!.seconds).toBeLessThanOrEqual(3600)
  })
})

describe('a job that fails', () => {
  // Waiting for the next try takes seconds; these wait side by side.
  test.concurrent.each(['unavailable', 'rate_limited'] satisfies ErrorKind[])(
    'with %s is tried again until it works',
    async (kind) => {
      const job = await declareJob()
      const attempts: number[] = []
      await queue.work(job, async ({ attempt }) => {
        attempts.push(attempt)
        if (attempt < 3) throw new DocentError(kind, 'host.busy', 'Not now.')
      })
      const id = await queue.send(job, { name: 'x' })
      await until(async () => (await stateOf(id)) === 'completed')
      expect(attempts).toEqual([1, 2, 3])
      expect(lines).toContainEqual(
        expect.objectContaining({ msg: 'queue.job_retried', level: 'warn', queueId: id, attempt: 2 }),
      )
    },
  )

  test.concurrent('for good after its last retry is failed, with the reason', async () => {
    const job = await declareJob({ retryLimit: 1 })
    const attempts: number[] = []
    await queue.work(job, async ({ attempt }) => {
      attempts.push(attempt)
      throw new DocentError('unavailable', 'host.down', `Attempt ${attempt} found nobody.`)
    })
    const id = await queue.send(job, { name: 'x' })
    const row = await until(async () => {
      const found = await rowOf(database, id)
      return found.state === 'failed' && found
    })
    expect(attempts).toEqual([1, 2])
    expect(row.output).toEqual({ code: 'host.down', message: 'Attempt 2 found nobody.' })
  })

  const hopeless: [string, () => unknown, string][] = [
    ...(['invalid', 'not_found', 'conflict', 'forbidden', 'unsupported', 'internal'] satisfies ErrorKind[]).map(
      (kind): [string, () => unknown, string] => [kind, () => new DocentError(kind, 'a.b', 'No.'), 'a.b'],
    ),
    ['an error of the program', () => new TypeError('x is not a function'), 'server.internal'],
    ['a text', () => 'thrown by hand', 'server.internal'],
    ['nothing', () => undefined, 'server.internal'],
  ]
  test.each(hopeless)('with %s is not tried again', async (_, thrown, code) => {
    const job = await declareJob()
    let attempts = 0
    await queue.work(job, async () => {
      attempts++
      throw thrown()
    })
    const id = await queue.send(job, { name: 'x' })
    const row = await until(async () => {
      const found = await rowOf(database, id)
      return found.state === 'failed' && found
    })
    expect(attempts).toBe(1)
    expect(row.output).toMatchObject({ code })
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'queue.job_failed', level: 'error', queueId: id }))
  })

  test('because an older node sent other data is not tried again, and the handler never sees it', async () => {
    const job = await declareJob()
    const { got, handler } = collect()
    await queue.work(job, handler)
    const older = { ...job, data: z.object({ title: z.string() }) }
    const id = await queue.send(older, { title: 'x' })
    await until(async () => (await stateOf(id)) === 'failed')
    expect(got).toEqual([])
  })

  test('does not disturb the others', async () => {
    const job = await declareJob({ concurrency: 2 })
    const done: string[] = []
    await queue.work(job, async ({ data }) => {
      if (data.name.startsWith('bad')) throw new DocentError('invalid', 'a.b', 'No.')
      done.push(data.name)
    })
    const names = Array.from({ length: 10 }, (_, index) => (index % 3 === 0 ? `bad ${index}` : `good ${index}`))
    for (const name of names) await queue.send(job, { name })
    await until(() => done.length === names.filter((name) => name.startsWith('good')).length)
    expect(done.sort()).toEqual(names.filter((name) => name.startsWith('good')).sort())
  })
})

test('a backlog is worked off without a pause after each job', async () => {
  const job = await declareJob()
  for (let index = 0; index < 10; index++) await queue.send(job, { name: String(index) })
  const { got, handler } = collect()
  const startedAt = performance.now()
  await queue.work(job, handler)
  await until(() => got.length === 10)
  expect(got.map(({ data }) => data.name)).toEqual(Array.from({ length: 10 }, (_, index) => String(index)))
  // Nine waits for the next poll would take twice as long.
  expect(performance.now() - startedAt).toBeLessThan(9_000)
})

test('of those that wait, the one with the highest priority is taken first, and the oldest among equals', async () => {
  const job = defineJob({ name: 'test.priority', data: Data })
  await queue.declare([job])
  for (const [name, priority] of Object.entries({ low: -2, first: 0, second: 0, high: 3 })) {
    await queue.send(job, { name }, { priority })
  }
  const { got, handler } = collect()
  await queue.work(job, handler)
  await until(() => got.length === 4)
  expect(got.map(({ data }) => data.name)).toEqual(['high', 'first', 'second', 'low'])
})

test('no more jobs of a kind run at a time than its concurrency says', async () => {
  const job = await declareJob({ concurrency: 2 })
  let running = 0
  let most = 0
  let done = 0
  await queue.work(job, async () => {
    most = Math.max(most, ++running)
    await until(() => most === 2)
    await sleep(20)
    running--
    done++
  })
  for (let index = 0; index < 6; index++) await queue.send(job, { name: String(index) })
  await until(() => done === 6)
  expect(most).toBe(2)
})

describe('declaring', () => {
  test('again changes what changed, and the schedule with it', async () => {
    const job = await declareJob({ schedule: '17 * * * *', retryLimit: 3 })
    const schedules = () =>
      sql`select cron, timezone from pgboss.schedule where name = ${job.name}`.execute(database.db)
    expect((await schedules()).rows).toEqual([{ cron: '17 * * * *', timezone: 'UTC' }])
    await queue.declare([{ ...job, schedule: '18 * * * *', retryLimit: 4 }])
    expect((await schedules()).rows).toEqual([{ cron: '18 * * * *', timezone: 'UTC' }])
    const { rows } = await sql`select retry_limit as limit from pgboss.queue where name = ${job.name}`.execute(
      database.db,
    )
    expect(rows).toEqual([{ limit: 4 }])
    await queue.declare([{ ...job, schedule: null }])
    expect((await schedules()).rows).toEqual([])
  })

  test.runIf(severalProcesses)('can be done by several nodes at once (an embedded database has one node)', async () => {
    const jobs = Array.from({ length: 3 }, () => defineJob({ name: `test.${randomBase62(8)}`, data: Data }))
    const nodes = await Promise.all(Array.from({ length: 4 }, () => startQueue({ database, log })))
    await Promise.all(nodes.map((node) => node.declare(jobs)))
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from pgboss.queue where name in (${sql.join(jobs.map(({ name }) => name))})`.execute(
      database.db,
    )
    expect(rows[0]!.count).toBe(3)
    await Promise.all(nodes.map((node) => node.stop({ timeoutMs: 1000 })))
  })
})

describe('stopping', () => {
  let own: TestDatabase
  let open: Database
  beforeAll(async () => {
    own = await createTestDatabase()
    open = await openDatabase(own.settings)
  })
  afterAll(async () => {
    await open.close()
    await own.delete()
  })
  const running: Queue[] = []
  afterEach(async () => {
    for (const one of running.splice(0)) await one.stop({ timeoutMs: 1000 })
  })
  async function start(): Promise<Queue> {
    const started = await startQueue({ database: open, log })
    running.push(started)
    return started
  }

  test('waits for a job that is running, tells it, and takes no new one', async () => {
    const job = defineJob({ name: 'test.waited_for', data: Data })
    const stopped = await start()
    await stopped.declare([job])
    const seen: string[] = []
    let told = false
    await stopped.work(job, async ({ data, stopping, signal }) => {
      seen.push(data.name)
      await until(() => stopping.aborted)
      told = true
      // Something to finish, after it was told.
      await setFact(open.db, 'finished', data.name)
      expect(signal.aborted).toBe(false)
      seen.push('finished')
    })
    const first = await stopped.send(job, { name: 'first' })
    const second = await stopped.send(job, { name: 'second' })
    await until(() => seen.length === 1)
    await stopped.stop({ timeoutMs: 30_000 })
    expect(told).toBe(true)
    expect(seen).toEqual(['first', 'finished'])
    expect((await rowOf(open, first)).state).toBe('completed')
    expect((await rowOf(open, second)).state).toBe('created')
  })

  test('hands back a job that does not end in time, and tells it that it has lost it', async () => {
    const job = defineJob({ name: 'test.handed_back', data: Data, retryDelaySeconds: 1 })
    const first = await start()
    await first.declare([job])
    const ended = Promise.withResolvers<void>()
    const attempts: number[] = []
    await first.work(job, async ({ attempt, signal }) => {
      attempts.push(attempt)
      await until(() => signal.aborted)
      ended.resolve()
    })
    const id = await first.send(job, { name: 'x' })
    await until(() => attempts.length === 1)
    await first.stop({ timeoutMs: 1000 })
    await ended.promise
    expect((await rowOf(open, id)).state).toBe('retry')

    // An embedded database knows one process at a time: there, the next worker is a new start on the same files.
    if (!severalProcesses) {
      await open.close()
      open = await openDatabase(own.settings)
    }
    const second = await start()
    await second.work(job, async ({ attempt }) => void attempts.push(attempt))
    await until(async () => (await rowOf(open, id)).state === 'completed')
    expect(attempts).toEqual([1, 2])
  })

  test('twice is harmless', async () => {
    const stopped = await start()
    await Promise.all([stopped.stop({ timeoutMs: 1000 }), stopped.stop({ timeoutMs: 1000 })])
    await stopped.stop({ timeoutMs: 1000 })
  })
})

describe('the death of a worker', () => {
  test('gives its job to another within 30 seconds, while a job of a living worker stays where it is', async () => {
    const own = await createTestDatabase()
    const script = `
      import { z } from ${JSON.stringify(import.meta.resolve('zod'))}
      import { openDatabase, createTestLog } from ${JSON.stringify(join(import.meta.dirname, '../../../tests/harness/open-database.ts'))}
      import { startQueue } from ${JSON.stringify(join(import.meta.dirname, 'queue.ts'))}
      import { defineJob } from ${JSON.stringify(join(import.meta.dirname, 'define-job.ts'))}
      const database = await openDatabase(${JSON.stringify(own.settings)})
      const queue = await startQueue({ database, log: createTestLog().log })
      const job = defineJob({ name: 'test.taken_over', data: z.object({ name: z.string() }), retryDelaySeconds: 1 })
      await queue.declare([job])
      await queue.work(job, async ({ id }) => {
        process.stdout.write(id)
        await new Promise(() => {})
      })
      await queue.send(job, { name: 'x' })`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const died = new Promise((resolve) => child.once('close', resolve))
    const id = await new Promise<string>((resolve, reject) => {
      child.stdout.once('data', (chunk) => resolve(String(chunk)))
      child.once('exit', (code) => reject(new Error(`The worker ended with ${code}.`)))
    })
    child.kill('SIGKILL')
    await died
    const diedAt = performance.now()

    const open = await openDatabase(own.settings)
    const survivor = await startQueue({ database: open, log })
    const lasting = defineJob({ name: 'test.lasting', data: Data })
    const dead = defineJob({ name: 'test.taken_over', data: Data, retryDelaySeconds: 1 })
    await survivor.declare([lasting, dead])
    const over = Promise.withResolvers<void>()
    const lastingAttempts: JobContext<Data>[] = []
    await survivor.work(lasting, async (context) => {
      lastingAttempts.push(context)
      await over.promise
    })
    const lastingId = await survivor.send(lasting, { name: 'lasting' })
    await until(() => lastingAttempts.length === 1)

    const { got, handler } = collect()
    await survivor.work(dead, handler)
    await until(() => got.length === 1)
    // An embedded database has no other process, so that there is no heartbeat to wait for.
    expect(performance.now() - diedAt).toBeLessThan(severalProcesses ? 30_000 : 8_000)
    expect(got[0]).toMatchObject({ id, attempt: 2, data: { name: 'x' } })

    // Nobody has taken it away; on a server it has by now run longer than a missed heartbeat takes.
    expect(lastingAttempts).toHaveLength(1)
    expect(lastingAttempts[0]!.signal.aborted).toBe(false)
    over.resolve()
    await until(async () => (await rowOf(open, lastingId)).state === 'completed')
    await until(async () => (await rowOf(open, id)).state === 'completed')
    await survivor.stop({ timeoutMs: 1000 })
    await open.close()
    await own.delete()
  }, 120_000)
})

test.runIf(severalProcesses)(
  'a queue whose connections are all cut goes on (an embedded database has none to cut)',
  async () => {
    const own = await createTestDatabase()
    const open = await openDatabase(own.settings)
    const { log: quiet } = createTestLog()
    const hardy = await startQueue({ database: open, log: quiet })
    const job = defineJob({ name: 'test.cut_off', data: Data })
    await hardy.declare([job])
    const { got, handler } = collect()
    await hardy.work(job, handler)
    await hardy.send(job, { name: 'before' })
    await until(() => got.length === 1)
    for (let round = 0; round < 3; round++) {
      const { rows } = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'docent-queue'`.execute(open.db)
      if (round === 0) expect(rows.length).toBeGreaterThan(0)
      await sleep(100)
    }
    await until(() => hardy.send(job, { name: 'after' }).catch(() => null))
    await until(() => got.some(({ data }) => data.name === 'after'))
    await hardy.stop({ timeoutMs: 1000 })
    await open.close()
    await own.delete()
  },
)

test('through all of this the queue itself reports no error', () => {
  expect(
    lines.filter(({ msg, level }) => msg === 'queue.warning' || (msg === 'queue.error' && level === 'error')),
  ).toEqual([])
})
