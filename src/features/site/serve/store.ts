import type { Db } from '#infra/db/schema.ts'

/** Of all projects. */
export async function listDomainNames(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('siteDomains').select('name').execute()
  return rows.map(({ name }) => name)
}
