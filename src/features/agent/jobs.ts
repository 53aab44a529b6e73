import { z } from 'zod'
import { defineJob } from '#infra/queue/define-job.ts'

/** Works on one prompt of an agent job. Several at a time; how many is a setting. */
export const runAgentJob = defineJob({
  name: 'agent.run',
  data: z.object({ jobId: z.string(), ticket: z.int() }),
  // The run has a time limit of its own, which is a setting; this is only the most that the queue takes.
  timeoutSeconds: 23 * 3600,
  // A dead worker's job must be with another one within 30 s, so there is hardly a wait. How often is enough is
  // counted by the run itself, as not each of these is a failure.
  retryDelaySeconds: 1,
  retryLimit: 20,
})
