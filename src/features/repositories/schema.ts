import { z } from 'zod'

export const PushHookParams = z.object({ projectId: z.string() })

export const PushHook = z
  .object({
    urls: z
      .object({
        github: z.string().meta({ description: 'For GitHub, GitHub Enterprise and Gitea.' }),
        gitlab: z.string(),
      })
      .meta({ description: 'Where the host sends its push events, one for each kind of host.' }),
    secret: z.string().meta({
      description: 'Shown once. GitHub calls it the secret, GitLab the secret token or the signing token.',
    }),
  })
  .meta({ id: 'PushHook' })

export const SourceTest = z
  .object({
    ok: z.boolean().meta({ description: 'Whether the repository and its branch can be read.' }),
    branch: z.string().nullable().meta({ description: 'The branch that was found.' }),
    commit: z.string().nullable().meta({ description: 'The commit that it is at.' }),
    milliseconds: z.int().meta({ description: 'How long finding it took.' }),
    message: z.string().meta({ description: 'How it went, and what to do where it did not go well.' }),
  })
  .meta({ id: 'SourceTest' })
export type SourceTest = z.output<typeof SourceTest>

export const HookParams = z.object({ projectId: z.string(), vendor: z.enum(['github', 'gitlab']) })

/** Of a push, what we act on; a payload has a hundred more fields. Gitea's is like GitHub's. */
export const GithubPush = z.object({
  ref: z.string(),
  before: z.string().optional(),
  after: z.string().optional(),
  repository: z.object({ html_url: z.string().optional(), clone_url: z.string().optional() }),
})

export const GitlabPush = z.object({
  object_kind: z.literal('push'),
  ref: z.string(),
  before: z.string().optional(),
  after: z.string().optional(),
  project: z.object({ web_url: z.string().optional(), git_http_url: z.string().optional() }),
})
