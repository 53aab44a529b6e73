import type { AnalyticsDeps } from '#features/analytics/service.ts'
import type { PageRenderer } from '#features/content/service.ts'
import type { RepositoriesDeps } from '#features/repositories/service.ts'
import type { GitCache } from '#infra/files/git-cache.ts'
import type { RateLimiter } from '#infra/limits/rate-limiter.ts'
import type { Editions } from './edition/editions.ts'
import type { LiveSites } from './publish/live-sites.ts'

/** What the site feature is made of; functions take the few of these that they need. */
export interface SiteDeps extends Omit<RepositoriesDeps, 'config'>, Omit<AnalyticsDeps, 'config'> {
  config: RepositoriesDeps['config'] & AnalyticsDeps['config']
  gitCache: GitCache
  limiter: RateLimiter
  renderer: PageRenderer
  editions: Editions
  liveSites: LiveSites
}
