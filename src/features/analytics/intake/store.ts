import { sql } from 'kysely'
import type { Db } from '#infra/db/schema.ts'

interface Period {
  projectId: string
  period: string
}

export async function findSecret(db: Db, { projectId, period }: Period): Promise<string | null> {
  const row = await db
    .selectFrom('analyticsSecrets')
    .select('sealedSecret')
    .where('projectId', '=', projectId)
    .where('period', '=', period)
    .executeTakeFirst()
  return row?.sealedSecret ?? null
}

export async function listSecrets(db: Db, projectId: string): Promise<{ period: string; sealedSecret: string }[]> {
  return await db
    .selectFrom('analyticsSecrets')
    .select(['period', 'sealedSecret'])
    .where('projectId', '=', projectId)
    .orderBy('period')
    .execute()
}

/** Keeps the secret unless there is one already, or no such project any more. */
export async function insertSecret(db: Db, row: Period & { sealedSecret: string }): Promise<void> {
  await db
    .insertInto('analyticsSecrets')
    .columns(['projectId', 'period', 'sealedSecret'])
    .expression((expression) =>
      expression
        .selectFrom('projects')
        .select(['id', sql.val(row.period).as('period'), sql.val(row.sealedSecret).as('sealedSecret')])
        .where('id', '=', row.projectId)
        .forKeyShare(),
    )
    .onConflict((conflict) => conflict.columns(['projectId', 'period']).doNothing())
    .execute()
}

/**
 * Deletes secrets made before a time that are of another period than those which the project's settings still need;
 * `needed` has them by setting. Returns how many there were.
 */
export async function deleteSecrets(
  db: Db,
  { madeBefore, needed }: { madeBefore: Date; needed: Record<'stable' | 'monthly' | 'daily', string[]> },
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('analyticsSecrets as secrets')
    .where('createdAt', '<', madeBefore)
    .where(
      sql<boolean>`not exists (
        select 1 from (values
          ${sql.join(Object.entries(needed).flatMap(([setting, periods]) => periods.map((period) => sql`(${setting}::text, ${period}::text)`)))}
        ) as needed (setting, period)
        where needed.period = secrets.period and needed.setting = coalesce(
          (select visitor_ids from analytics_settings where project_id = secrets.project_id), 'stable'))`,
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
