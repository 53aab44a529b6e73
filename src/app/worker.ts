import { pruneAudit } from '#features/accounts/service.ts'
import { removeRepository } from '#features/projects/jobs.ts'
import { sweepRepositories } from '#features/projects/service.ts'
import type { Services } from './compose.ts'
import { prune } from './jobs.ts'

/** Starts taking background work in this process. */
export async function startWorker(services: Services): Promise<void> {
  const { queue, builtinHost } = services
  await queue.work(prune, () => runPrune(services))
  await queue.work(removeRepository, ({ data }) => builtinHost.deleteRepository(data.projectId))
}

async function runPrune(services: Services): Promise<void> {
  await services.limiter.prune()
  await pruneAudit(services, { retentionDays: services.config.auditRetentionDays })
  await sweepRepositories(services)
}
