import type { HttpApp } from '#infra/http/http-app.ts'
import { bodyErrorResponses, errorResponses } from '#infra/http/schema.ts'
import type { AnalyticsDeps } from '../analytics-deps.ts'
import { mostImportBytes } from './batch-limits.ts'
import { ImportParams, ImportPosition, ImportResult, NewImport, ProjectParams } from './schema.ts'
import { getImport, importViews } from './service.ts'

const tags = ['Analytics']
const all = '/v1/analytics/:projectId/imports'

export function importRoutes(app: HttpApp, deps: AnalyticsDeps): void {
  app.post(
    all,
    {
      bodyLimit: mostImportBytes,
      schema: {
        operationId: 'importViews',
        summary: 'Import views out of a log',
        description:
          'A batch of views in columns, at most 25,000 in 16 MiB, as `docent analytics import` sends them. When it is answered, the views are durable and the log’s position is kept. The same batch again counts once. To send views one by one, use events.',
        tags,
        params: ProjectParams,
        body: NewImport,
        response: { 200: ImportResult.describe('What was counted.'), ...bodyErrorResponses(404) },
      },
    },
    (request) => importViews(deps, { ...request.params, batch: request.body, by: request.caller }),
  )

  app.get(
    `${all}/:fingerprint`,
    {
      schema: {
        operationId: 'getImport',
        summary: 'Get how far a log was imported',
        tags,
        params: ImportParams,
        response: { 200: ImportPosition.describe('Where to go on.'), ...errorResponses(404) },
      },
    },
    (request) => getImport(deps, { ...request.params, by: request.caller }),
  )
}
