import { z } from 'zod'
import { webAddress } from '../host-answers.ts'

export const Repository = z.object({
  id: z.number(),
  full_name: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
  html_url: webAddress,
  default_branch: z.string(),
  empty: z.boolean().optional(),
})

export const PullRequestAnswer = z.object({
  number: z.number().int().positive(),
  html_url: webAddress,
  state: z.enum(['open', 'closed']),
  merged: z.boolean(),
  title: z.string(),
  // `label` is the branch; `ref` is it too, until the branch is deleted. The id is -1 when the fork was deleted.
  head: z.object({ label: z.string(), repo_id: z.number() }),
  base: z.object({ ref: z.string() }),
})
