import type { Config } from '#infra/config/settings.ts'
import type { HttpApp } from '#infra/http/http-app.ts'
import { gitRoutes } from './git-routes.ts'
import { hookRoutes } from './hook-routes.ts'
import { pageRoutes } from './page-routes.ts'
import type { RepositoriesDeps } from './service.ts'

export type RepositoryRoutesDeps = Omit<RepositoriesDeps, 'config'> & { config: Config }

/** Repositories of the built-in host for git and for browsers, and what other hosts tell about theirs. */
export function repositoryRoutes(app: HttpApp, deps: RepositoryRoutesDeps): void {
  gitRoutes(app, deps)
  pageRoutes(app, deps)
  hookRoutes(app, deps)
}
