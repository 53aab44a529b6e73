import { DocentError } from '#base/errors.ts'
import { type Caller, recordAudit } from '#features/accounts/service.ts'
import { type HeadDeps, listRoutes } from '#features/content/service.ts'
import { getProject } from '#features/projects/service.ts'
import type { AnalyticsDeps } from '../analytics-deps.ts'
import { listSecrets, visitorOf } from '../intake/identity.ts'
import { sampleHits, sampleVisitorIds } from './sample-hits.ts'
import type { SampleAdded, SampleRemoved } from './schema.ts'

export type SampleDeps = Pick<AnalyticsDeps, 'db' | 'clock' | 'intake' | 'events' | 'secretBox'> & HeadDeps

interface SampleCall {
  projectId: string
  by: Caller
}

/** Adds made-up views of the demo's own pages, by the ordinary way in. Done twice, they count once. */
export async function addSampleTraffic(deps: SampleDeps, { projectId, by }: SampleCall): Promise<SampleAdded> {
  await requireDemo(deps, { projectId, by })
  const pages = await listRoutes(deps, { id: projectId, by })
  if (pages.length === 0) {
    throw new DocentError('conflict', 'sample.no_pages', 'The site has no pages to be read. Push some first.')
  }
  const hits = sampleHits({ pages, now: deps.clock.now().getTime() })
  const { accepted } = await deps.intake.record(projectId, hits)
  await deps.db.transaction().execute(async (tx) => {
    await recordAudit(tx, { by, action: 'analytics.add_sample', target: projectId, details: { views: accepted } })
  })
  return { views: accepted, visitors: new Set(hits.map(({ visitorId }) => visitorId)).size }
}

/** Deletes the made-up views, and no others. */
export async function removeSampleTraffic(deps: SampleDeps, { projectId, by }: SampleCall): Promise<SampleRemoved> {
  await requireDemo(deps, { projectId, by })
  await deps.db.transaction().execute(async (tx) => {
    await recordAudit(tx, { by, action: 'analytics.remove_sample', target: projectId })
  })
  // One visitor has an id for each secret that there was meanwhile.
  const secrets = await listSecrets(deps, projectId)
  const visitors = sampleVisitorIds().flatMap((visitorId) =>
    secrets.map((secret) => visitorOf(secret, { visitorId, address: null, userAgent: null })),
  )
  return { views: await deps.events.forgetVisitors({ projectId, visitors }) }
}

/** Anywhere else, made-up readers would spoil numbers that somebody relies on. */
async function requireDemo(deps: SampleDeps, { projectId, by }: SampleCall): Promise<void> {
  const { isDemo } = await getProject(deps, { id: projectId, by })
  if (isDemo) return
  const message = 'Sample traffic is for the demo project only: here it would be counted among your real readers.'
  throw new DocentError('conflict', 'sample.not_demo', message)
}
