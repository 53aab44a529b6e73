import type { HttpApp } from '#infra/http/http-app.ts'
import { errorResponses } from '#infra/http/schema.ts'
import { CheckParams, ProjectCheck } from './schema.ts'
import { type ContentDeps, checkProject } from './service.ts'

export function contentRoutes(app: HttpApp, deps: ContentDeps): void {
  app.get(
    '/v1/projects/:projectId/check',
    {
      schema: {
        operationId: 'checkProject',
        summary: 'Check a project’s docs',
        description:
          'Looks at the head of the project’s branch for what readers would stumble over: pages that do not parse, links and anchors that lead nowhere, navigation to missing pages, bad frontmatter, missing snippets.',
        tags: ['Projects'],
        params: CheckParams,
        response: { 200: ProjectCheck.describe('What was found.'), ...errorResponses(404) },
      },
    },
    (request) => checkProject(deps, { id: request.params.projectId, by: request.caller }),
  )
}
