import { z } from 'zod'
import { defineJob } from '#infra/queue/define-job.ts'

/** Publishes a project: a deployment that waits for it, or its branch if that has something new. Can be repeated. */
export const publish = defineJob({
  name: 'site.publish',
  data: z.object({
    projectId: z.string(),
    reason: z.enum(['first', 'push', 'poll', 'manual', 'return', 'settings']),
    deploymentId: z.string().nullable(),
  }),
  // Those of one project wait for each other, and must not keep the others waiting.
  concurrency: 6,
  retryDelaySeconds: 2,
})

/** Looks whether branches on other hosts moved, for those whose hosts do not tell us. A queue of its own: hosts are slow. */
export const poll = defineJob({
  name: 'site.poll',
  data: z.object({}),
  timeoutSeconds: 300,
  retryLimit: 0,
  schedule: '* * * * *',
})
