import type { HttpApp } from '#infra/http/http-app.ts'
import type { AnalyticsDeps } from './analytics-deps.ts'
import { feedbackRoutes } from './feedback/routes.ts'
import { importRoutes } from './imports/routes.ts'
import { collectRoutes } from './intake/collect-routes.ts'
import { eventRoutes } from './intake/event-routes.ts'
import { reportRoutes } from './reports/routes.ts'
import { settingsRoutes } from './settings/routes.ts'

/** Everything under /v1/analytics, and the browser script. */
export function analyticsRoutes(app: HttpApp, deps: AnalyticsDeps): void {
  reportRoutes(app, deps)
  feedbackRoutes(app, deps)
  settingsRoutes(app, deps)
  eventRoutes(app, deps)
  collectRoutes(app, deps)
  importRoutes(app, deps)
}
