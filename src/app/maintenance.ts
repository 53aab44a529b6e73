import { z } from 'zod'
import { pruneAudit } from '#features/accounts/service.ts'
import { sweepRepositories } from '#features/projects/service.ts'
import { defineJob } from '#infra/queue/define-job.ts'
import type { Services } from './compose.ts'

/** Deletes what is past its time. Hourly, once over all nodes. */
export const prune = defineJob({ name: 'maintenance.prune', data: z.object({}), schedule: '17 * * * *' })

export async function runPrune(services: Services): Promise<void> {
  await services.limiter.prune()
  await pruneAudit(services, { retentionDays: services.config.auditRetentionDays })
  await sweepRepositories(services)
}
