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

/** The newest word counts: whoever reads a log again from its start goes on from there. */
export async function saveImport(
  db: Db,
  row: ImportPosition & { projectId: string; name: string; updatedAt: Date },
): Promise<void> {
  const { name, position, lines, checkpoint, updatedAt } = row
  await db
    .insertInto('analyticsImports')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['projectId', 'fingerprint']).doUpdateSet({ name, position, lines, checkpoint, updatedAt }),
    )
    .execute()
}
