import type { Config } from '#infra/config/settings.ts'
import type { HttpApp } from '#infra/http/http-app.ts'
import { bodyErrorResponses } from '#infra/http/schema.ts'
import { gitRoutes } from './git-routes.ts'
import { hookRoutes } from './hook-routes.ts'
import { pageRoutes } from './page-routes.ts'
import { PushHookParams, SourceTest } from './schema.ts'
import type { RepositoriesDeps } from './service.ts'
import { testSource } from './test-source.ts'

export type RepositoryRoutesDeps = Omit<RepositoriesDeps, 'config'> & { config: Config }

/** Repositories of the built-in host for git and for browsers, and what other hosts tell about theirs. */
export function repositoryRoutes(app: HttpApp, deps: RepositoryRoutesDeps): void {
  app.post(
    '/v1/projects/:projectId/source/test',
    {
      schema: {
        operationId: 'testSource',
        summary: 'Try a project’s source',
        description:
          'Looks for the repository and its branch with the stored token, by the host’s API and by git. Whether the token may also write is seen by the first job.',
        tags: ['Projects'],
        params: PushHookParams,
        response: { 200: SourceTest.describe('How it went.'), ...bodyErrorResponses(404) },
      },
    },
    (request) => testSource(deps, { ...request.params, by: request.caller }),
  )
  gitRoutes(app, deps)
  pageRoutes(app, deps)
  hookRoutes(app, deps)
}
