import { sql } from 'kysely'
import type { Db } from '#infra/db/schema.ts'
import type { ImportPosition } from './schema.ts'

export async function findImport(
  db: Db,
  { projectId, fingerprint }: { projectId: string; fingerprint: string },
): Promise<ImportPosition | null> {
  const row = await db
    .selectFrom('analyticsImports')
    .select(['fingerprint', 'position', 'lines', 'checkpoint'])
    .where('projectId', '=', projectId)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst()
  return row ? { ...row, position: Number(row.position), lines: Number(row.lines) } : null
}

/**
 * The newest word counts: whoever reads a log again from its start goes on from there. Returns whether the project is
 * still there.
 */
export async function saveImport(
  db: Db,
  row: ImportPosition & { projectId: string; name: string; updatedAt: Date },
): Promise<boolean> {
  const { projectId, fingerprint, ...change } = row
  const { name, position, lines, checkpoint, updatedAt } = change
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('analyticsImports')
    .columns(['projectId', 'fingerprint', 'name', 'position', 'lines', 'checkpoint', 'updatedAt'])
    .expression((expression) =>
      expression
        .selectFrom('projects')
        .select([
          'id',
          sql.val(fingerprint).as('fingerprint'),
          sql.val(name).as('name'),
          sql<number>`${position}::bigint`.as('position'),
          sql<number>`${lines}::bigint`.as('lines'),
          sql.val(checkpoint).as('checkpoint'),
          sql<Date>`${updatedAt}::timestamptz`.as('updatedAt'),
        ])
        .where('id', '=', projectId)
        .forKeyShare(),
    )
    .onConflict((conflict) => conflict.columns(['projectId', 'fingerprint']).doUpdateSet(change))
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}
