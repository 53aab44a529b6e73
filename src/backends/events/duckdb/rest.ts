import { bitOf, type Measure } from './cells.ts'
import { freshTail } from './fresh-tail.ts'
import type { Place } from './place.ts'
import { dayMs } from './schema.ts'
import type { Scope } from './scopes.ts'
import { edgesOf, inRange, inWholeDays, type SplitRange } from './split-range.ts'

/** What cells do not answer for, of the range's ends and of the tail, as statements over their own `with`. */
export interface Rest {
  /** Each with a comma after it. */
  with: string
  /** Has page, visitor, class, ts and kind. */
  rows: string
  /** The pages that rows may have: id and path. */
  pages: string
}

const lastPage = 4_294_967_295

export function restOf({ project, hasTail }: Place, range: SplitRange): Rest {
  const parts = edgesOf(range).map(
    ([from, to]) =>
      `select page, visitor, class, ts, kind from views where project = ${project} and ts >= ${from} and ts < ${to}`,
  )
  if (!hasTail) return { with: '', rows: `(${parts.join(' union all ') || noRows})`, pages: 'pages' }
  return {
    // A page that is not folded yet has no number, and gets one that no page has: numbers are told apart sooner than texts.
    with: `
      tail_pages as materialized (
        select t.path, pages.id is null as is_new, coalesce(pages.id, ${lastPage} - row_number() over ())::uinteger as page
        from (select distinct text as path from texts) as t
        left join pages on pages.project = ${project} and pages.path = t.path
      ),
      tail_texts as materialized (
        select texts.id as text, page from texts join tail_pages on tail_pages.path = texts.text
      ),
      fresh as materialized (
        select page, visitor, class, ts, kind
        from ${freshTail({ among: `project = ${project}`, where: inRange(range) })} as t
        join tail_texts on tail_texts.text = t.path
      ),`,
    rows: `(${[...parts, 'from fresh'].join(' union all ')})`,
    pages: '(select id, path from pages union all select page, path from tail_pages where is_new)',
  }
}

const noRows = `
  select 0::uinteger as page, 0::ubigint as visitor, 0::utinyint as class, 0::bigint as ts, 0::usmallint as kind where false`

interface KnownQuery {
  place: Place
  range: SplitRange
  scope: Scope
  /** More to select, of a view and of a point; and which points to take. */
  more?: { ofView: string; ofPoint: string; where: string }
}

/**
 * Whom of the rest's visitors the whole days have: page (0: any), visitor, and whether as human, as AI and at all. Those
 * of the range's ends are known by the point that leads to or from their own day. Only those of the tail, which have none
 * yet, are looked for in all views.
 */
export function knownOf({ place, range, scope, more }: KnownQuery): string {
  const { firstDay, endDay, from, to } = range
  const [ofView, ofPoint] = more ? [`, ${more.ofView}`, `, ${more.ofPoint}`] : ['', '']
  const has = (measure: Measure) => `bits & ${bitOf(measure)} <> 0`
  const points = (where: string) => `
    select page, visitor, ${has('human')} as human, ${has(scope.ai)} as ai, ${has(scope.total)} as counted${ofPoint}
    from returns where project = ${place.project} and ${where} and ${more?.where ?? 'true'}`
  if (firstDay === endDay) return points('false')
  const parts: string[] = []
  if (from < firstDay * dayMs) {
    parts.push(points(`previous = ${firstDay - 1} and day >= ${firstDay} and day < ${endDay}`))
  }
  if (to > endDay * dayMs) parts.push(points(`day = ${endDay} and previous >= ${firstDay}`))
  if (place.hasTail) {
    parts.push(`
      select page, visitor, bool_or(class = 1) as human, bool_or(${scope.isAi}) as ai, true as counted${ofView}
      from views semi join fresh using (visitor)
      where project = ${place.project} and ${scope.isCounted} and ${inWholeDays(range)} and first_of_day = true
      group by all`)
  }
  return parts.join(' union all ') || points('false')
}

/** Who of the rest is counted: `was_…` says what the whole days have them as. */
export const newcomers = `
  count(*) filter (human and not was_human) as human, count(*) filter (ai and not was_ai) as ai,
  count(*) filter (not was_counted) as total`

/** The columns of `r` with what `k` knows of them. */
export const compared = `
  r.*, coalesce(k.human, false) as was_human, coalesce(k.ai, false) as was_ai, coalesce(k.counted, false) as was_counted`
