import { z } from 'zod'
import { webAddress } from '../host-answers.ts'

const links = z.object({ html: z.object({ href: webAddress }) })

export const Repository = z.object({
  full_name: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
  links,
  // Null while the repository is empty.
  mainbranch: z.object({ name: z.string().min(1) }).nullish(),
})

export const PullRequestAnswer = z.object({
  id: z.number().int().positive(),
  links,
  state: z.enum(['OPEN', 'MERGED', 'DECLINED', 'SUPERSEDED']),
  title: z.string(),
  draft: z.boolean().optional(),
  // The repository is null when the fork that it came from was deleted.
  source: z.object({
    branch: z.object({ name: z.string() }),
    repository: z.object({ full_name: z.string() }).nullish(),
  }),
  destination: z.object({ branch: z.object({ name: z.string() }) }),
  reviewers: z.array(z.object({ uuid: z.string() })).optional(),
})

export const PullRequestPage = z.object({ values: z.array(PullRequestAnswer) })
