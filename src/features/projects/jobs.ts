import { z } from 'zod'
import { defineJob } from '#infra/queue/define-job.ts'

/** Deletes what we keep of a deleted project's repository: it, on the built-in host, or the mirror of one elsewhere. */
export const removeRepository = defineJob({
  name: 'projects.remove_repository',
  data: z.object({ projectId: z.string() }),
})

/** A project takes its files from another repository, branch or folder than before. */
export const sourceChanged = defineJob({
  name: 'projects.source_changed',
  data: z.object({ projectId: z.string() }),
})
