import { expect } from 'vitest'
import { until } from './until.ts'

/** Waits until an agent job is no longer active; `get` asks the API for it. */
// biome-ignore lint/suspicious/noExplicitAny: a job as the API gives it.
export function endedJob(get: () => Promise<any>): Promise<any> {
  return until(async () => {
    const job = await get()
    if (job.status !== 'active') return job
    expect(job.prLink).toBeNull()
    return null
  })
}
