import type { Insertable, Selectable } from 'kysely'
import type { ApiKeysTable, AuditRecordsTable, Db, OrganizationsTable, Tx } from '#infra/db/schema.ts'
import type { Page } from '#infra/http/schema.ts'

export type KeyRow = Selectable<ApiKeysTable>
export type OrganizationRow = Selectable<OrganizationsTable>
export type AuditRow = Selectable<AuditRecordsTable>

export async function insertOrganization(db: Db | Tx, row: { id: string; name: string; slug: string }) {
  return await db
    .insertInto('organizations')
    .values(row)
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function listOrganizations(db: Db | Tx): Promise<OrganizationRow[]> {
  return await db.selectFrom('organizations').selectAll().orderBy('createdAt').orderBy('id').execute()
}

export async function findOrganization(db: Db | Tx, idOrSlug: string): Promise<OrganizationRow | undefined> {
  return await db
    .selectFrom('organizations')
    .selectAll()
    .where((is) => is.or([is('id', '=', idOrSlug), is('slug', '=', idOrSlug)]))
    .executeTakeFirst()
}

export async function insertKey(db: Db | Tx, row: Insertable<ApiKeysTable>): Promise<KeyRow> {
  return await db.insertInto('apiKeys').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function findKeyByHash(db: Db | Tx, hash: string): Promise<KeyRow | undefined> {
  return await db.selectFrom('apiKeys').selectAll().where('hash', '=', hash).executeTakeFirst()
}

export async function listKeys(
  db: Db,
  { organizationId, includeRevoked, page }: { organizationId: string; includeRevoked: boolean; page: Page },
): Promise<KeyRow[]> {
  return await db
    .selectFrom('apiKeys')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .$if(!includeRevoked, (query) => query.where('revokedAt', 'is', null))
    .orderBy('createdAt')
    .orderBy('id')
    .limit(page.limit + 1)
    .offset(page.offset)
    .execute()
}

/** Marks a key revoked, once. Returns it only when this call did so. */
export async function markRevoked(
  db: Db | Tx,
  { id, organizationId, at }: { id: string; organizationId: string; at: Date },
): Promise<KeyRow | undefined> {
  return await db
    .updateTable('apiKeys')
    .set({ revokedAt: at })
    .where('id', '=', id)
    .where('organizationId', '=', organizationId)
    .where('revokedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

export async function listPresetKeys(db: Db | Tx): Promise<KeyRow[]> {
  return await db.selectFrom('apiKeys').selectAll().where('preset', '=', true).where('revokedAt', 'is', null).execute()
}

/** Ends a preset key that another has taken the place of. It is no preset any more: that tells it from one revoked by hand. */
export async function retirePreset(tx: Tx, { id, at }: { id: string; at: Date }): Promise<void> {
  await tx.updateTable('apiKeys').set({ revokedAt: at, preset: false }).where('id', '=', id).execute()
}

export async function restorePreset(tx: Tx, id: string): Promise<void> {
  await tx.updateTable('apiKeys').set({ revokedAt: null, preset: true }).where('id', '=', id).execute()
}

export async function markUsed(db: Db, id: string, at: Date): Promise<void> {
  await db.updateTable('apiKeys').set({ lastUsedAt: at }).where('id', '=', id).execute()
}

export async function insertAudit(db: Db | Tx, row: Insertable<AuditRecordsTable>): Promise<void> {
  await db.insertInto('auditRecords').values(row).execute()
}

export async function listAudit(
  db: Db,
  { organizationId, page }: { organizationId: string; page: Page },
): Promise<AuditRow[]> {
  return await db
    .selectFrom('auditRecords')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .offset(page.offset)
    .execute()
}

export async function deleteAuditBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('auditRecords').where('at', '<', before).execute()
}
