import { z } from 'zod'
import { problemRules } from './check/problem.ts'

export const CheckParams = z.object({ projectId: z.string() })

export const Problem = z
  .object({
    rule: z.enum(problemRules).meta({ description: 'What kind of problem it is.' }),
    path: z.string().meta({ description: 'File that it is in, relative to the docs folder.' }),
    line: z.int(),
    column: z.int(),
    message: z.string(),
    hint: z.string().nullable().meta({ description: 'What to do about it, where that is known.' }),
  })
  .meta({ id: 'Problem' })

export const ProjectCheck = z
  .object({
    commit: z.string().meta({ description: 'The commit that was checked.' }),
    ref: z.string().meta({ description: 'The branch whose head it was.' }),
    problems: z.array(Problem),
    pages: z.int().meta({ description: 'How many pages were looked at.' }),
    links: z.int().meta({ description: 'How many links were looked at.' }),
  })
  .meta({ id: 'ProjectCheck' })
export type ProjectCheck = z.output<typeof ProjectCheck>
