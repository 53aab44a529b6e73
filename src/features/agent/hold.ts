import { setInterval as every } from 'node:timers/promises'
import { DocentError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import type { Db, Tx } from '#infra/db/schema.ts'
import * as store from './store.ts'

// An archived job stops within this time, and so does a worker whose job another one took over.
const lookEveryMs = 1_000

/** Writes something if this worker still has the job; throws `job.lost` otherwise, and writes nothing. */
export async function whileHeld<T>(
  db: Db,
  hold: store.Hold,
  write: (tx: Tx, job: store.JobRow) => Promise<T>,
): Promise<T> {
  return await db.transaction().execute(async (tx) => {
    const job = await store.lockHeldJob(tx, hold)
    if (!job) throw new DocentError('conflict', 'job.lost', 'This worker no longer has the job.')
    return await write(tx, job)
  })
}

export interface HoldWatch extends Disposable {
  /** Aborts when the worker has lost the job: archived, deleted, or with another worker. */
  lost: AbortSignal
}

export function watchHold({ db, log }: { db: Db; log: Log }, hold: store.Hold): HoldWatch {
  const lost = new AbortController()
  const ended = new AbortController()
  void watch().catch((err) => {
    if (!ended.signal.aborted) log.error({ jobId: hold.jobId, err }, 'job.watch_failed')
  })

  async function watch(): Promise<void> {
    for await (const _ of every(lookEveryMs, undefined, { signal: ended.signal, ref: false })) {
      // A database that does not answer now says nothing about who has the job.
      const held = await store.isHeld(db, hold).catch(() => true)
      if (held) continue
      lost.abort()
      return
    }
  }

  return { lost: lost.signal, [Symbol.dispose]: () => ended.abort() }
}
