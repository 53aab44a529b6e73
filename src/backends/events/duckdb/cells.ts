import type { Connection } from './connection.ts'

/** What a cell counts, and the classes whose days make it a point: bit 1 is human, 2 direct AI, 3 other AI. */
const measures = {
  human: 0b0010,
  ai: 0b1100,
  direct: 0b0100,
  total: 0b1110,
  total_direct: 0b0110,
}
export type Measure = keyof typeof measures
const columns = Object.keys(measures) as Measure[]

/** Nearly all large numbers are those of new visitors: with these beside each other, the others take a third less room. */
const cellOrder = 'project, day, previous, page'

/** A measure as a bit, as `returns` has it. */
export function bitOf(measure: Measure): number {
  return 1 << columns.indexOf(measure)
}

/**
 * Brings `cells` and `returns` up to a change of who was seen when. The temporary table `changed` (project, page, visitor,
 * day, class, old, new) has every day on which the visitors of the change were seen on the pages of the change: whether
 * that counted before (`old`), and whether it does from now on (`new`). The points of before are taken out and those of
 * now put in; what is the same in both is left alone.
 */
export async function applyChanged(connection: Connection): Promise<void> {
  await findMoved(connection)
  const sumOf = (column: Measure) => `sum(case when bits & ${bitOf(column)} <> 0 then points else 0 end)`
  await connection.run(`
    insert into cells
    select project, day, page, coalesce(previous, 0) as previous, ${columns.map(sumOf).join(', ')}, 0, 0, 0
    from (
      select project, day, page, previous_old as previous, old as bits, -1 as points from moved where old <> 0
      union all select project, day, page, previous_new, new, 1 from moved where new <> 0
    )
    group by project, day, page, previous
    having ${columns.map((column) => `${sumOf(column)} <> 0`).join(' or ')}
    order by ${cellOrder}`)
  await applyMoved(connection)
  await connection.run('drop table moved')
}

type When = 'old' | 'new'

/**
 * Makes the temporary table `moved` of `changed`: the points that are not the same before and now, each with the measures
 * it counts for as bits (0: it is not there) and the day before it, either way.
 */
export async function findMoved(connection: Connection): Promise<void> {
  // The classes of each day as bits.
  const bits = (when: When) => `bit_or(case when ${when} then 1 << class else 0 end)::utinyint as ${when}`
  await connection.run(`
    create or replace temp table days as
    select project, page, visitor, day, ${bits('old')}, ${bits('new')} from changed group by project, page, visitor, day`)
  await connection.run(`
    create or replace temp table mixed as
    select project, page, visitor from days group by project, page, visitor
    having bit_count(bit_or(old | new)) > 1`)
  await connection.run(`create or replace temp table moved as ${movedOfPure()} union all ${movedOfMixed()}`)
  await connection.run('drop table mixed; drop table days')
}

/** Of visitors who were always of one class, which nearly all are: each point is one of every measure of that class. */
function movedOfPure(): string {
  const bits = (when: When) =>
    columns
      .map((column) => `(case when ${when} & ${measures[column]} <> 0 then ${bitOf(column)} else 0 end)`)
      .join(' | ')
  const previous = (when: When) => `
    lag(case when ${when} <> 0 then day end ignore nulls) over (partition by project, page, visitor order by day)`
  return `
    select project, page, visitor, day, previous_old, previous_new,
      (${bits('old')})::utinyint as old, (${bits('new')})::utinyint as new
    from (
      select *, ${previous('old')} as previous_old, ${previous('new')} as previous_new
      from days anti join mixed using (project, page, visitor)
    ) where old <> new or (old <> 0 and previous_old is distinct from previous_new)`
}

/** Of the others, a measure's day before may be another one for each of them. */
function movedOfMixed(): string {
  const points = (when: When, column: Measure) => `
    select project, page, visitor, day, lag(day) over (partition by project, page, visitor order by day) as previous,
      ${when === 'old' ? bitOf(column) : 0} as old, ${when === 'new' ? bitOf(column) : 0} as new
    from days semi join mixed using (project, page, visitor) where ${when} & ${measures[column]} <> 0`
  const all = columns.flatMap((column) => [points('old', column), points('new', column)])
  return `
    select project, page, visitor, day, previous, previous, bit_or(old)::utinyint, bit_or(new)::utinyint
    from (${all.join(' union all ')})
    group by project, page, visitor, day, previous having bit_or(old) <> bit_or(new)`
}

/** Brings `returns` up to `moved`. */
export async function applyMoved(connection: Connection): Promise<void> {
  const gone = 'select project, page, visitor, day, previous_old as previous from moved where old <> 0'
  // Where views come in the order of time nothing goes, and there is no need to look for it.
  const [found] = await connection.query(`select 1 from (${gone}) where previous is not null limit 1`)
  if (found) {
    await connection.run(`
      delete from returns where rowid in (
        select r.rowid from returns as r semi join (${gone}) using (project, page, visitor, day, previous)
      )`)
  }
  // A visitor's pages of a day beside each other: the same number many times over takes hardly any room.
  await connection.run(`
    insert into returns
    select project, day, page, previous_new, visitor, new from moved where new <> 0 and previous_new is not null
    order by project, day, visitor, page`)
}

/**
 * Adds the views in the temporary table `added` (project, page, day, class) to their days' counts, or takes them out.
 * Views are summed over days alone, so which cell of a day has them is all the same: the one of new visitors, which
 * is there anyway.
 */
export async function applyViews(connection: Connection, { sign }: { sign: 1 | -1 }): Promise<void> {
  const counts = (page: string) => `
    select project, day, ${page} as page,
      count(*) filter (class = 1) as human_views,
      count(*) filter (class >= 2) as ai_views,
      count(*) filter (class = 2) as direct_views
    from added where class > 0 group by all`
  await connection.run(`
    insert into cells
    select project, day, page, 0, 0, 0, 0, 0, 0, ${sign} * human_views, ${sign} * ai_views, ${sign} * direct_views
    from (${counts('page')} union all ${counts('0')})
    order by project, day, page`)
}

/** Adds up the cells of the same place, and leaves out those that came to nothing. */
export async function mergeCells(connection: Connection): Promise<void> {
  const counted = [...columns, 'human_views', 'ai_views', 'direct_views']
  await connection.run(`
    create or replace table cells as
    select project, day, page, previous, ${counted.map((column) => `sum(${column})::integer as ${column}`).join(', ')}
    from cells group by project, day, page, previous
    having ${counted.map((column) => `sum(${column}) <> 0`).join(' or ')}
    order by ${cellOrder}`)
  await connection.run('update facts set merged_cells = (select count(*) from cells)')
}
