import { z } from 'zod'
import type { Range } from '#backends/events/event-store.ts'
import { parseMoment } from './moment.ts'

/** More is understood than these; see moment.ts. */
const forms = [
  { type: 'string', format: 'date' },
  { type: 'string', format: 'date-time' },
]

function momentParam(description: string) {
  return z
    .string({ error: 'expected one date, found several' })
    .transform((text, context) => {
      const moment = parseMoment(text)
      if ('at' in moment) return moment.at
      context.addIssue({ code: 'custom', message: moment.fault })
      return z.NEVER
    })
    .optional()
    .meta({ description, anyOf: forms })
}

const dates = {
  dateFrom: momentParam(
    'Only from this moment on: `YYYY-MM-DD` (its midnight) or an ISO 8601 date-time. UTC, unless it names an offset.',
  ),
  dateTo: momentParam('Only before this moment, which itself is not included. Written as `dateFrom` is.'),
}

/** The query of a route that takes a range of time, with its other parameters. */
export function rangeQuery<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object({ ...dates, ...shape }).superRefine((query, context) => {
    const { dateFrom, dateTo } = query as { dateFrom?: number; dateTo?: number }
    if (dateFrom === undefined || dateTo === undefined || dateFrom < dateTo) return
    const message = 'expected a moment before dateTo, as dateTo itself is not included'
    context.addIssue({ code: 'custom', path: ['dateFrom'], message })
  })
}

export function rangeOf({ dateFrom, dateTo }: { dateFrom?: number | undefined; dateTo?: number | undefined }): Range {
  return { from: dateFrom ?? null, to: dateTo ?? null }
}
