import type { PageCache } from '#features/content/service.ts'
import type { RepositoriesDeps } from '#features/repositories/service.ts'
import type { Config } from '#infra/config/settings.ts'
import type { GitCache } from '#infra/files/git-cache.ts'
import type { Agent } from './agent-run.ts'
import type { LimitName } from './limits/schema.ts'
import type { Reporter } from './reporter.ts'
import type { AgentDeps } from './service.ts'
import type * as store from './store.ts'

export interface RunDeps extends Omit<AgentDeps, 'config'>, Omit<RepositoriesDeps, 'config'> {
  config: Config
  /** What the checks know of files they have seen, over all jobs of this process. */
  pageCache: PageCache
  /** What was read of commits, over all jobs of this process. */
  gitCache: GitCache
  agents: { editor: Agent; loop: Agent }
}

/** One worker's time with one prompt of a job. */
export interface Run {
  deps: RunDeps
  job: store.JobRow
  message: store.MessageRow
  hold: store.Hold
  /** Of the project, as they were when the work began. */
  limits: Record<LimitName, number>
  reporter: Reporter
  signal: AbortSignal
}

/** Each is a worker that died or a passing fault of something we need. */
export const mostAttempts = 3

/** Of the patch as people see it, whoever makes it. */
export const mostPatchBytes = 1_000_000
