import type { Selectable } from 'kysely'
import type { Db, SiteDomainsTable, Tx } from '#infra/db/schema.ts'

export type DomainRow = Selectable<SiteDomainsTable>

/** Inserts the name unless some project has it; then returns nothing. */
export async function insertDomain(tx: Tx, row: { name: string; projectId: string }): Promise<DomainRow | undefined> {
  return await tx
    .insertInto('siteDomains')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function listDomains(db: Db | Tx, projectId: string): Promise<DomainRow[]> {
  return await db
    .selectFrom('siteDomains')
    .selectAll()
    .where('projectId', '=', projectId)
    .orderBy('createdAt')
    .orderBy('name')
    .execute()
}

/** Whether the project had it. */
export async function deleteDomain(tx: Tx, { name, projectId }: { name: string; projectId: string }): Promise<boolean> {
  const row = await tx
    .deleteFrom('siteDomains')
    .where('name', '=', name)
    .where('projectId', '=', projectId)
    .returning('name')
    .executeTakeFirst()
  return row !== undefined
}
