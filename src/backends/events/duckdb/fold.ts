import { applyChanged, applyViews } from './cells.ts'
import type { Connection } from './connection.ts'
import { freshTail } from './fresh-tail.ts'
import { dayMs } from './schema.ts'

/**
 * Moves the tail's rows up to `last` into `views` and `cells`, in the caller's transaction. Rows arrive in any order: the
 * visitors' other days are looked up, so that a day between two known ones takes its right place.
 */
export async function foldTail(connection: Connection, last: bigint): Promise<void> {
  await connection.run(
    `create or replace temp table fresh as select * from ${freshTail({ among: `seq <= ${last}`, where: 'true' })}`,
  )
  await connection.run('create or replace temp table places as select distinct project, path from fresh')
  await connection.run(`
    insert into pages
    select (select coalesce(max(id), 0) from pages) + row_number() over (), project, path
    from (select distinct project, text as path from places join texts on id = places.path) as p
    anti join pages using (project, path)`)
  await connection.run(`
    insert into referrers
    select (select coalesce(max(id), 0) from referrers) + row_number() over (), url
    from (
      select distinct text as url from (select distinct referrer from fresh) as f join texts on texts.id = f.referrer
    ) as t anti join referrers using (url)`)
  await connection.run(`
    create or replace temp table added as
    select f.project, f.ts, p.page, f.visitor, f.event, f.kind, f.list, f.class, r.id as referrer,
      (f.ts // ${dayMs})::usmallint as day
    from fresh as f
    join (
      select places.project, places.path, pages.id as page
      from places join texts on texts.id = places.path
      join pages on pages.project = places.project and pages.path = text
    ) as p using (project, path)
    left join (select texts.id as text, r.id from texts join referrers as r on url = text) as r
      on r.text = f.referrer`)
  await connection.run('drop table fresh; drop table places')
  await findChanged(connection)
  await applyChanged(connection)
  await applyViews(connection, { sign: 1 })
  await connection.run(`
    insert into views
    select project, ts, page, visitor, event, kind, list, class, referrer,
      rowid in (select first from came anti join known using (project, page, visitor, day, class))
    from added order by project, ts`)
  await connection.run(`delete from tail where seq <= ${last}`)
  await connection.run(`delete from texts where last <= ${last}`)
  await connection.run('drop table added; drop table changed; drop table came; drop table known')
}

/**
 * Who came when, of `added`, as `came`; of the same visitors all days there were before, as `known`; and both, for their
 * pages and the site, as `changed`.
 */
async function findChanged(connection: Connection): Promise<void> {
  await connection.run(`
    create or replace temp table came as
    select project, page, visitor, day, class, min(rowid) as first from added where class > 0 group by all`)
  await connection.run(`
    create or replace temp table known as
    select distinct v.project, v.page, v.visitor, (v.ts // ${dayMs})::usmallint as day, v.class
    from views as v semi join came using (project, visitor) where v.class > 0 and v.first_of_day = true`)
  await connection.run(`
    create or replace temp table changed as
    select project, page, visitor, day, class, false as old, true as new from came
    union all select distinct project, 0, visitor, day, class, false, true from came
    union all select project, page, visitor, day, class, true, true
      from known semi join came using (project, page, visitor)
    union all select distinct project, 0, visitor, day, class, true, true from known`)
}
