import type { HttpApp } from '#infra/http/http-app.ts'
import type { AnalyticsDeps } from './analytics-deps.ts'

/** Everything under /v1/analytics, and the browser script. */
export function analyticsRoutes(_app: HttpApp, _deps: AnalyticsDeps): void {}
