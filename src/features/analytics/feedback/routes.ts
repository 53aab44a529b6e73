import type { HttpApp } from '#infra/http/http-app.ts'
import { errorResponses } from '#infra/http/schema.ts'
import type { AnalyticsDeps } from '../analytics-deps.ts'
import { rangeOf } from '../reports/date-range.ts'
import { listFeedback } from './feedback.ts'
import { FeedbackList, FeedbackQuery, ProjectParams, SearchList, SearchQuery } from './schema.ts'
import { listSearches } from './searches.ts'

const tags = ['Analytics']
const base = '/v1/analytics/:projectId'

export function feedbackRoutes(app: HttpApp, deps: Pick<AnalyticsDeps, 'db' | 'config'>): void {
  app.get(
    `${base}/feedback`,
    {
      schema: {
        operationId: 'getFeedback',
        summary: 'Get feedback of readers',
        description: 'What readers said of pages, newest first. While `hasMore` is true, ask again with `nextCursor`.',
        tags,
        params: ProjectParams,
        querystring: FeedbackQuery,
        response: { 200: FeedbackList.describe('A page of feedback.'), ...errorResponses(404) },
      },
    },
    ({ params, query, caller }) => {
      const { limit, cursor, status, source } = query
      const wanted = { ...params, range: rangeOf(query), limit, cursor, status, source }
      return listFeedback(deps, { ...wanted, by: caller })
    },
  )

  app.get(
    `${base}/searches`,
    {
      schema: {
        operationId: 'getSearches',
        summary: 'Get what readers searched for',
        description:
          'Search terms, those searched for most often first. While `nextCursor` is not null, ask again with it; later pages count what the first one did.',
        tags,
        params: ProjectParams,
        querystring: SearchQuery,
        response: { 200: SearchList.describe('A page of search terms.'), ...errorResponses(404) },
      },
    },
    ({ params, query, caller }) => {
      const { limit, cursor } = query
      return listSearches(deps, { ...params, range: rangeOf(query), limit, cursor, by: caller })
    },
  )
}
