import { z } from 'zod'
import { integerParam, ProjectId, plainText, Timestamp } from '#infra/http/schema.ts'
import { rangeQuery } from '../reports/date-range.ts'

/** How far a team is with a piece of feedback. New feedback is `pending`. */
export const feedbackStatuses = ['pending', 'in_progress', 'resolved', 'dismissed'] as const
export type FeedbackStatus = (typeof feedbackStatuses)[number]

/** Kinds of feedback that clients of this API ask for. Pages here collect `contextual` feedback only. */
const feedbackSources = ['contextual', 'code_snippet', 'agent'] as const

export const ProjectParams = z.object({ projectId: ProjectId })

const limit = integerParam({ min: 1, max: 100, fallback: 50, about: 'Most rows to return. Default 50.' })
const cursor = z
  .string({ error: 'expected one cursor, found several' })
  .optional()
  .meta({ description: '`nextCursor` of the page before.' })

export const FeedbackQuery = rangeQuery({
  limit,
  cursor,
  status: z
    .string({ error: 'expected one list, found several' })
    .transform((text, context) => {
      const wanted = text.split(',').map((word) => word.trim())
      if (wanted.every(isStatus)) return wanted
      context.addIssue({ code: 'custom', message: `expected ${feedbackStatuses.join(', ')}, with commas between them` })
      return z.NEVER
    })
    .optional()
    .meta({
      description: 'Only with one of these statuses, with commas between them.',
      pattern: `^(${feedbackStatuses.join('|')})(,(${feedbackStatuses.join('|')}))*$`,
    }),
  source: z
    .enum(feedbackSources, { error: `expected ${feedbackSources.join(', ')}` })
    .optional()
    .meta({ description: 'Only of this kind; all feedback here is `contextual`.' }),
})

export const SearchQuery = rangeQuery({ limit, cursor })

const NextCursor = z.string().nullable().meta({ description: '`cursor` of the next page; null on the last.' })

export const Feedback = z
  .object({
    id: z.string(),
    path: z.string().meta({ description: 'Path of the page.' }),
    comment: z.string().nullable(),
    createdAt: Timestamp,
    source: z.literal('contextual'),
    status: z.enum(feedbackStatuses),
    helpful: z.boolean(),
    contact: z.string().nullable().meta({ description: 'How the reader can be reached, if they said so.' }),
  })
  .meta({ id: 'Feedback' })
export type Feedback = z.output<typeof Feedback>

export const FeedbackList = z.object({ feedback: z.array(Feedback), nextCursor: NextCursor, hasMore: z.boolean() })
export type FeedbackList = z.output<typeof FeedbackList>

export const SearchTerm = z
  .object({
    searchQuery: z.string().meta({ description: 'What was searched for, in lower case.' }),
    hits: z.int().meta({ description: 'How often.' }),
    ctr: z.number().meta({ description: 'Of these searches, the part after which a result was opened: 0 to 1.' }),
    topClickedPage: z.string().nullable().meta({ description: 'Path of the result that was opened most often.' }),
    lastSearchedAt: Timestamp,
  })
  .meta({ id: 'SearchTerm' })
export type SearchTerm = z.output<typeof SearchTerm>

export const SearchList = z.object({
  searches: z.array(SearchTerm),
  totalSearches: z.int().meta({ description: 'Searches in the range, those for other terms too.' }),
  nextCursor: NextCursor,
})
export type SearchList = z.output<typeof SearchList>

/** What a reader may say of a page. */
export const NewFeedback = z.object({
  helpful: z.boolean(),
  comment: plainText({ min: 1, max: 5000 }).nullable().default(null),
  contact: plainText({ min: 1, max: 320 }).nullable().default(null),
})
export type NewFeedback = z.output<typeof NewFeedback>

function isStatus(text: string): text is FeedbackStatus {
  return (feedbackStatuses as readonly string[]).includes(text)
}
