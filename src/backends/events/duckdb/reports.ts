import type { DuckDBListValue } from '@duckdb/node-api'
import type {
  AgentReport,
  AiScope,
  Interval,
  IntervalCounts,
  PageQuery,
  PathQuery,
  PathReport,
} from '../event-store.ts'
import type { Category } from '../view.ts'
import type { Connection } from './connection.ts'
import { freshTail } from './fresh-tail.ts'
import { counts, readPaths } from './read-paths.ts'
import { dayMs } from './schema.ts'
import { edgesOf, type SplitRange, splitRange, withoutDays } from './split-range.ts'

/** Where a query looks: the project by its number in the file, and whether the tail may have rows of it. */
export interface Place {
  project: number
  hasTail: boolean
}

/** The columns of `cells` and the test of a class, by what counts as AI. */
export const scopes: Record<AiScope, Record<'ai' | 'total' | 'aiViews' | 'isAi' | 'isCounted', string>> = {
  all: { ai: 'ai', total: 'total', aiViews: 'ai_views', isAi: 'class >= 2', isCounted: 'class > 0' },
  direct: {
    ai: 'direct',
    total: 'total_direct',
    aiViews: 'direct_views',
    isAi: 'class = 2',
    isCounted: 'class between 1 and 2',
  },
}

/**
 * Unique visitors: those of the whole days from `cells`, and of the rest (the range's ends within a day, the tail) those
 * who are not among them. Only the visitors of the rest are ever compared, and they are few.
 */
export async function countVisitors(connection: Connection, place: Place, query: PathQuery): Promise<PathReport> {
  const range = splitRange(query.range)
  const { ai, total, isAi, isCounted } = scopes[query.ai]
  const days = `
    select page, sum(human) as human, sum(${ai}) as ai, sum(${total}) as total
    from cells where ${inDays(place, range)} and previous < ${range.firstDay} group by page`
  if (!place.hasTail && edgesOf(range).length === 0) {
    return await readPaths(connection, query, {
      with: `days as materialized (${days})`,
      pages: 'select path, human, ai, total from days join pages on id = page',
      site: 'select human, ai, total from days where page = 0',
    })
  }
  return await readPaths(connection, query, {
    with: `
      days as materialized (${days}),
      rest as materialized (
        select path, page, visitor, bool_or(class = 1) as human, bool_or(${isAi}) as ai
        from ${restOf(place, range)} where ${isCounted} group by all
      ),
      known as materialized (
        select page, visitor, class from views semi join rest using (visitor)
        where project = ${place.project} and ${isCounted} and ${inWholeDays(range)}
      ),
      site_rest as (
        select r.human as human, r.ai as ai, coalesce(k.human, false) as was_human, coalesce(k.ai, false) as was_ai
        from (select visitor, bool_or(human) as human, bool_or(ai) as ai from rest group by visitor) as r
        left join (
          select visitor, bool_or(class = 1) as human, bool_or(${isAi}) as ai from known group by visitor
        ) as k using (visitor)
      ),
      page_rest as (
        select r.path, r.human, r.ai, coalesce(k.human, false) as was_human, coalesce(k.ai, false) as was_ai
        from rest as r left join (
          select page, visitor, bool_or(class = 1) as human, bool_or(${isAi}) as ai
          from known semi join rest using (page, visitor) group by page, visitor
        ) as k using (page, visitor)
      )`,
    pages: `
      select path, sum(human) as human, sum(ai) as ai, sum(total) as total from (
        select path, human, ai, total from days join pages on id = page
        union all select path, ${newcomers} from page_rest group by path
      ) group by path`,
    site: `
      select sum(human) as human, sum(ai) as ai, sum(total) as total from (
        select human, ai, total from days where page = 0 union all select ${newcomers} from site_rest
      )`,
  })
}

const newcomers = `
  count(*) filter (human and not was_human) as human, count(*) filter (ai and not was_ai) as ai,
  count(*) filter (not was_human and not was_ai) as total`

export async function countViews(connection: Connection, place: Place, query: PathQuery): Promise<PathReport> {
  const range = splitRange(query.range)
  const { aiViews, isAi } = scopes[query.ai]
  return await readPaths(connection, query, {
    with: `
      counted as materialized (
        select path, sum(human)::bigint as human, sum(ai)::bigint as ai from (
          select path, human, ai from (
            select page, sum(human_views) as human, sum(${aiViews}) as ai
            from cells where ${inDays(place, range)} and page > 0 group by page
          ) join pages on id = page
          union all
          select path, count(*) filter (class = 1), count(*) filter (${isAi}) from ${restOf(place, range)} group by path
        ) group by path
      )`,
    pages: 'select path, human, ai, human + ai as total from counted',
    site: 'select sum(human) as human, sum(ai) as ai, sum(human + ai) as total from counted',
  })
}

export async function countAgents(connection: Connection, place: Place, query: PageQuery): Promise<AgentReport> {
  const range = withoutDays(splitRange(query.range))
  const { isAi } = scopes[query.ai]
  const [all, ...rows] = await connection.query(`
    with seen as materialized (
      select visitor, ts, coalesce(client, 'unnamed') as client, category, verification = 'verified' as verified,
        reason
      from (select * from ${restOf(place, range)} where ${isAi}) as r join kinds as k on k.id = r.kind
    )
    select * from (
      (select null as client, null as category, count(distinct visitor) as visitors, count(*) as views,
        0 as verified, 0 as last, []::varchar[] as reasons from seen)
      union all
      (select client, category, count(distinct visitor) as visitors, count(*) as views,
        count(*) filter (verified), max(ts), list(distinct reason order by reason)
        from seen group by client, category
        order by visitors desc, views desc, client, category limit ${query.limit + 1} offset ${query.offset})
    ) order by client is not null, visitors desc, views desc, client, category`)
  return {
    totals: { visitors: Number(all!.visitors), views: Number(all!.views) },
    rows: rows.slice(0, query.limit).map((row) => ({
      client: String(row.client),
      category: row.category as Category,
      visitors: Number(row.visitors),
      views: Number(row.views),
      verifiedViews: Number(row.verified),
      lastSeenAt: Number(row.last),
      reasons: (row.reasons as DuckDBListValue).items.map(String),
    })),
    hasMore: rows.length > query.limit,
  }
}

/** The first day of the interval that a day is in. */
const intervalOfDay: Record<Exclude<Interval, 'hour'>, (day: string) => string> = {
  day: (day) => `${day}::integer`,
  // The first day of 1970 was a Thursday.
  week: (day) => `(${day}::integer - (${day}::integer + 3) % 7)`,
  month: (day) =>
    `datediff('day', date '1970-01-01', date_trunc('month', date '1970-01-01' + ${day}::integer)::date)::integer`,
}

export async function countIntervals(
  connection: Connection,
  place: Place,
  query: { range: PageQuery['range']; ai: AiScope; interval: Interval },
): Promise<IntervalCounts[]> {
  const { interval } = query
  const { ai, total, aiViews, isAi, isCounted } = scopes[query.ai]
  const range = interval === 'hour' ? withoutDays(splitRange(query.range)) : splitRange(query.range)
  const startMs =
    interval === 'hour'
      ? (ts: string) => `(${ts} - ${ts} % 3600000)`
      : (ts: string) => `(${intervalOfDay[interval](`(${ts} // ${dayMs})`)}::bigint * ${dayMs})`
  const startDay = interval === 'hour' ? 'day' : intervalOfDay[interval]('day')
  const rows = await connection.query(`
    with rest as materialized (
      select ${startMs('ts')} as start, visitor, bool_or(class = 1) as human, bool_or(${isAi}) as ai,
        count(*) filter (class = 1) as human_views, count(*) filter (${isAi}) as ai_views
      from ${restOf(place, range)} where ${isCounted} group by all
    ),
    known as materialized (
      select ${startMs('ts')} as start, visitor, bool_or(class = 1) as human, bool_or(${isAi}) as ai
      from views semi join rest using (visitor)
      where project = ${place.project} and ${isCounted} and ${inWholeDays(range)} group by all
    ),
    compared as (
      select r.*, coalesce(k.human, false) as was_human, coalesce(k.ai, false) as was_ai
      from rest as r left join known as k using (start, visitor)
    ),
    parts as (
      select (${startDay})::bigint * ${dayMs} as start,
        sum(human) filter (previous < greatest(${startDay}, ${range.firstDay})) as human,
        sum(${ai}) filter (previous < greatest(${startDay}, ${range.firstDay})) as ai,
        sum(${total}) filter (previous < greatest(${startDay}, ${range.firstDay})) as total,
        sum(human_views) as human_views, sum(${aiViews}) as ai_views
      from cells where ${inDays(place, range)} and page = 0 group by 1
      union all
      select start, ${newcomers}, sum(human_views), sum(ai_views) from compared group by start
    )
    select start, sum(human) as human, sum(ai) as ai, sum(total) as total,
      sum(human_views) as human_views, sum(ai_views) as ai_views
    from parts group by start having sum(human_views) + sum(ai_views) > 0 order by start`)
  return rows.map((row) => {
    const [human, ai] = [Number(row.human_views), Number(row.ai_views)]
    return { start: Number(row.start), visitors: counts(row), views: { human, ai, total: human + ai } }
  })
}

/** Every row that cells do not answer for: of the range's ends, and of the tail. Has path, page, visitor, class, ts, kind. */
function restOf({ project, hasTail }: Place, range: SplitRange): string {
  const parts = edgesOf(range).map(
    ([from, to]) =>
      `select path, page, visitor, class, ts, kind from views join pages on id = page
       where views.project = ${project} and ts >= ${from} and ts < ${to}`,
  )
  if (hasTail) {
    // A page that is not folded yet has no number, so it can be no page that is known.
    parts.push(
      `select text as path, page, visitor, class, ts, kind
       from ${freshTail({ among: `project = ${project}`, where: inRange(range) })} as t
       join (
         select texts.id, text, pages.id as page
         from texts left join pages on pages.project = ${project} and pages.path = text
       ) as n on n.id = t.path`,
    )
  }
  const none = `select '' as path, 0::uinteger as page, 0::ubigint as visitor, 0::utinyint as class, 0::bigint as ts,
    0::usmallint as kind where false`
  return `(${parts.join(' union all ') || none})`
}

export function inRange({ from, to }: SplitRange): string {
  return `ts >= ${from} and ts < ${to}`
}

function inWholeDays({ firstDay, endDay }: SplitRange): string {
  return `ts >= ${firstDay * dayMs} and ts < ${endDay * dayMs}`
}

function inDays({ project }: Place, { firstDay, endDay }: SplitRange): string {
  return `project = ${project} and day >= ${firstDay} and day < ${endDay}`
}
