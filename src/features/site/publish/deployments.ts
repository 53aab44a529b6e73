import { DocentError } from '#base/errors.ts'
import { isId, newId } from '#base/ids.ts'
import { type Caller, recordAudit } from '#features/accounts/service.ts'
import { getProject } from '#features/projects/service.ts'
import type { Tx } from '#infra/db/schema.ts'
import { type Page, toPage } from '#infra/http/schema.ts'
import { publish } from '../jobs.ts'
import type { SiteDeps } from '../site-deps.ts'
import { toDeployment, toDeploymentDetails } from './deployment.ts'
import { listDomains } from './domain-store.ts'
import type { Deployment, DeploymentDetails, NewDeployment, Site } from './schema.ts'
import { commitNotFound, findCommit, readBranch } from './site-source.ts'
import * as store from './store.ts'

type Deps = Pick<SiteDeps, 'db' | 'clock' | 'queue' | 'secretBox' | 'fetch' | 'config'>

interface Asked {
  projectId: string
  by: Caller
}

export async function getSite(deps: Deps, { projectId, by }: Asked): Promise<Site> {
  const project = await getProject(deps, { id: projectId, by })
  const site = await store.findSite(deps.db, projectId)
  const liveId = site?.liveDeployment ?? null
  const live = liveId ? await store.findDeployment(deps.db, { id: liveId, projectId }) : undefined
  return {
    url: project.siteUrl,
    domains: (await listDomains(deps.db, projectId)).map(({ name }) => name),
    live: live ? toDeployment(live, liveId) : null,
    building: await store.isUnderWay(deps.db, projectId),
  }
}

export async function listDeployments(
  deps: Deps,
  { projectId, by, page }: Asked & { page: Page },
): Promise<{ deployments: Deployment[]; hasMore: boolean }> {
  await getProject(deps, { id: projectId, by })
  const site = await store.findSite(deps.db, projectId)
  const { rows, hasMore } = toPage(await store.listDeployments(deps.db, { projectId, page }), page)
  return { deployments: rows.map((row) => toDeployment(row, site?.liveDeployment ?? null)), hasMore }
}

/** Throws `not_found`, for a deployment of another project or organization too. */
export async function getDeployment(
  deps: Deps,
  { projectId, deploymentId, by }: Asked & { deploymentId: string },
): Promise<DeploymentDetails> {
  await getProject(deps, { id: projectId, by })
  const row = await findOwn(deps, { projectId, deploymentId })
  const site = await store.findSite(deps.db, projectId)
  return toDeploymentDetails(row, site?.liveDeployment ?? null)
}

/** Publishes in the background: the branch as it is by then, whether or not it is new; or another branch or commit. */
export async function createDeployment(
  deps: Deps,
  { projectId, by, ref, commit }: Asked & NewDeployment,
): Promise<Deployment> {
  const { source } = await getProject(deps, { id: projectId, by })
  const place = { ref: ref ?? source.ref ?? '', docsPath: source.docsPath }
  let found: { commit: string } | null = null
  if (ref !== undefined) found = await readBranch(deps, { projectId, branch: ref })
  else if (commit !== undefined) {
    found = await findCommit(deps, { projectId, commit })
    if (!found) throw commitNotFound()
  }
  // The project's own branch may move before its turn comes; anything else was chosen as it is.
  const isFollowing = found === null || (ref !== undefined && ref === source.ref)
  const chosen = { ...place, commit: isFollowing ? null : found!.commit }
  return await order(deps, {
    projectId,
    by,
    reason: 'manual',
    chosen,
    action: 'site.publish',
    details: { ref, commit },
  })
}

/** Goes back to what was live before: it is published anew, and stays until the branch moves next. */
export async function restoreDeployment(
  deps: Deps,
  { projectId, deploymentId, by }: Asked & { deploymentId: string },
): Promise<Deployment> {
  await getProject(deps, { id: projectId, by })
  const { commit, ref, docsPath, state } = await findOwn(deps, { projectId, deploymentId })
  if (state !== 'ready' || commit === null) {
    const message = `The deployment is ${state}: only one that was live can be returned to.`
    throw new DocentError('conflict', 'deployment.never_live', message)
  }
  const chosen = { commit, ref, docsPath }
  const details = { deploymentId, commit }
  return await order(deps, { projectId, by, reason: 'return', chosen, action: 'site.return', details })
}

interface Order extends Asked {
  reason: 'manual' | 'return'
  chosen: { commit: string | null; ref: string; docsPath: string }
  action: string
  details: Record<string, unknown>
}

const mostWaiting = 20

async function order(deps: Deps, { projectId, by, reason, chosen, action, details }: Order): Promise<Deployment> {
  return await deps.db.transaction().execute(async (tx) => {
    const site = await store.lockSite(tx, projectId)
    // Deleted by somebody else since we looked.
    if (!site) await getProject({ ...deps, db: tx }, { id: projectId, by })
    await refuseTooMany(tx, projectId)
    const id = newId('dpl')
    const waiting = { id, projectId, ...chosen, state: 'waiting', reason, by: by.actor.name, work: null } as const
    const row = await store.insertDeployment(tx, waiting)
    await recordAudit(tx, { by, action, target: projectId, details })
    await deps.queue.send(publish, { projectId, reason, deploymentId: id }, { tx })
    return toDeployment(row!, site?.liveDeployment ?? null)
  })
}

async function refuseTooMany(tx: Tx, projectId: string): Promise<void> {
  if ((await store.countWaiting(tx, projectId)) < mostWaiting) return
  const message = `${mostWaiting} deployments of this project wait to be built already. Wait for them.`
  throw new DocentError('conflict', 'deployment.too_many', message)
}

async function findOwn(
  { db }: Pick<Deps, 'db'>,
  { projectId, deploymentId }: { projectId: string; deploymentId: string },
): Promise<store.DeploymentRow> {
  const row = isId('dpl', deploymentId) ? await store.findDeployment(db, { id: deploymentId, projectId }) : undefined
  if (row) return row
  throw new DocentError(
    'not_found',
    'deployment.not_found',
    'The project has no such deployment. `docent site deployments` lists them.',
  )
}
