import type { Db } from '#infra/db/schema.ts'
import type { JobWatchers } from './job-watchers.ts'
import * as store from './store.ts'

export interface EventStream {
  jobId: string
  projectId: string
  /** Number of the last event that the reader has. */
  after: number
  signal: AbortSignal
}

// Events of another node are seen this late. The heartbeat is what proxies need to keep a silent connection open.
const lookEveryMs = 1_000
const heartbeatMs = 15_000
const batchSize = 200

/** What has happened and happens, as server-sent events; ends with the job, once it has nothing left to do. */
export async function* streamEvents(
  { db, jobWatchers }: { db: Db; jobWatchers: JobWatchers },
  { jobId, projectId, after, signal }: EventStream,
): AsyncGenerator<string> {
  let last = after
  let sentAt = Date.now()
  yield ': Docent\n\n'
  while (!signal.aborted) {
    // Asked before the events are: what was written until it ended is then among them.
    const job = await store.findJob(db, { id: jobId, projectId })
    const rows = await store.listEvents(db, { jobId, after: last, limit: batchSize })
    for (const row of rows) {
      yield formatEvent(row)
      last = row.number
      sentAt = Date.now()
    }
    if (rows.length === batchSize) continue
    if (!job || (job.status !== 'active' && last >= job.lastEvent)) return
    if (rows.length > 0) continue
    if (Date.now() - sentAt > heartbeatMs) {
      yield ': still here\n\n'
      sentAt = Date.now()
    }
    await jobWatchers.wait(jobId, { timeoutMs: lookEveryMs, signal })
  }
}

/** JSON has no line breaks of its own, so one `data` line is enough, whatever is in it. */
function formatEvent({ number, type, data, at }: store.EventRow): string {
  return `id: ${number}\nevent: ${type}\ndata: ${JSON.stringify({ at: at.toISOString(), ...data })}\n\n`
}
