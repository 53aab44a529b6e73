import { z } from 'zod'
import { isBranchName } from '#infra/git/name-rules.ts'
import { Paging, plainText, Timestamp } from '#infra/http/schema.ts'

const states = ['waiting', 'building', 'ready', 'failed'] as const
export type DeploymentState = (typeof states)[number]

const reasons = ['first', 'push', 'poll', 'manual', 'return', 'settings'] as const
export type DeploymentReason = (typeof reasons)[number]

const Commit = z
  .string()
  .regex(/^[0-9a-f]{7,40}$/, 'expected 7 to 40 hexadecimal digits')
  .meta({ description: 'A commit of the project’s repository, or how its id begins.' })

const Ref = plainText({ min: 1, max: 250 })
  .refine(isBranchName, 'expected a branch name that git accepts')
  .meta({ description: 'A branch of the project’s repository.' })

export const Deployment = z
  .object({
    id: z.string(),
    state: z
      .enum(states)
      .meta({ description: 'Readers get it once it is `ready`; before that they keep what they had.' }),
    reason: z.enum(reasons).meta({ description: 'Why it was made. `return`: somebody went back to an earlier one.' }),
    commit: z.string().nullable().meta({ description: 'Null: not looked up yet, or it could not be.' }),
    ref: z.string().nullable().meta({ description: 'The branch it is of. Null: not looked up yet.' }),
    by: z.string().nullable().meta({ description: 'Who asked for it; null: a push, or Docent itself.' }),
    isLive: z.boolean().meta({ description: 'Whether readers get it now.' }),
    pages: z.int().meta({ description: 'How many pages it has.' }),
    changes: z
      .object({ added: z.int(), changed: z.int(), removed: z.int() })
      .meta({ description: 'How many pages differ from what was live before.' }),
    warnings: z.int().meta({ description: 'How many things readers do not see as their author meant them.' }),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    createdAt: Timestamp,
    finishedAt: Timestamp.nullable(),
  })
  .meta({ id: 'Deployment' })
export type Deployment = z.output<typeof Deployment>

const Routes = z.array(z.string())

export const DeploymentDetails = Deployment.extend({
  changedPages: z
    .object({ added: Routes, changed: Routes, removed: Routes })
    .meta({ description: 'Their addresses, the first 200 of each.' }),
  warningList: z
    .array(
      z.object({
        route: z.string().nullable().meta({ description: 'Address of the page. Null: of the configuration.' }),
        path: z.string().meta({ description: 'The file.' }),
        line: z.int().nullable(),
        message: z.string(),
      }),
    )
    .meta({ description: 'The first 200.' }),
}).meta({ id: 'DeploymentDetails' })
export type DeploymentDetails = z.output<typeof DeploymentDetails>

export const DeploymentList = z.object({ deployments: z.array(Deployment), hasMore: z.boolean() })

export const Site = z
  .object({
    url: z.string().meta({ description: 'Where readers find it on this server.' }),
    domains: z.array(z.string()),
    live: Deployment.nullable().meta({ description: 'What readers get. Null: nothing was published yet.' }),
    building: z.boolean().meta({ description: 'Whether another deployment is on its way.' }),
  })
  .meta({ id: 'Site' })
export type Site = z.output<typeof Site>

const notBoth = 'expected ref or commit, not both'

export const NewDeployment = z
  .object({ ref: Ref.optional(), commit: Commit.optional() })
  .refine(({ ref, commit }) => ref === undefined || commit === undefined, { error: notBoth, path: ['commit'] })
  .meta({
    description:
      'Left out: the project’s branch as it is now. What is published otherwise stays until the project’s branch moves.',
  })
export type NewDeployment = z.output<typeof NewDeployment>

export const Domain = z.object({ name: z.string(), url: z.string(), createdAt: Timestamp }).meta({ id: 'SiteDomain' })
export type Domain = z.output<typeof Domain>

export const DomainList = z.object({ domains: z.array(Domain) })
export const NewDomain = z.object({
  name: plainText({ min: 1, max: 253 }).meta({
    description: 'A name that leads to this server, such as docs.example.com.',
    examples: ['docs.example.com'],
  }),
})

const mostHours = 24 * 365

export const NewPreview = z
  .object({
    ref: Ref.optional(),
    commit: Commit.optional(),
    expiresInHours: z
      .int()
      .min(1)
      .max(mostHours)
      .default(24 * 7)
      .meta({ description: 'How long the link to share works.' }),
  })
  .refine(({ ref, commit }) => (ref === undefined) !== (commit === undefined), {
    error: 'expected either ref or commit',
    path: ['ref'],
  })
  .meta({ description: 'A branch, which the preview then follows, or a commit.' })
export type NewPreview = z.output<typeof NewPreview>

export const Preview = z
  .object({
    url: z.string().meta({ description: 'For readers with a key of the organization.' }),
    shareUrl: z.string().meta({ description: 'For everybody who has it, until it expires.' }),
    expiresAt: Timestamp,
  })
  .meta({ id: 'SitePreview' })
export type Preview = z.output<typeof Preview>

export const ProjectParams = z.object({ projectId: z.string() })
export const DeploymentParams = ProjectParams.extend({ deploymentId: z.string() })
export const DomainParams = ProjectParams.extend({ name: z.string() })
export const DeploymentQuery = z.object(Paging)
