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
import type { Place } from './place.ts'
import { counts, readPaths } from './read-paths.ts'
import { compared, knownOf, newcomers, restOf } from './rest.ts'
import { dayMs } from './schema.ts'
import { scopes } from './scopes.ts'
import { edgesOf, type SplitRange, splitRange, withoutDays } from './split-range.ts'

/**
 * Unique visitors: those of the whole days from `cells`, and of the rest (the range's ends within a day, the tail) those
 * who are not among them.
 */
export async function countVisitors(connection: Connection, place: Place, query: PathQuery): Promise<PathReport> {
  const range = splitRange(query.range)
  const scope = scopes[query.ai]
  const days = `
    select page, sum(human) as human, sum(${scope.ai}) as ai, sum(${scope.total}) as total
    from cells where ${inDays(place, range)} and previous < ${range.firstDay} group by page`
  if (!place.hasTail && edgesOf(range).length === 0) {
    return await readPaths(connection, query, {
      with: `days as materialized (${days})`,
      pages: 'select path, human, ai, total from days join pages on id = page',
      site: 'select human, ai, total from days where page = 0',
    })
  }
  const rest = restOf(place, range)
  const any = 'bool_or(human) as human, bool_or(ai) as ai'
  return await readPaths(connection, query, {
    with: `
      ${rest.with}
      days as materialized (${days}),
      rest as materialized (
        select page, visitor, bool_or(class = 1) as human, bool_or(${scope.isAi}) as ai
        from ${rest.rows} where ${scope.isCounted} group by page, visitor
      ),
      known as materialized (${knownOf({ place, range, scope })}),
      site_rest as (
        select ${compared} from (select visitor, ${any} from rest group by visitor) as r
        left join (select visitor, ${any}, bool_or(counted) as counted from known group by visitor) as k using (visitor)
      ),
      page_rest as (
        select ${compared} from rest as r left join (
          select page, visitor, ${any}, bool_or(counted) as counted
          from known semi join rest using (page, visitor) group by page, visitor
        ) as k using (page, visitor)
      )`,
    pages: `
      select path, human, ai, total from (
        select page, sum(human) as human, sum(ai) as ai, sum(total) as total
        from (from days union all select page, ${newcomers} from page_rest group by page) group by page
      ) join ${rest.pages} on id = page`,
    site: `
      select sum(human) as human, sum(ai) as ai, sum(total) as total from (
        select human, ai, total from days where page = 0 union all select ${newcomers} from site_rest
      )`,
  })
}

export async function countViews(connection: Connection, place: Place, query: PathQuery): Promise<PathReport> {
  const range = splitRange(query.range)
  const { aiViews, isAi } = scopes[query.ai]
  const rest = restOf(place, range)
  return await readPaths(connection, query, {
    with: `
      ${rest.with}
      counted as materialized (
        select page, sum(human)::bigint as human, sum(ai)::bigint as ai from (
          select page, sum(human_views) as human, sum(${aiViews}) as ai
          from cells where ${inDays(place, range)} and page > 0 group by page
          union all
          select page, count(*) filter (class = 1), count(*) filter (${isAi}) from ${rest.rows} group by page
        ) group by page
      )`,
    pages: `select path, human, ai, human + ai as total from counted join ${rest.pages} on id = page`,
    site: 'select sum(human) as human, sum(ai) as ai, sum(human + ai) as total from counted',
  })
}

export async function countAgents(connection: Connection, place: Place, query: PageQuery): Promise<AgentReport> {
  const rest = restOf(place, withoutDays(splitRange(query.range)))
  const { isAi } = scopes[query.ai]
  const [all, ...rows] = await connection.query(`
    with ${rest.with}
    seen as materialized (
      select visitor, kind, count(*) as views, max(ts) as last from ${rest.rows} where ${isAi} group by visitor, kind
    )
    select * from (
      (select null as client, null as category, count(distinct visitor) as visitors, coalesce(sum(views), 0) as views,
        0 as verified, 0 as last, []::varchar[] as reasons from seen)
      union all
      (select coalesce(client, 'unnamed') as client, category, count(distinct visitor) as visitors, sum(views) as views,
        coalesce(sum(views) filter (verification = 'verified'), 0), max(last), list(distinct reason order by reason)
        from seen join kinds on id = kind group by all
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
  const scope = scopes[query.ai]
  const { ai, total, aiViews, isAi, isCounted } = scope
  const range = interval === 'hour' ? withoutDays(splitRange(query.range)) : splitRange(query.range)
  const startMs =
    interval === 'hour'
      ? (ts: string) => `(${ts} - ${ts} % 3600000)`
      : (ts: string) => `(${intervalOfDay[interval](`(${ts} // ${dayMs})`)}::bigint * ${dayMs})`
  const dayOfStart = (day: string) => (interval === 'hour' ? day : intervalOfDay[interval](day))
  const startDay = dayOfStart('day')
  const rest = restOf(place, range)
  const more = {
    ofView: `${startMs('ts')} as start`,
    ofPoint: `(${startDay})::bigint * ${dayMs} as start`,
    where: `page = 0 and ${startDay} = ${dayOfStart('previous')}`,
  }
  const rows = await connection.query(`
    with ${rest.with}
    rest as materialized (
      select ${startMs('ts')} as start, visitor, bool_or(class = 1) as human, bool_or(${isAi}) as ai,
        count(*) filter (class = 1) as human_views, count(*) filter (${isAi}) as ai_views
      from ${rest.rows} where ${isCounted} group by all
    ),
    known as materialized (
      select start, visitor, bool_or(human) as human, bool_or(ai) as ai, bool_or(counted) as counted
      from (${knownOf({ place, range, scope, more })}) group by start, visitor
    ),
    compared as (select ${compared} from rest as r left join known as k using (start, visitor)),
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

function inDays({ project }: Place, { firstDay, endDay }: SplitRange): string {
  return `project = ${project} and day >= ${firstDay} and day < ${endDay}`
}
