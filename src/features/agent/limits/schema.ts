import { z } from 'zod'
import { ProjectId } from '#infra/http/schema.ts'

/** What each limit is about, and the least that makes sense. The most is the server’s setting. */
const kinds = {
  jobsPerHour: { least: 1, about: 'Jobs and follow-ups that the project may ask for in an hour.' },
  maxSteps: { least: 1, about: 'Steps (answers of the model) for one prompt.' },
  maxMinutes: { least: 1, about: 'Minutes for one prompt.' },
  maxTokens: { least: 1000, about: 'Tokens for one prompt, in and out.' },
  maxFiles: { least: 1, about: 'Files that one prompt may change.' },
} as const
export type LimitName = keyof typeof kinds
export const limitNames = Object.keys(kinds) as LimitName[]

/** Limits that a project has set for itself. */
export type OwnLimits = Partial<Record<LimitName, number>>

// The most that any setting of the server can be.
const mostEver = 1_000_000_000

function ofEach<T>(make: (name: LimitName) => T): Record<LimitName, T> {
  return Object.fromEntries(limitNames.map((name) => [name, make(name)])) as Record<LimitName, T>
}

export const AgentLimits = z
  .object(
    ofEach((name) =>
      z
        .object({
          value: z.int().meta({ description: 'What holds now.' }),
          own: z.int().nullable().meta({ description: 'What the project has set. Null: it goes by the server.' }),
          most: z.int().meta({ description: 'The server’s setting, which no project exceeds.' }),
        })
        .meta({ description: kinds[name].about }),
    ),
  )
  .meta({ id: 'AgentLimits' })
export type AgentLimits = z.output<typeof AgentLimits>

export const AgentLimitsChange = z
  .object(
    ofEach((name) => {
      const { least, about } = kinds[name]
      const expected = `expected a whole number from ${least} up to the server’s setting, or null`
      return z
        .int(expected)
        .min(least, expected)
        .max(mostEver, expected)
        .nullable()
        .optional()
        .meta({ description: `${about} Null: as many as the server allows.` })
    }),
  )
  .meta({ description: 'Only what is given changes.' })
export type AgentLimitsChange = z.output<typeof AgentLimitsChange>

export const LimitsParams = z.object({ projectId: ProjectId })
