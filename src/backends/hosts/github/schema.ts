import { z } from 'zod'
import { webAddress } from '../host-answers.ts'

export const Repository = z.object({
  id: z.number(),
  full_name: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
  html_url: webAddress,
  default_branch: z.string().min(1),
})

export const PullRequestAnswer = z.object({
  number: z.number().int().positive(),
  html_url: webAddress,
  state: z.enum(['open', 'closed']),
  merged_at: z.string().nullish(),
  title: z.string(),
  // Null when the fork that it came from was deleted.
  head: z.object({ ref: z.string(), repo: z.object({ id: z.number() }).nullable() }),
  base: z.object({ ref: z.string(), repo: z.object({ id: z.number() }) }),
})

export const Installation = z.object({ id: z.number() })

export const InstallationToken = z.object({ token: z.string().min(1), expires_at: z.iso.datetime({ offset: true }) })
