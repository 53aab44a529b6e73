import { z } from 'zod'
import { modelIdFault } from '#base/model-id.ts'
import { isBranchName, isInnerPath } from '#infra/git/name-rules.ts'
import { Paging, plainText, Timestamp } from '#infra/http/schema.ts'

export const providers = ['builtin', 'github', 'gitlab', 'gitea', 'bitbucket'] as const
export type Provider = (typeof providers)[number]

const Repository = plainText({ min: 1, max: 500 }).meta({
  description: 'The repository: its full URL, or `owner/name`. Not for `builtin`, which makes its own.',
  examples: ['acme/docs', 'https://github.com/acme/docs'],
})

const Ref = plainText({ min: 1, max: 250 })
  .refine(isBranchName, 'expected a branch name that git accepts')
  .meta({ description: 'The branch to work from. Left out: the repository’s default branch.' })

const DocsPath = z
  .string()
  .trim()
  .max(500)
  .transform((path) => path.replace(/^\.?\/+|\/+$|^\.$/g, ''))
  .refine(isInnerPath, 'expected a folder inside the repository, such as docs or packages/app/docs')
  .meta({ type: 'string', description: 'Folder of the docs inside the repository. Empty: its root.' })

const ApiUrl = z
  .url({ protocol: /^https?$/, error: 'expected an http or https URL', abort: true })
  .max(500)
  .refine((text) => !/\p{Cc}/u.test(text) && text.isWellFormed(), 'expected a URL without control characters')
  .refine((text) => {
    const { username, password } = new URL(text)
    return username === '' && password === ''
  }, 'expected a URL without a user name or password; use token')
  .meta({ description: 'API address of a self-managed host.', examples: ['https://git.example.com/api/v3'] })

const Token = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^[\x21-\x7e]+$/, 'expected printable characters without spaces')
  .meta({ description: 'Access token. Stored encrypted and never returned.' })

const Model = z
  .string()
  .refine((id) => modelIdFault(id) === null, { error: (issue) => modelIdFault(String(issue.input)) ?? 'unknown model' })
  .meta({ description: '`builtin/editor` or `<provider>/<model>`.', examples: ['builtin/editor'] })

const OpenPaths = z
  .array(
    plainText({ min: 1, max: 500 })
      .transform((path) => path.replace(/\/+$/, ''))
      .refine((path) => path !== '' && isInnerPath(path), 'expected a path inside the repository, such as .github'),
  )
  .max(50)
  .meta({
    description:
      'Files and folders that agents may change although they are closed to them: what runs in CI, pins dependencies or instructs agents.',
    examples: [['AGENTS.md', '.github/workflows']],
  })

const ProjectName = plainText({ min: 1, max: 100 })

export const NewSource = z.object({
  provider: z.enum(providers),
  repository: Repository.optional(),
  ref: Ref.optional(),
  docsPath: DocsPath.optional(),
  apiUrl: ApiUrl.optional(),
  token: Token.optional(),
})
export type NewSource = z.output<typeof NewSource>

export const NewProject = z.object({
  name: ProjectName,
  source: NewSource.optional().meta({ description: 'Left out: the built-in host makes a repository from a template.' }),
  model: Model.optional().meta({ description: 'Left out: the server’s default model.' }),
  openPaths: OpenPaths.optional(),
})
export type NewProject = z.output<typeof NewProject>

export const SourceChange = z.object({
  repository: Repository.optional(),
  ref: Ref.nullable().optional(),
  docsPath: DocsPath.optional(),
  apiUrl: ApiUrl.nullable().optional(),
  token: Token.nullable().optional().meta({
    description: 'Null takes it away; so does a repository or apiUrl on another host, unless a new one is given.',
  }),
})
export type SourceChange = z.output<typeof SourceChange>

export const ProjectChange = z
  .object({
    name: ProjectName.optional(),
    source: SourceChange.optional(),
    model: Model.nullable().optional().meta({ description: 'Null: the server’s default model.' }),
    openPaths: OpenPaths.optional(),
  })
  .meta({ description: 'Only what is given changes; null takes a value away.' })
export type ProjectChange = z.output<typeof ProjectChange>

export const Project = z
  .object({
    id: z.string(),
    name: z.string(),
    slug: z.string().meta({ description: 'The name in addresses. It stays when the name changes.' }),
    source: z.object({
      provider: z.enum(providers),
      repository: z.string().meta({ description: 'Full URL.' }),
      ref: z.string().nullable().meta({ description: 'Null: the repository’s default branch.' }),
      docsPath: z.string(),
      apiUrl: z.string().nullable().meta({ description: 'API address of a self-managed host. Null: the usual one.' }),
      hasToken: z.boolean().meta({ description: 'Whether an access token is stored. It is never returned.' }),
    }),
    model: z.string(),
    hasOwnModel: z.boolean().meta({ description: 'Whether the project chose its model. False: it is the server’s.' }),
    hasPushHook: z.boolean().meta({ description: 'Whether a secret for push events was made.' }),
    openPaths: z.array(z.string()).meta({ description: 'Closed paths that are open to agents here.' }),
    siteUrl: z.string(),
    isDemo: z.boolean().meta({ description: 'Whether it is the project that the first start made to look around in.' }),
    createdAt: Timestamp,
  })
  .meta({ id: 'Project' })
export type Project = z.output<typeof Project>

export const ProjectList = z.object({ projects: z.array(Project), hasMore: z.boolean() })
export const ProjectQuery = z.object(Paging)
export const ProjectParams = z.object({ projectId: z.string() })
