import type { HttpApp } from '#infra/http/http-app.ts'
import { bodyErrorResponses } from '#infra/http/schema.ts'
import type { AnalyticsDeps } from '../analytics-deps.ts'
import { explainRequest } from './explain.ts'
import { ExplainedRequest, ExplainParams, Explanation } from './schema.ts'

export function explainRoutes(app: HttpApp, deps: Pick<AnalyticsDeps, 'db' | 'classifier'>): void {
  app.post(
    '/v1/analytics/:projectId/explain',
    {
      // A question, sent as a body so that no address stands in anybody's log.
      config: { scope: 'read' },
      schema: {
        operationId: 'explainRequest',
        summary: 'Explain what a request would be counted as',
        description:
          'The category that a request like this would get in this project, what it would count as, and what every rule says of it. Nothing is counted or kept.',
        tags: ['Analytics'],
        params: ExplainParams,
        body: ExplainedRequest,
        response: { 200: Explanation.describe('The verdict and how it came about.'), ...bodyErrorResponses(404) },
      },
    },
    ({ params, body, caller }) => explainRequest(deps, { ...params, request: body, by: caller }),
  )
}
