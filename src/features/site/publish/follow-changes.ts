import { findSource } from '#features/projects/service.ts'
import { publish } from '../jobs.ts'
import type { SiteDeps } from '../site-deps.ts'
import type { LiveSites } from './live-sites.ts'

type Deps = Pick<SiteDeps, 'db' | 'queue' | 'secretBox' | 'config'> & { liveSites: Pick<LiveSites, 'forget'> }

/** A branch moved: previews of it are looked at again, and the project's own is published. */
export async function publishPush(
  deps: Deps,
  { projectId, branch, commit }: { projectId: string; branch: string; commit: string | null },
): Promise<void> {
  deps.liveSites.forget(projectId)
  const source = await findSource(deps, { id: projectId })
  if (commit === null || !source || (source.ref !== null && source.ref !== branch)) return
  await deps.queue.send(publish, { projectId, reason: 'push', deploymentId: null })
}

/** The project takes its docs from elsewhere now. */
export async function publishSettings(deps: Deps, { projectId }: { projectId: string }): Promise<void> {
  deps.liveSites.forget(projectId)
  await deps.queue.send(publish, { projectId, reason: 'settings', deploymentId: null })
}
