import type { Connection } from './connection.ts'

/** What a cell counts, and the classes whose days make it a point: bit 1 is human, 2 direct AI, 3 other AI. */
const measures = {
  human: 0b0010,
  ai: 0b1100,
  direct: 0b0100,
  total: 0b1110,
  total_direct: 0b0110,
}
type Measure = keyof typeof measures
const columns = Object.keys(measures) as Measure[]

/**
 * Brings `cells` up to a change of who was seen when. The temporary table `changed` (project, page, visitor, day, class,
 * old, new) has every day on which the visitors of the change were seen on the pages of the change: whether that counted
 * before (`old`), and whether it does from now on (`new`). The points of before are taken out and those of now put in;
 * what is the same in both cancels out.
 */
export async function applyChanged(connection: Connection): Promise<void> {
  // The classes of each day as bits.
  const bits = (when: 'old' | 'new') => `bit_or(case when ${when} then 1 << class else 0 end)::utinyint as ${when}`
  await connection.run(`
    create or replace temp table days as
    select project, page, visitor, day, ${bits('old')}, ${bits('new')} from changed group by project, page, visitor, day`)
  await connection.run(`
    create or replace temp table mixed as
    select project, page, visitor from days group by project, page, visitor
    having bit_count(bit_or(old | new)) > 1`)
  await connection.run(`
    create or replace temp table points as
    ${pointsOfPure('old')} union all ${pointsOfPure('new')}
    ${columns.map((column) => `union all ${pointsOfMixed('old', column)} union all ${pointsOfMixed('new', column)}`).join('\n')}`)
  await connection.run(`
    insert into cells
    select project, day, page, coalesce(previous, 0) as previous, ${columns.map(sumOf).join(', ')}, 0, 0, 0
    from (
      select project, day, page, previous, bits, sum(points) as points from points
      group by project, day, page, previous, bits having sum(points) <> 0
    )
    group by project, day, page, previous
    having ${columns.map((column) => `${sumOf(column)} <> 0`).join(' or ')}
    order by project, day, page, previous`)
  await connection.run('drop table points; drop table mixed; drop table days')
}

/** Of visitors who were always of one class, which nearly all are: each point is one of every measure of that class. */
function pointsOfPure(when: 'old' | 'new'): string {
  const seen = columns.map(
    (column) => `(case when ${when} & ${measures[column]} <> 0 then ${1 << columns.indexOf(column)} else 0 end)`,
  )
  return `
    select project, day, page, lag(day) over (partition by project, page, visitor order by day) as previous, ${seen.join(' | ')} as bits, ${signs[when]} as points
    from days anti join mixed using (project, page, visitor) where ${when} <> 0`
}

function pointsOfMixed(when: 'old' | 'new', column: Measure): string {
  return `
    select project, day, page, lag(day) over (partition by project, page, visitor order by day), ${1 << columns.indexOf(column)}, ${signs[when]}
    from days semi join mixed using (project, page, visitor) where ${when} & ${measures[column]} <> 0`
}

const signs = { old: -1, new: 1 }

function sumOf(column: Measure): string {
  return `coalesce(sum(points) filter (bits & ${1 << columns.indexOf(column)} <> 0), 0)`
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
    order by project, day, page, previous`)
  await connection.run('update facts set merged_cells = (select count(*) from cells)')
}
