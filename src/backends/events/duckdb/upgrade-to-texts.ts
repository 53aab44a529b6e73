import type { Connection } from './connection.ts'
import { createTail, noText } from './schema.ts'

/** From version 1 to 2: the tail had its texts in its rows. In the caller's transaction. */
export async function upgradeToTexts(connection: Connection): Promise<void> {
  await connection.run('create or replace temp table old_tail as select * from tail')
  await connection.run('drop table tail')
  await connection.run(createTail)
  await connection.run(`
    insert into texts
    select row_number() over (), (select max(seq) from old_tail), text from (
      select path as text from old_tail union select referrer from old_tail where referrer is not null
    )`)
  await connection.run(`
    insert into tail
    select seq, project, ts, p.id, visitor, event, kind, list, class, coalesce(r.id, ${noText})
    from old_tail as o join texts as p on p.text = o.path left join texts as r on r.text = o.referrer`)
  await connection.run('drop table old_tail')
  await connection.run('update facts set version = 2')
}
