import { z } from 'zod'
import { counted } from '#base/counted.ts'

/** The body of every error, whatever its status. */
export const ErrorBody = z
  .object({
    error: z.string().meta({ description: 'What went wrong, for people.' }),
    code: z.string().meta({ description: 'The same for programs: `area.reason`.', examples: ['project.not_found'] }),
    details: z
      .array(z.object({ message: z.string(), path: z.string() }))
      .optional()
      .meta({ description: 'Each fault of an invalid request, with the field it is about.' }),
  })
  .meta({ id: 'Error' })

/** A project in the path of a request. Not checked here: what is no id is answered as an unknown project. */
export const ProjectId = z.string().meta({ description: 'Id of the project, `prj_…`. The list of projects shows it.' })

const errorDescriptions = {
  400: 'The request is malformed; `details` names the fields.',
  401: 'No key, or one that is unknown, revoked or expired.',
  403: 'The key lacks the scope, or the caller’s address is not on its list.',
  404: 'No such thing, or one of another organization.',
  409: 'The request conflicts with what is there.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  429: 'Too many requests; `Retry-After` says when to try again.',
  503: 'Overloaded or stopping; `Retry-After` says when to try again.',
} as const

type ErrorStatus = keyof typeof errorDescriptions

const withBody: ErrorStatus[] = [413, 415]
const always: ErrorStatus[] = [400, 401, 403, 429, 503]

/** The error half of a route's `response`: what every route can answer, and the given ones. */
export function errorResponses(...more: ErrorStatus[]) {
  const statuses = [...new Set([...always, ...more])].sort()
  const entries = statuses.map((status) => [status, ErrorBody.describe(errorDescriptions[status])] as const)
  return Object.fromEntries(entries) as Record<ErrorStatus, typeof ErrorBody>
}

/** The same for a route that takes a body, or could be sent one: all but GET. */
export function bodyErrorResponses(...more: ErrorStatus[]) {
  return errorResponses(...withBody, ...more)
}

export const NoContent = z.null().describe('Done; the body is empty.')

/**
 * A whole number in a query. Query values are text, and `Number` would take '', ' 1', '0x10' and '1e3' too; what
 * is not plain digits is refused.
 */
export function integerParam({
  min,
  max,
  fallback,
  about,
}: {
  min: number
  max: number
  fallback: number
  about: string
}) {
  const digits = (raw: unknown) => (typeof raw === 'string' && /^\d{1,15}$/.test(raw) ? Number(raw) : (raw ?? fallback))
  const expected = `expected a whole number from ${min} to ${max}`
  return z
    .preprocess(digits, z.int({ error: expected }).min(min, expected).max(max, expected))
    .optional()
    .transform((value) => value ?? fallback)
    .meta({ type: 'integer', minimum: min, maximum: max, default: fallback, description: about })
}

export const Paging = {
  limit: integerParam({ min: 1, max: 250, fallback: 50, about: 'Most rows to return. Default 50.' }),
  offset: integerParam({ min: 0, max: 1_000_000_000, fallback: 0, about: 'Rows to skip. Default 0.' }),
}

export interface Page {
  limit: number
  offset: number
}

/** Rows that were asked for with one more than the limit, as a page: whether that one came is `hasMore`. */
export function toPage<Row>(rows: Row[], { limit }: Page): { rows: Row[]; hasMore: boolean } {
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit }
}

/**
 * Text that people type. PostgreSQL stores no NUL, and half of a surrogate pair is no Unicode: both would come back
 * as something else or as an error.
 */
export function plainText({ min, max }: { min: number; max: number }) {
  return z
    .string()
    .trim()
    .min(min, `expected at least ${counted(min, 'character')}`)
    .max(max, `expected at most ${max} characters`)
    .refine((text) => !text.includes('\0') && text.isWellFormed(), 'expected Unicode text without NUL')
}

export const Timestamp = z.iso.datetime().meta({ description: 'ISO 8601, UTC.' })
