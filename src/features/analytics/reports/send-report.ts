import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Page } from '#infra/http/schema.ts'
import { prefersCsv } from './prefers-csv.ts'

/** A report as two media types, for the `response` of its route. */
export function reportResponse<Report extends z.ZodType>(schema: Report, description: string) {
  return {
    description: `${description} As CSV with \`Accept: text/csv\`: the rows alone, with a line of names above them.`,
    content: {
      'application/json': { schema },
      'text/csv': { schema: z.string() },
    },
  }
}

/** Sends a report as what the caller accepts, and with it where the next page is, if there is one. */
export function sendReport<Report extends object>(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { report, toCsv, next }: { report: Report; toCsv(report: Report): string; next: string | null },
): FastifyReply {
  reply.header('vary', 'Accept')
  if (next !== null) reply.header('link', `<${next}>; rel="next"`)
  if (!prefersCsv(request.headers.accept)) return reply.type('application/json; charset=utf-8').send(report)
  return reply.type('text/csv; charset=utf-8; header=present').send(toCsv(report))
}

interface NextQuery extends Page {
  dateFrom?: number | undefined
  dateTo?: number | undefined
  sort?: string | undefined
  order?: string | undefined
  path?: string | undefined
  by?: string | undefined
}

/** Address of the page after this one. */
export function nextPage(address: string, query: NextQuery): string {
  const parameters = new URLSearchParams({ limit: String(query.limit), offset: String(query.offset + query.limit) })
  for (const name of ['sort', 'order', 'path', 'by'] as const) {
    const value = query[name]
    if (value) parameters.set(name, value)
  }
  for (const name of ['dateFrom', 'dateTo'] as const) {
    const at = query[name]
    if (at !== undefined) parameters.set(name, new Date(at).toISOString())
  }
  return `${address}?${parameters}`
}
