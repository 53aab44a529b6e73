import type { Connection } from './connection.ts'

/** What a cell counts: the flag of a day that makes it a point, by the column it is counted in. */
const measures = {
  human: 'human',
  ai: 'ai',
  direct: 'direct',
  total: 'human or ai',
  total_direct: 'human or direct',
}

/**
 * Brings `cells` up to a change of who was seen when. The temporary table `changed` (project, page, visitor, day, class,
 * old, new) has every day on which the visitors of the change were seen on the pages of the change: whether that counted
 * before (`old`), and whether it does from now on (`new`). The points of before are taken out and those of now put in;
 * what is the same in both cancels out.
 */
export async function applyChanged(connection: Connection): Promise<void> {
  const flags = (when: 'old' | 'new') => `
    bool_or(${when} and class = 1) as ${when}_human,
    bool_or(${when} and class >= 2) as ${when}_ai,
    bool_or(${when} and class = 2) as ${when}_direct`
  const flagOf = (when: 'old' | 'new', column: keyof typeof measures) =>
    `(${measures[column].replace(/\w+/g, (word) => (word === 'or' ? word : `${when}_${word}`))})`
  const columns = Object.keys(measures) as (keyof typeof measures)[]
  const previous = (when: 'old' | 'new') =>
    columns.map(
      (column) => `max(case when ${flagOf(when, column)} then day end) over earlier as ${when}_${column}_before`,
    )
  await connection.run(`
    create or replace temp table points as
    select project, page, day, ${columns.flatMap((c) => [`${flagOf('old', c)} as old_${c}_seen`, `${flagOf('new', c)} as new_${c}_seen`]).join(', ')},
      ${[...previous('old'), ...previous('new')].join(',\n      ')}
    from (
      select project, page, visitor, day, ${flags('old')}, ${flags('new')}
      from changed group by project, page, visitor, day
    )
    window earlier as (
      partition by project, page, visitor order by day rows between unbounded preceding and 1 preceding
    )`)
  const pointsOf = (when: 'old' | 'new', column: keyof typeof measures) => `
    select project, day, page, coalesce(${when}_${column}_before, 0) as previous,
      ${columns.map((other) => `${other === column ? (when === 'new' ? 'count(*)' : '-count(*)') : '0'} as ${other}`).join(', ')}
    from points where ${when}_${column}_seen
      and not (old_${column}_seen and new_${column}_seen and old_${column}_before is not distinct from new_${column}_before)
    group by all`
  await connection.run(`
    insert into cells
    select project, day, page, previous, ${columns.map((column) => `sum(${column})`).join(', ')}, 0, 0, 0
    from (${columns.flatMap((column) => [pointsOf('old', column), pointsOf('new', column)]).join(' union all ')})
    group by project, day, page, previous
    having ${columns.map((column) => `sum(${column}) <> 0`).join(' or ')}
    order by project, day, page, previous`)
  await connection.run('drop table points')
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
  const columns = [...Object.keys(measures), 'human_views', 'ai_views', 'direct_views']
  await connection.run(`
    create or replace table cells as
    select project, day, page, previous, ${columns.map((column) => `sum(${column})::integer as ${column}`).join(', ')}
    from cells group by project, day, page, previous
    having ${columns.map((column) => `sum(${column}) <> 0`).join(' or ')}
    order by project, day, page, previous`)
}
