import { z } from 'zod'
import type { HttpApp } from '#infra/http/http-app.ts'
import { bodyErrorResponses, errorResponses } from '#infra/http/schema.ts'
import type { AnalyticsDeps } from '../analytics-deps.ts'
import { rangeOf } from './date-range.ts'
import { forgetVisitor } from './forget-visitor.ts'
import { agentsToCsv, referrersToCsv, timeseriesToCsv, viewsToCsv, visitorsToCsv } from './report-csv.ts'
import { exportViews, readAgents, readReferrers, readTimeseries, readViews, readVisitors } from './reports.ts'
import {
  AgentReport,
  ExportQuery,
  Forgotten,
  ForgottenViews,
  PageQuery,
  PathQuery,
  ProjectParams,
  ReferrerQuery,
  ReferrerReport,
  Timeseries,
  TimeseriesQuery,
  ViewReport,
  VisitorReport,
} from './schema.ts'
import { nextPage, reportResponse, sendReport } from './send-report.ts'

const tags = ['Analytics']
const base = '/v1/analytics/:projectId'
const paging = 'While `hasMore` is true, ask again with `offset` increased by `limit`; the `Link` header says so too.'

const fileTypes = { jsonl: 'application/x-ndjson', parquet: 'application/vnd.apache.parquet' } as const

export function reportRoutes(app: HttpApp, deps: AnalyticsDeps): void {
  const addressOf = (projectId: string, report: string) =>
    `${deps.config.baseUrl}/v1/analytics/${encodeURIComponent(projectId)}/${report}`

  app.get(
    `${base}/visitors`,
    {
      schema: {
        operationId: 'getVisitors',
        summary: 'Get unique visitors',
        description: `Unique visitors of the site and of each page, people and AI clients, exact over any range. Pages by \`total\` descending, then by path, unless \`sort\` and \`order\` say otherwise. ${paging}`,
        tags,
        params: ProjectParams,
        querystring: PathQuery,
        response: { 200: reportResponse(VisitorReport, 'Unique visitors.'), ...errorResponses(404) },
      },
    },
    async (request, reply) => {
      const { params, query, caller } = request
      const report = await readVisitors(deps, { ...params, range: rangeOf(query), page: query, by: caller })
      const next = report.hasMore ? nextPage(addressOf(params.projectId, 'visitors'), query) : null
      return sendReport({ request, reply }, { report, toCsv: visitorsToCsv, next })
    },
  )

  app.get(
    `${base}/views`,
    {
      schema: {
        operationId: 'getViews',
        summary: 'Get page views',
        description: `The same as visitors, but each view counts. ${paging}`,
        tags,
        params: ProjectParams,
        querystring: PathQuery,
        response: { 200: reportResponse(ViewReport, 'Views.'), ...errorResponses(404) },
      },
    },
    async (request, reply) => {
      const { params, query, caller } = request
      const report = await readViews(deps, { ...params, range: rangeOf(query), page: query, by: caller })
      const next = report.hasMore ? nextPage(addressOf(params.projectId, 'views'), query) : null
      return sendReport({ request, reply }, { report, toCsv: viewsToCsv, next })
    },
  )

  app.get(
    `${base}/agents`,
    {
      schema: {
        operationId: 'getAgents',
        summary: 'Get AI clients',
        description: `The AI clients that read the docs, by visitors, then by views, both descending. ${paging}`,
        tags,
        params: ProjectParams,
        querystring: PageQuery,
        response: { 200: reportResponse(AgentReport, 'AI clients.'), ...errorResponses(404) },
      },
    },
    async (request, reply) => {
      const { params, query, caller } = request
      const report = await readAgents(deps, { ...params, range: rangeOf(query), page: query, by: caller })
      const next = report.hasMore ? nextPage(addressOf(params.projectId, 'agents'), query) : null
      return sendReport({ request, reply }, { report, toCsv: agentsToCsv, next })
    },
  )

  app.get(
    `${base}/referrers`,
    {
      schema: {
        operationId: 'getReferrers',
        summary: 'Get where readers came from',
        description: `Unique visitors and views by referrer, people and AI clients, exact over any range; those without one are a row too. A visitor who came from two places counts at both, so rows add up to more than the totals. By \`total\`, then by views, both descending. Readers who go from one page of a site to the next are among them, by the site’s own address. ${paging}`,
        tags,
        params: ProjectParams,
        querystring: ReferrerQuery,
        response: { 200: reportResponse(ReferrerReport, 'Referrers.'), ...errorResponses(404) },
      },
    },
    async (request, reply) => {
      const { params, query, caller } = request
      const about = { ...params, range: rangeOf(query), page: query, group: query.by, by: caller }
      const report = await readReferrers(deps, about)
      const next = report.hasMore ? nextPage(addressOf(params.projectId, 'referrers'), query) : null
      return sendReport({ request, reply }, { report, toCsv: referrersToCsv, next })
    },
  )

  app.get(
    `${base}/timeseries`,
    {
      schema: {
        operationId: 'getTimeseries',
        summary: 'Get visitors and views over time',
        description:
          'Unique visitors and views of the whole site by hour, day, week or month, those without any too: from `dateFrom` or the first view to `dateTo` or the last. At most 10,000 intervals. Only what lies in the range is counted, also in an interval that starts before it.',
        tags,
        params: ProjectParams,
        querystring: TimeseriesQuery,
        response: { 200: reportResponse(Timeseries, 'Intervals, oldest first.'), ...errorResponses(404) },
      },
    },
    async (request, reply) => {
      const { params, query, caller } = request
      const { interval } = query
      const report = await readTimeseries(deps, { ...params, range: rangeOf(query), interval, by: caller })
      return sendReport({ request, reply }, { report, toCsv: timeseriesToCsv, next: null })
    },
  )

  app.get(
    `${base}/export`,
    {
      // Asking for its headers alone would make the whole file.
      exposeHeadRoute: false,
      schema: {
        operationId: 'exportViews',
        summary: 'Export raw views',
        description:
          'Every view, counted or not, oldest first: `timestamp`, `path`, `visitor`, `category`, `client`, `reason`, `verification`, `listVersion`, `referrer`, `source`. No addresses: there are none.',
        tags,
        params: ProjectParams,
        querystring: ExportQuery,
        response: {
          200: {
            description: 'The file.',
            content: {
              'application/x-ndjson': { schema: z.string() },
              'application/vnd.apache.parquet': { schema: z.string() },
            },
          },
          ...errorResponses(404),
        },
      },
    },
    async (request, reply) => {
      const { params, query, caller } = request
      const { format } = query
      const { project, file } = await exportViews(deps, { ...params, range: rangeOf(query), format, by: caller })
      reply.headers({
        'content-type': fileTypes[format],
        'content-disposition': `attachment; filename="views-${project.slug}.${format}"`,
      })
      // Fastify destroys it when the client goes away.
      return reply.send(file as never)
    },
  )

  app.post(
    `${base}/forget`,
    {
      schema: {
        operationId: 'forgetVisitor',
        summary: 'Forget a visitor',
        description:
          'Deletes every view of a visitor. By address and user agent only views are found whose ids were made with a secret that is still there: where ids change daily or monthly, those of the current period.',
        tags,
        params: ProjectParams,
        body: Forgotten,
        response: { 200: ForgottenViews.describe('How many views were deleted.'), ...bodyErrorResponses(404) },
      },
    },
    (request) => forgetVisitor(deps, { ...request.params, who: request.body, by: request.caller }),
  )
}
