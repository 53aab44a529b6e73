import { sql } from 'kysely'
import { type Queue as BossQueue, fromKysely, type Job, type JobResult, PgBoss } from 'pg-boss'
import { DocentError, type ErrorKind, messageOf, toDocentError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import type { Database } from '../db/database.ts'
import type { Db, Tx } from '../db/schema.ts'
import type { AnyJobDefinition, JobDefinition } from './define-job.ts'

// A worker that dies stops its heartbeat. It is missed after heartbeatSeconds (10 is the least pg-boss takes) and
// seen within superviseSeconds, so that another worker has the job well inside 30 seconds.
const heartbeatSeconds = 10
const superviseSeconds = 5

// New jobs announce themselves; one that waits for its next try does not, and is found by looking. It adds to the time
// above, as does the wait before the next try.
const pollingIntervalSeconds = 2

const noJob = '00000000-0000-0000-0000-000000000000'

/** The queue half of the error mapping: only what may pass by itself is worth another try. */
const retriedKinds: ReadonlySet<ErrorKind> = new Set(['rate_limited', 'unavailable'])

export interface JobContext<Data> {
  id: string
  data: Data
  /** 1 for the first try. */
  attempt: number
  /** Aborts when this worker no longer holds the job: another may have it, so stop writing. */
  signal: AbortSignal
  /** Aborts when the process is asked to stop. A long job saves its place and throws `unavailable`; a short one ends. */
  stopping: AbortSignal
}

export type JobHandler<Data> = (context: JobContext<Data>) => Promise<void>

export interface SendOptions {
  /** Sends the job if and when this transaction commits. */
  tx?: Tx
  /** Do not run before this many seconds from now. */
  delaySeconds?: number
  /** Of those that wait, higher ones run first, and older ones among equals. 0 when it is left out. */
  priority?: number
}

export interface Queue {
  /** Writes the job down and returns its id; it survives this process from then on. */
  send<Data extends object>(job: JobDefinition<Data>, data: Data, options?: SendOptions): Promise<string>
  /** Declares the jobs this process knows, so that `send` finds their queues. Idempotent. */
  declare(jobs: AnyJobDefinition[]): Promise<void>
  /** Starts taking jobs of this kind. */
  work<Data extends object>(
    job: JobDefinition<Data>,
    handler: JobHandler<Data>,
    options?: { concurrency?: number },
  ): Promise<void>
  ping(): Promise<void>
  /** Takes no new jobs, waits for running ones, and hands back what is not done by then. */
  stop(options: { timeoutMs: number }): Promise<void>
}

export async function startQueue({ database, log }: { database: Database; log: Log }): Promise<Queue> {
  const stopping = new AbortController()
  /** The names of the jobs that this process works on. */
  const worked = new Set<string>()
  const boss = new PgBoss({
    ...database.queueConnection,
    schema: 'pgboss',
    application_name: 'docent-queue',
    useListenNotify: true,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
  })
  // While stopping, pg-boss complains about each job that ends too late to be written down; those were handed back.
  boss.on('error', (err) => log[stopping.signal.aborted ? 'warn' : 'error']({ err }, 'queue.error'))
  boss.on('warning', (warning) => log.warn({ warning }, 'queue.warning'))
  await boss.start()
  if (!database.supports.severalProcesses) await putBackAbandoned(boss, database.db)

  return {
    async send(job, data, { tx, delaySeconds, priority } = {}) {
      const id = await boss.send(job.name, job.data.parse(data), {
        ...(delaySeconds === undefined ? {} : { startAfter: delaySeconds }),
        ...(priority === undefined ? {} : { priority }),
        // Kysely's camel-case plugin must not rename the columns that pg-boss reads back.
        ...(tx ? { db: fromKysely(tx.withoutPlugins()) } : {}),
      })
      if (id === null) throw new DocentError('internal', 'queue.refused', `The queue took no job ${job.name}.`)
      return id
    },

    async declare(jobs) {
      const existing = new Set((await boss.getQueues()).map((queue) => queue.name))
      for (const job of jobs) {
        const { name, ...options } = queueOptions(job)
        await (existing.has(name) ? boss.updateQueue(name, options) : boss.createQueue(name, options))
        // An earlier version may have had a schedule for it that is gone now.
        await (job.schedule ? boss.schedule(name, job.schedule, {}, { tz: 'UTC' }) : boss.unschedule(name))
        // Asking for any job makes pg-boss remember the queue. It would otherwise look it up at the first `send`, outside
        // of that one's transaction; and on PGlite's one connection the two would wait for each other for ever.
        await boss.findJobs(name, { id: noJob })
      }
    },

    async work(job, handler, { concurrency = job.concurrency } = {}) {
      worked.add(job.name)
      const options = {
        perJobResults: true as const,
        pollingIntervalSeconds,
        notifyPollingIntervalSeconds: pollingIntervalSeconds,
      }
      // One worker a slot, not pg-boss's own concurrency: that way each knows its id, and can be told to look again.
      for (let slot = 0; slot < concurrency; slot++) {
        const id = await boss.work(job.name, options, async (taken: Job<object>[]): Promise<JobResult[]> => {
          const results = await Promise.all(taken.map((one) => run(one, job, handler)))
          // After a job pg-boss waits for its next poll, and would take a backlog one job a poll.
          boss.notifyWorker(id)
          return results
        })
      }
    },

    async ping() {
      await boss.getQueues()
    },

    async stop({ timeoutMs }) {
      // Before anybody is told: pg-boss stops its workers only after its listener, and one whose job ends until then would
      // take the next.
      await Promise.all([...worked].map((name) => boss.offWork(name, { wait: false })))
      stopping.abort()
      await boss.stop({ graceful: true, timeout: timeoutMs })
    },
  }

  async function run<Data extends object>(
    taken: Job<object>,
    job: JobDefinition<Data>,
    handler: JobHandler<Data>,
  ): Promise<JobResult> {
    const fields = { job: job.name, queueId: taken.id, attempt: taken.retryCount + 1 }
    const startedAt = performance.now()
    try {
      const data = job.data.parse(taken.data)
      const { signal } = taken
      await handler({ id: taken.id, data, attempt: fields.attempt, signal, stopping: stopping.signal })
      log.debug({ ...fields, durationMs: Math.round(performance.now() - startedAt) }, 'queue.job_done')
      return { id: taken.id, status: 'completed' }
    } catch (thrown) {
      const error = toDocentError(thrown)
      const retried = retriedKinds.has(error.kind)
      log[retried ? 'warn' : 'error']({ ...fields, err: thrown }, retried ? 'queue.job_retried' : 'queue.job_failed')
      // pg-boss's "deadletter" is its word for "failed, and no retry".
      return {
        id: taken.id,
        status: retried ? 'failed' : 'deadletter',
        output: { code: error.code, message: messageOf(thrown) },
      }
    }
  }
}

/**
 * On a database that one process has for itself, whoever had a job before this start is dead: there is no heartbeat to
 * wait for.
 */
async function putBackAbandoned(boss: PgBoss, db: Db): Promise<void> {
  const { rows } = await sql<{ name: string; id: string }>`
    select name, id from pgboss.job where state = 'active'`.execute(db)
  for (const { name, id } of rows) await boss.fail(name, id, { message: 'the process that had it ended' })
}

function queueOptions(job: AnyJobDefinition): BossQueue {
  return {
    name: job.name,
    notify: true,
    heartbeatSeconds,
    expireInSeconds: job.timeoutSeconds,
    retryLimit: job.retryLimit,
    retryDelay: job.retryDelaySeconds,
    retryBackoff: true,
    retryDelayMax: 3600,
  }
}
