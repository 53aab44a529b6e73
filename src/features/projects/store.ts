import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { setFact } from '#infra/db/facts.ts'
import type { Db, ProjectsTable, Tx } from '#infra/db/schema.ts'
import type { Page } from '#infra/http/schema.ts'

export type ProjectRow = Selectable<ProjectsTable> & { isDemo: boolean }

// Which project is the demo is a fact about the installation, and no column: there is one at most.
const demoFact = 'projects.demo'
const isDemo = sql<boolean>`exists (select 1 from instance where name = ${demoFact} and value = projects.id)`.as(
  'isDemo',
)

export async function setDemo(db: Db | Tx, id: string): Promise<void> {
  await setFact(db, demoFact, id)
}

/** Inserts the project unless its slug is taken; then returns nothing. */
export async function insertProject(db: Db | Tx, row: Insertable<ProjectsTable>): Promise<ProjectRow | undefined> {
  return await db
    .insertInto('projects')
    .values(row)
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returningAll()
    .returning(isDemo)
    .executeTakeFirst()
}

export async function findProject(
  db: Db | Tx,
  { id, organizationId }: { id: string; organizationId: string },
): Promise<ProjectRow | undefined> {
  return await db
    .selectFrom('projects')
    .selectAll()
    .select(isDemo)
    .where('id', '=', id)
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()
}

/** By what is unique over all organizations: for work that nobody calls for, or that asks for the organization later. */
export async function findProjectAnywhere(
  db: Db | Tx,
  by: { id: string } | { slug: string },
): Promise<ProjectRow | undefined> {
  const [column, value] = 'id' in by ? (['id', by.id] as const) : (['slug', by.slug] as const)
  return await db.selectFrom('projects').selectAll().select(isDemo).where(column, '=', value).executeTakeFirst()
}

export async function listProjects(
  db: Db,
  { organizationId, page }: { organizationId: string; page: Page },
): Promise<ProjectRow[]> {
  return await db
    .selectFrom('projects')
    .selectAll()
    .select(isDemo)
    .where('organizationId', '=', organizationId)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(page.limit + 1)
    .offset(page.offset)
    .execute()
}

export async function updateProject(
  db: Db | Tx,
  id: string,
  change: Updateable<ProjectsTable>,
): Promise<ProjectRow | undefined> {
  return await db
    .updateTable('projects')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .returning(isDemo)
    .executeTakeFirst()
}

export async function deleteProject(
  db: Db | Tx,
  { id, organizationId }: { id: string; organizationId: string },
): Promise<ProjectRow | undefined> {
  return await db
    .deleteFrom('projects')
    .where('id', '=', id)
    .where('organizationId', '=', organizationId)
    .returningAll()
    .returning(isDemo)
    .executeTakeFirst()
}

/** Which of these ids are projects, in any organization. */
export async function listExisting(db: Db, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('projects').select('id').where('id', 'in', ids).execute()
  return rows.map((row) => row.id)
}

/** Makes those who count things of one project wait for each other, so that the count holds until the end. */
export async function lockProject(tx: Tx, id: string): Promise<boolean> {
  const query = tx.selectFrom('projects').select('id').where('id', '=', id)
  // Not the strongest lock: that one would also stop those who only refer to the project.
  const row = await query.forNoKeyUpdate().executeTakeFirst()
  return row !== undefined
}
