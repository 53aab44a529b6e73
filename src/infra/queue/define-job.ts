import type { ZodType } from 'zod'

/** One kind of background work: its name, what it carries, and how it behaves when things go wrong. */
export interface JobDefinition<Data extends object> {
  /** `area.thing`, and the name of the queue. */
  name: string
  /** Checked when a job is sent and again when it is taken: an older node may have sent it. */
  data: ZodType<Data>
  /** How many of them one process runs at a time. */
  concurrency: number
  /** Longest time one attempt may take. */
  timeoutSeconds: number
  /** How often to try again after `unavailable`, `rate_limited` or the death of a worker. */
  retryLimit: number
  /** First wait before trying again; doubles each time. */
  retryDelaySeconds: number
  /** Five fields of cron, UTC: the job is sent then, once over all nodes. */
  schedule: string | null
}

/** A definition of whatever data, where only its settings matter. */
// biome-ignore lint/suspicious/noExplicitAny: the data type is both taken and given, so only any fits all.
export type AnyJobDefinition = JobDefinition<any>

type Defaults = Pick<
  JobDefinition<object>,
  'concurrency' | 'timeoutSeconds' | 'retryLimit' | 'retryDelaySeconds' | 'schedule'
>

const defaults: Defaults = { concurrency: 1, timeoutSeconds: 900, retryLimit: 5, retryDelaySeconds: 5, schedule: null }

export function defineJob<Data extends object>(
  definition: Pick<JobDefinition<Data>, 'name' | 'data'> & Partial<Defaults>,
): JobDefinition<Data> {
  return { ...defaults, ...definition }
}
