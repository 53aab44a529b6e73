import { z } from 'zod'
import { integerParam, Paging, plainText, Timestamp } from '#infra/http/schema.ts'

const jobStatuses = ['active', 'completed', 'archived', 'failed'] as const
export type JobStatus = (typeof jobStatuses)[number]

const Prompt = plainText({ min: 1, max: 20_000 }).meta({
  description: 'What the agent is to do, in your own words.',
  examples: ['replace "colour" with "color"'],
})

export const NewJob = z.object({ prompt: Prompt })
export type NewJob = z.output<typeof NewJob>

export const AgentJob = z
  .object({
    id: z.string(),
    status: z.enum(jobStatuses).meta({ description: 'Poll until it is no longer `active`.' }),
    source: z.object({
      repository: z.string().meta({ description: 'Full URL.' }),
      ref: z.string().meta({
        description: 'Branch that the work starts from. `HEAD` until the default branch was asked of the host.',
      }),
    }),
    model: z.string(),
    prLink: z.string().nullable().meta({
      description: 'Address of the pull request. Null while the job is `active`, and when nothing was changed.',
    }),
    createdAt: Timestamp,
    archivedAt: Timestamp.nullable(),
    prompt: z.string().meta({ description: 'What the job was created for. Follow-ups are among its events.' }),
    branch: z.string().nullable().meta({ description: 'The job’s own branch, once it is known.' }),
    title: z.string().nullable(),
    summary: z.string().nullable().meta({ description: 'What was done, as Markdown.' }),
    error: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .meta({ description: 'Why the job failed, and what to do.' }),
    usage: z.object({ steps: z.int(), inputTokens: z.int(), outputTokens: z.int() }),
  })
  .meta({ id: 'AgentJob' })
export type AgentJob = z.output<typeof AgentJob>

export const JobList = z.object({ jobs: z.array(AgentJob), hasMore: z.boolean() })
export const JobQuery = z.object({
  ...Paging,
  status: z.enum(jobStatuses).optional().meta({ description: 'Only jobs with this status.' }),
})
export const JobDiff = z
  .object({
    files: z.array(
      z.object({
        path: z.string(),
        previousPath: z.string().nullable().meta({ description: 'Where a renamed file was before; null for others.' }),
        status: z.enum(['added', 'changed', 'deleted', 'renamed']),
        added: z.int().meta({ description: 'Lines; 0 for binary files.' }),
        removed: z.int().meta({ description: 'Lines; 0 for binary files.' }),
        isBinary: z.boolean(),
        patch: z.string().nullable().meta({
          description:
            'Its hunks as `git diff` writes them. Null for binary files, for those whose text is the same, and where the whole would be too long.',
        }),
      }),
    ),
    truncated: z.boolean().meta({ description: 'Whether files, lines or ends of lines are left out.' }),
  })
  .meta({ id: 'JobDiff' })
export type JobDiff = z.output<typeof JobDiff>
export const ProjectParams = z.object({ projectId: z.string() })
export const JobParams = z.object({ projectId: z.string(), id: z.string() })

/** The caller's own name for a request, so that sending it again does nothing twice. */
export const IdempotencyHeaders = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'expected 1 to 255 printable characters without spaces')
    .optional()
    .meta({ description: 'The same key with the same body gives the same job for 24 hours; with another body, 409.' }),
})

/** Event numbers start at 1, so that 0 is all of them. */
export const EventHeaders = z.object({
  'last-event-id': integerParam({
    min: 0,
    max: 2_147_483_647,
    fallback: 0,
    about: 'Number of the last event you have; only later ones are sent.',
  }),
})

export const ModelTest = z
  .object({
    ok: z.boolean().meta({ description: 'Whether the model answered.' }),
    model: z.string().meta({ description: 'The model that was asked: the project’s.' }),
    milliseconds: z.int().meta({ description: 'How long the answer took.' }),
    message: z.string().meta({ description: 'How it went, and what to do where it did not go well.' }),
  })
  .meta({ id: 'ModelTest' })
export type ModelTest = z.output<typeof ModelTest>
