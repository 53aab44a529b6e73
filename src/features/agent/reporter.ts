import type { Log } from '#base/log.ts'
import { oneLine } from '#base/one-line.ts'
import type { Db } from '#infra/db/schema.ts'
import type { JobWatchers } from './job-watchers.ts'
import * as store from './store.ts'

export interface JobEvent {
  type: string
  /** One line for people. */
  text: string
  [more: string]: unknown
}

/** Writes a run's events down in order without making the run wait for each. */
export interface Reporter {
  report(event: JobEvent): void
  /** Resolves when everything that was reported is written, or cannot be. */
  flush(): Promise<void>
}

const longestText = 300

/** Events of a worker that lost its job are dropped: they would stand between those of the one that has it. */
export function createReporter(
  { db, log, jobWatchers }: { db: Db; log: Log; jobWatchers: JobWatchers },
  hold: store.Hold,
): Reporter {
  let waiting: JobEvent[] = []
  let writing: Promise<void> | null = null

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      await db.transaction().execute(async (tx) => {
        if (!(await store.lockHeldJob(tx, hold))) return
        for (const { type, ...data } of batch) await store.insertEvent(tx, { jobId: hold.jobId, type, data })
      })
      jobWatchers.wake(hold.jobId)
    }
  }

  return {
    report(event) {
      waiting.push({ ...event, text: oneLine(event.text, longestText) })
      writing ??= write()
        .catch((err) => log.warn({ jobId: hold.jobId, err }, 'job.events_lost'))
        .finally(() => {
          writing = null
        })
    },
    async flush() {
      while (writing) await writing
    },
  }
}
