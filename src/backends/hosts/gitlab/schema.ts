import { z } from 'zod'
import { webAddress } from '../host-answers.ts'

export const Project = z.object({
  id: z.number(),
  path_with_namespace: z.string().regex(/^[\w.-]+(\/[\w.-]+)+$/),
  web_url: webAddress,
  // Null while the repository is empty.
  default_branch: z.string().min(1).nullish(),
})

export const MergeRequest = z.object({
  iid: z.number().int().positive(),
  web_url: webAddress,
  state: z.enum(['opened', 'closed', 'locked', 'merged']),
  title: z.string(),
  source_branch: z.string(),
  target_branch: z.string(),
  // Null when the fork that it came from was deleted.
  source_project_id: z.number().nullish(),
})

export const Branch = z.object({ name: z.string() })
