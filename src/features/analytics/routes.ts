import type { HttpApp } from '#infra/http/http-app.ts'
import type { AnalyticsDeps } from './analytics-deps.ts'
import { explainRoutes } from './explain/routes.ts'
import { feedbackRoutes } from './feedback/routes.ts'
import { importRoutes } from './imports/routes.ts'
import { collectRoutes } from './intake/collect-routes.ts'
import { eventRoutes } from './intake/event-routes.ts'
import { reportRoutes } from './reports/routes.ts'
import { sampleRoutes } from './sample/routes.ts'
import type { SampleDeps } from './sample/sample-traffic.ts'
import { settingsRoutes } from './settings/routes.ts'

/** Everything under /v1/analytics, the browser script, and the demo project's made-up readers. */
export function analyticsRoutes(app: HttpApp, deps: AnalyticsDeps & SampleDeps): void {
  reportRoutes(app, deps)
  explainRoutes(app, deps)
  feedbackRoutes(app, deps)
  settingsRoutes(app, deps)
  eventRoutes(app, deps)
  collectRoutes(app, deps)
  importRoutes(app, deps)
  sampleRoutes(app, deps)
}
