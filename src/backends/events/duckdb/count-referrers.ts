import type { PageQuery, ReferrerGroup, ReferrerReport } from '../event-store.ts'
import type { Connection, Row } from './connection.ts'
import { freshTail } from './fresh-tail.ts'
import type { Place } from './place.ts'
import { counts } from './read-paths.ts'
import { scopes } from './scopes.ts'
import { inRange, splitRange } from './split-range.ts'

/** The name of a row. What is no address of the web stands as it is. */
const names: Record<ReferrerGroup, string> = {
  url: 'referrer',
  host: `coalesce(nullif(regexp_extract(referrer, '^https?://([^/]+)', 1), ''), referrer)`,
}

/** By comparing the visitors of every view in the range: nothing is counted in advance by referrer. */
export async function countReferrers(
  connection: Connection,
  { project, hasTail }: Place,
  query: PageQuery & { by: ReferrerGroup },
): Promise<ReferrerReport> {
  const { isAi, isCounted } = scopes[query.ai]
  const where = inRange(splitRange(query.range))
  // Numbers are told apart sooner than texts, and most views of a visitor have the same one.
  const grouped = (rows: string) => `
    select referrer, visitor, bool_or(class = 1) as human, bool_or(${isAi}) as ai, count(*) as views
    from ${rows} where ${isCounted} group by referrer, visitor`
  const tail = `
    union all select text, visitor, human, ai, views
    from (${grouped(freshTail({ among: `project = ${project}`, where }))}) as t left join texts on texts.id = t.referrer`
  const [site, ...rows] = await connection.query(`
    with seen as materialized (
      select ${names[query.by]} as referrer, visitor, bool_or(human) as human, bool_or(ai) as ai, sum(views) as views
      from (
        select url as referrer, visitor, human, ai, views
        from (${grouped(`(select * from views where project = ${project} and ${where})`)}) as v
        left join referrers on referrers.id = v.referrer
        ${hasTail ? tail : ''}
      ) group by all
    )
    select * from (
      (select true as is_site, null as referrer, count(*) filter (human) as human, count(*) filter (ai) as ai,
        count(*) as total, coalesce(sum(views), 0) as views
        from (
          select visitor, bool_or(human) as human, bool_or(ai) as ai, sum(views) as views from seen group by visitor
        ))
      union all
      (select false, referrer, count(*) filter (human), count(*) filter (ai), count(*) as total, sum(views) as views
        from seen group by referrer
        order by total desc, views desc, referrer nulls first limit ${query.limit + 1} offset ${query.offset})
    ) order by is_site desc, total desc, views desc, referrer nulls first`)
  const countsOf = (row: Row) => ({ ...counts(row), views: Number(row.views) })
  return {
    totals: countsOf(site!),
    rows: rows
      .slice(0, query.limit)
      .map((row) => ({ referrer: row.referrer === null ? null : String(row.referrer), ...countsOf(row) })),
    hasMore: rows.length > query.limit,
  }
}
