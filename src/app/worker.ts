import { removeRepository } from '#features/projects/jobs.ts'
import type { AnyJobDefinition } from '#infra/queue/define-job.ts'
import type { Services } from './compose.ts'
import { prune, runPrune } from './maintenance.ts'

/** Every kind of background work there is. */
export const jobs: AnyJobDefinition[] = [prune, removeRepository]

/** Starts taking background work in this process. */
export async function startWorker(services: Services): Promise<void> {
  const { queue, builtinHost } = services
  await queue.work(prune, () => runPrune(services))
  await queue.work(removeRepository, ({ data }) => builtinHost.deleteRepository(data.projectId))
}
