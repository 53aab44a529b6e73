import { z } from 'zod'
import { runAgentJob } from '#features/agent/jobs.ts'
import { removeRepository, sourceChanged } from '#features/projects/jobs.ts'
import { finishMerge, pushed } from '#features/repositories/jobs.ts'
import { poll, publish } from '#features/site/jobs.ts'
import { deliverWebhook } from '#features/webhooks/jobs.ts'
import { type AnyJobDefinition, defineJob } from '#infra/queue/define-job.ts'

/** Deletes what is past its time. Hourly, once over all nodes. */
export const prune = defineJob({ name: 'maintenance.prune', data: z.object({}), schedule: '17 * * * *' })

/** Every kind of background work there is. worker.ts says who does it. */
export const jobs: AnyJobDefinition[] = [
  prune,
  removeRepository,
  sourceChanged,
  pushed,
  finishMerge,
  publish,
  poll,
  deliverWebhook,
  runAgentJob,
]
