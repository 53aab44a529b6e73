import type { Insertable, Selectable } from 'kysely'
import type { AnalyticsSettingsTable, Db, Tx } from '#infra/db/schema.ts'

export type SettingsRow = Selectable<AnalyticsSettingsTable>

/** A project with its settings; the columns of those are null where it never said anything. */
export type ProjectRow = { id: string; organizationId: string } & {
  [Column in keyof Omit<SettingsRow, 'projectId' | 'updatedAt'>]: SettingsRow[Column] | null
}

export async function findProject(db: Db | Tx, projectId: string): Promise<ProjectRow | undefined> {
  return await projects(db).where('projects.id', '=', projectId).executeTakeFirst()
}

/** Those of these ids that are projects, in any organization. */
export async function listProjects(db: Db, projectIds: string[]): Promise<ProjectRow[]> {
  if (projectIds.length === 0) return []
  return await projects(db).where('projects.id', 'in', projectIds).execute()
}

function projects(db: Db | Tx) {
  return db
    .selectFrom('projects')
    .leftJoin('analyticsSettings', 'analyticsSettings.projectId', 'projects.id')
    .select(['projects.id', 'projects.organizationId', 'aiTraffic', 'visitorIds', 'retentionDays', 'origins', 'rules'])
}

export async function putSettings(tx: Tx, row: Insertable<AnalyticsSettingsTable>): Promise<void> {
  const { projectId: _, ...columns } = row
  await tx
    .insertInto('analyticsSettings')
    .values(row)
    .onConflict((conflict) => conflict.column('projectId').doUpdateSet(columns))
    .execute()
}
