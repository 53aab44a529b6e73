import { type Caller, recordAudit } from '#features/accounts/service.ts'
import { getProject } from '#features/projects/service.ts'
import type { AnalyticsDeps } from '../analytics-deps.ts'
import { listSecrets, visitorOf } from '../intake/identity.ts'
import type { Forgotten } from './schema.ts'

type ForgetDeps = Pick<AnalyticsDeps, 'db' | 'config' | 'events' | 'secretBox'>

/**
 * Deletes every view of a visitor. Nothing of who that was is written down: the audit record says how they were named, and
 * is written first, so that no deletion goes without one.
 */
export async function forgetVisitor(
  deps: ForgetDeps,
  { projectId, who, by }: { projectId: string; who: Forgotten; by: Caller },
): Promise<{ views: number }> {
  await getProject(deps, { id: projectId, by })
  const visitors = await visitorsMeant(deps, { projectId, who })
  await deps.db.transaction().execute(async (tx) => {
    const details = { namedBy: Object.keys(who) }
    await recordAudit(tx, { by, action: 'analytics.forget_visitor', target: projectId, details })
  })
  return { views: await deps.events.forgetVisitors({ projectId, visitors }) }
}

/** One visitor has an id for each secret that there was meanwhile. */
async function visitorsMeant(
  deps: ForgetDeps,
  { projectId, who }: { projectId: string; who: Forgotten },
): Promise<bigint[]> {
  if ('visitor' in who) return [BigInt(`0x${who.visitor}`)]
  const facts =
    'visitorId' in who
      ? { visitorId: who.visitorId, address: null, userAgent: null }
      : { visitorId: null, address: who.ip, userAgent: who.userAgent }
  return (await listSecrets(deps, projectId)).map((secret) => visitorOf(secret, facts))
}
