import { pruneAccounts } from '#features/accounts/members/prune-accounts.ts'
import { pruneAudit } from '#features/accounts/service.ts'
import { runAgentJob } from '#features/agent/jobs.ts'
import { runJob } from '#features/agent/run-job.ts'
import { pruneJobs } from '#features/agent/service.ts'
import { removeRepository, sourceChanged } from '#features/projects/jobs.ts'
import { sweepRepositories } from '#features/projects/service.ts'
import { finishMerge, pushed } from '#features/repositories/jobs.ts'
import { completeMerge } from '#features/repositories/pull-requests.ts'
import { followPush } from '#features/repositories/push-events.ts'
import { deleteStoredRepository } from '#features/repositories/service.ts'
import { poll, publish } from '#features/site/jobs.ts'
import { publishPush, publishSettings } from '#features/site/publish/follow-changes.ts'
import { pollSites } from '#features/site/publish/poll-sites.ts'
import { publishSite, settleAbandoned } from '#features/site/publish/publish-site.ts'
import { deliver } from '#features/webhooks/delivery.ts'
import { deliverWebhook } from '#features/webhooks/jobs.ts'
import { pruneDeliveries } from '#features/webhooks/service.ts'
import type { Services } from './compose.ts'
import { prune } from './jobs.ts'

/** Starts taking background work in this process. */
export async function startWorker(services: Services): Promise<void> {
  const { queue, config } = services
  await queue.work(prune, () => runPrune(services))
  await settleAbandoned(services)
  await queue.work(removeRepository, async ({ data }) => {
    await deleteStoredRepository(services, data.projectId)
    services.liveSites.forget(data.projectId)
    await services.editions.remove(data.projectId)
  })
  await queue.work(sourceChanged, ({ data }) => publishSettings(services, data))
  await queue.work(pushed, async ({ data, signal }) => {
    // Readers first: what follows a push may take longer than they should wait.
    await publishPush(services, data)
    await followPush(services, { ...data, signal })
  })
  await queue.work(publish, async ({ id, data, attempt, signal, stopping }) => {
    const isLastTry = attempt > publish.retryLimit
    await publishSite(services, { ...data, work: id, isLastTry, signal: AbortSignal.any([signal, stopping]) })
  })
  await queue.work(poll, ({ signal, stopping }) => pollSites(services, AbortSignal.any([signal, stopping])))
  await queue.work(finishMerge, ({ data }) => completeMerge(services, data))
  await queue.work(deliverWebhook, ({ data, signal }) => deliver(services, { ...data, signal }))
  await queue.work(runAgentJob, (context) => runJob(services, context), { concurrency: config.agentConcurrency })
}

async function runPrune(services: Services): Promise<void> {
  await services.limiter.prune()
  await pruneAudit(services, { retentionDays: services.config.auditRetentionDays })
  await pruneAccounts(services)
  await sweepRepositories(services)
  await pruneDeliveries(services)
  await pruneJobs(services, { retentionDays: services.config.agentRetentionDays })
}
