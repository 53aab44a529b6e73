import { applyMoved, findMoved } from './cells.ts'
import type { Connection } from './connection.ts'
import { createReturns, dayMs } from './schema.ts'

// Memory grows with the rows that are looked at in one go.
const viewsPerStep = 500_000

/** From version 2 to 3: there was no `returns`. In the caller's transaction. */
export async function upgradeToReturns(connection: Connection): Promise<void> {
  await connection.run(createReturns)
  const [found] = await connection.query('select count(*) as views from views')
  const steps = Math.ceil(Number(found!.views) / viewsPerStep)
  for (let step = 0; step < steps; step++) {
    // What is known of one visitor never depends on another.
    await connection.run(`
      create or replace temp table changed as
      with seen as materialized (
        select distinct project, page, visitor, (ts // ${dayMs})::usmallint as day, class
        from views where class > 0 and visitor % ${steps} = ${step}
      )
      select project, page, visitor, day, class, false as old, true as new from seen
      union all select distinct project, 0, visitor, day, class, false, true from seen`)
    await findMoved(connection)
    await applyMoved(connection)
    await connection.run('drop table moved; drop table changed')
  }
  await connection.run('update facts set version = 3')
}
