import { z } from 'zod'
import { defineJob } from '#infra/queue/define-job.ts'

/** Waits between the attempts to deliver one event: eight attempts over ten hours. */
export const retryDelaysSeconds = [5, 30, 300, 1800, 3600, 10_800, 21_600]

/**
 * One attempt to deliver one event. A receiver that fails is tried again by a job of its own, sent in the transaction that
 * writes the failure down; the queue's retries are for dead workers and a database that is away.
 */
export const deliverWebhook = defineJob({
  name: 'webhooks.deliver',
  data: z.object({
    deliveryId: z.string(),
    /** 1 for the first. A job whose attempt was made already does nothing. */
    attempt: z.int(),
    /** How many attempts may follow this one. */
    retriesLeft: z.int(),
  }),
  // Looking up a name holds one of the four threads that Node also reads files with; a slow name server must not get all.
  concurrency: 3,
  timeoutSeconds: 60,
  retryLimit: 50,
  retryDelaySeconds: 1,
})
