import { z } from 'zod'
import { defineJob } from '#infra/queue/define-job.ts'

/**
 * A branch of a project's repository moved: by a push, by a merge here, or told by the host's webhook. It says where to
 * look, not what is there: it can come twice, late, or for a push that was undone meanwhile, so whoever acts on it looks
 * at the branch itself.
 */
export const pushed = defineJob({
  name: 'repositories.pushed',
  data: z.object({
    projectId: z.string(),
    branch: z.string(),
    /** Where it was; null: it is new, or nobody knows. */
    before: z.string().nullable(),
    /** Where it is; null: it was deleted. */
    commit: z.string().nullable(),
  }),
  concurrency: 2,
  retryDelaySeconds: 2,
})

/**
 * Writes down a merge whose branch may have moved already. It is sent before the branch moves, so that a merge that was
 * killed in between still gets its record and its announcement. Can be repeated.
 */
export const finishMerge = defineJob({
  name: 'repositories.finish_merge',
  data: z.object({
    projectId: z.string(),
    number: z.int(),
    before: z.string(),
    commit: z.string(),
    by: z.object({
      organizationId: z.string(),
      actor: z.object({
        kind: z.enum(['key', 'user', 'local', 'system']),
        id: z.string().nullable(),
        name: z.string(),
      }),
      requestId: z.string().nullable(),
    }),
  }),
})
