import { isId } from '#base/ids.ts'
import { type Caller, recordAudit } from '#features/accounts/service.ts'
import { lockProject, projectNotFound } from '#features/projects/service.ts'
import type { AnalyticsDeps } from '../analytics-deps.ts'
import type { AnalyticsSettings, ProjectRule } from './analytics-settings.ts'
import type { SettingsChange } from './schema.ts'
import * as store from './store.ts'

/** What a project's visitor analytics need to know of it. */
export interface AnalyticsProject {
  organizationId: string
  settings: AnalyticsSettings
}

export async function findAnalyticsProject(
  { db }: Pick<AnalyticsDeps, 'db'>,
  projectId: string,
): Promise<AnalyticsProject | null> {
  const row = isId('prj', projectId) ? await store.findProject(db, projectId) : undefined
  return row ? { organizationId: row.organizationId, settings: toSettings(row) } : null
}

/** Throws `not_found` for an unknown project and, in the same words, for one of another organization. */
export async function readSettings(
  deps: Pick<AnalyticsDeps, 'db'>,
  { projectId, by }: { projectId: string; by: Caller },
): Promise<AnalyticsSettings> {
  const project = await findAnalyticsProject(deps, projectId)
  if (project?.organizationId !== by.organizationId) throw projectNotFound()
  return project.settings
}

export async function changeSettings(
  { db, clock, intake }: Pick<AnalyticsDeps, 'db' | 'clock' | 'intake'>,
  { projectId, change, by }: { projectId: string; change: SettingsChange; by: Caller },
): Promise<AnalyticsSettings> {
  if (!isId('prj', projectId)) throw projectNotFound()
  const changed = await db.transaction().execute(async (tx) => {
    // Of two that change different fields at once, neither may undo the other's.
    await lockProject(tx, projectId)
    const row = await store.findProject(tx, projectId)
    if (row?.organizationId !== by.organizationId) throw projectNotFound()
    const settings = { ...toSettings(row), ...withoutMissing(change) }
    if (change.origins) settings.origins = [...new Set(change.origins)]
    const columns = { ...settings, rules: JSON.stringify(settings.rules), updatedAt: clock.now() }
    await store.putSettings(tx, { projectId, ...columns })
    const details = { changed: Object.keys(withoutMissing(change)) }
    await recordAudit(tx, { by, action: 'analytics.change_settings', target: projectId, details })
    return settings
  })
  intake.forgetProject(projectId)
  return changed
}

function toSettings(row: store.ProjectRow): AnalyticsSettings {
  return {
    aiTraffic: (row.aiTraffic ?? 'all') as AnalyticsSettings['aiTraffic'],
    visitorIds: (row.visitorIds ?? 'stable') as AnalyticsSettings['visitorIds'],
    retentionDays: row.retentionDays,
    origins: row.origins ?? [],
    rules: (row.rules ?? []) as ProjectRule[],
  }
}

/** A field that was sent as nothing must not overwrite what is there. */
function withoutMissing(change: SettingsChange): Partial<AnalyticsSettings> {
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as Partial<AnalyticsSettings>
}
