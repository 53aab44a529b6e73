import type { Clock } from '#base/clock.ts'
import type { Db } from '#infra/db/schema.ts'
import { type AnalyticsProject, findAnalyticsProject } from './settings.ts'

/** Projects as views come in for them, thousands a second: most of those must cost no query. */
export interface ProjectCache {
  /** At most half a second old. Null: there is no such project. */
  find(projectId: string): Promise<AnalyticsProject | null>
  forget(projectId: string): void
}

const trustedMs = 500
// Ids that somebody made up are remembered too, or each of them would be a query.
const mostRemembered = 10_000

export function createProjectCache({ db, clock }: { db: Db; clock: Clock }): ProjectCache {
  const remembered = new Map<string, { project: Promise<AnalyticsProject | null>; until: number }>()
  return {
    find(projectId) {
      const now = clock.now().getTime()
      const known = remembered.get(projectId)
      // A clock that was set back must not make it trusted for longer.
      if (known && known.until > now && known.until <= now + trustedMs) return known.project
      if (remembered.size >= mostRemembered) remembered.clear()
      const project = findAnalyticsProject({ db }, projectId)
      remembered.set(projectId, { project, until: now + trustedMs })
      project.catch(() => remembered.delete(projectId))
      return project
    },
    forget: (projectId) => void remembered.delete(projectId),
  }
}
