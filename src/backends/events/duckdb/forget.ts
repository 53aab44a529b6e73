import { applyChanged, applyViews } from './cells.ts'
import type { Connection } from './connection.ts'
import { dayMs } from './schema.ts'

// Each runs in the caller's transaction, with the tail folded as far as it concerns.

export async function forgetVisitors(
  connection: Connection,
  project: number,
  visitors: readonly bigint[],
): Promise<number> {
  const where = `project = ${project} and visitor in (${visitors.map((visitor) => `${visitor}::ubigint`).join()})`
  const day = `(ts // ${dayMs})::usmallint as day`
  await connection.run(`
    create or replace temp table added as select project, page, ${day}, class from views where ${where}`)
  await connection.run(`
    create or replace temp table changed as
    with seen as (select distinct project, page, visitor, ${day}, class from views where ${where} and class > 0)
    select project, page, visitor, day, class, true as old, false as new from seen
    union all select distinct project, 0, visitor, day, class, true, false from seen`)
  await applyChanged(connection)
  await applyViews(connection, { sign: -1 })
  await connection.run('drop table added; drop table changed')
  return await deleteViews(connection, where)
}

/** Returns how many rows of the tail went with it: those that came after the tail was folded for this. */
export async function deleteProject(connection: Connection, project: number): Promise<number> {
  const [fromTail] = await connection.query(`delete from tail where project = ${project}`)
  await connection.run('delete from texts where id not in (select path from tail union select referrer from tail)')
  for (const table of ['views', 'cells', 'returns', 'pages']) {
    await connection.run(`delete from ${table} where project = ${project}`)
  }
  await deleteUnused(connection)
  return Number(fromTail?.Count ?? 0)
}

/** Days before this one go. Who was seen last on one of them is from now on seen for the first time. */
export async function pruneDays(connection: Connection, project: number, firstDay: number): Promise<number> {
  await connection.run(`delete from cells where project = ${project} and day < ${firstDay}`)
  await connection.run(`
    update cells set previous = 0 where project = ${project} and previous > 0 and previous < ${firstDay}`)
  await connection.run(`delete from returns where project = ${project} and previous < ${firstDay}`)
  return await deleteViews(connection, `project = ${project} and ts < ${firstDay * dayMs}`)
}

async function deleteViews(connection: Connection, where: string): Promise<number> {
  const [deleted] = await connection.query(`delete from views where ${where}`)
  const views = Number(deleted?.Count ?? 0)
  if (views > 0) await deleteUnused(connection)
  return views
}

/** Names that no view has any more: an address somebody came from, or a page, can tell of a visitor too. */
async function deleteUnused(connection: Connection): Promise<void> {
  await connection.run('delete from pages where id not in (select page from views)')
  await connection.run('delete from referrers where id not in (select referrer from views where referrer is not null)')
}
