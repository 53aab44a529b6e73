import { z } from 'zod'
import { defineJob } from '#infra/queue/define-job.ts'

/** Deletes the repository of a deleted project from the built-in host. */
export const removeRepository = defineJob({
  name: 'projects.remove_repository',
  data: z.object({ projectId: z.string() }),
})
