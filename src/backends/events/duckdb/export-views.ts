import { randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { ExportFormat, Range } from '../event-store.ts'
import type { Connection } from './connection.ts'
import { freshTail } from './fresh-tail.ts'
import type { Place } from './place.ts'
import { splitRange } from './split-range.ts'

// To put views in order takes memory, which reports and appends need meanwhile: so many at a time.
const mostRowsPerSlice = 100_000
const hourMs = 3_600_000

/** A part of the range, and whether the tail has views in it. */
interface Slice {
  from: number
  to: number
  hasTail: boolean
}

/** Writes the views to a file in the folder, and gives its content; the file has no name any more by then. */
export async function exportViews(
  connection: Connection,
  place: Place,
  { range, format, folder }: { range: Range; format: ExportFormat; folder: string },
): Promise<Readable> {
  const own = join(folder, randomUUID())
  await mkdir(own, { recursive: true, mode: 0o700 })
  try {
    const slices = await slicesOf(connection, place, range)
    const parts: string[] = []
    for (const slice of slices.length > 1 ? slices : []) {
      parts.push(textOf(join(own, `${parts.length}.parquet`)))
      await connection.run(`copy (${selection(place.project, slice)}) to ${parts.at(-1)} (${options.parquet})`)
    }
    const rows = parts.length > 0 ? `from read_parquet([${parts}])` : `from (${selection(place.project, slices[0]!)})`
    const whole = join(own, `views.${format}`)
    await connection.run(`copy (select ${columns[format]} ${rows}) to ${textOf(whole)} (${options[format]})`)
    const handle = await open(whole)
    return handle.createReadStream()
  } finally {
    await rm(own, { recursive: true, force: true })
  }
}

const options: Record<ExportFormat, string> = {
  jsonl: 'format json, array false',
  // Large groups of rows are held in memory until they are written.
  parquet: 'format parquet, compression zstd, row_group_size 40960',
}
const columns: Record<ExportFormat, string> = {
  jsonl: `* replace (strftime(timestamp, '%Y-%m-%dT%H:%M:%S.%gZ') as timestamp)`,
  parquet: '*',
}

function textOf(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** Cuts the range, between hours, into parts with few enough views. There is at least one. */
async function slicesOf(connection: Connection, { project, hasTail }: Place, range: Range): Promise<Slice[]> {
  const { from, to } = splitRange(range)
  const hoursOf = (table: 'views' | 'tail') => `
    select ts // ${hourMs} as hour, ${table === 'tail'} as is_tail from ${table}
    where project = ${project} and ts >= ${from} and ts < ${to}`
  const hours = await connection.query(`
    select hour, count(*) as rows, bool_or(is_tail) as has_tail
    from (${hoursOf('views')} ${hasTail ? `union all ${hoursOf('tail')}` : ''}) group by hour order by hour`)
  let slice: Slice = { from, to, hasTail: false }
  const slices = [slice]
  let rows = 0
  for (const hour of hours) {
    if (rows > 0 && rows + Number(hour.rows) > mostRowsPerSlice) {
      slice.to = Number(hour.hour) * hourMs
      slice = { from: slice.to, to, hasTail: false }
      slices.push(slice)
      rows = 0
    }
    rows += Number(hour.rows)
    slice.hasTail ||= hour.has_tail === true
  }
  return slices
}

function selection(project: number, { from, to, hasTail }: Slice): string {
  const where = `ts >= ${from} and ts < ${to}`
  const tail = `
    union all
    select ts, p.text as path, visitor, kind, list, r.text as referrer
    from ${freshTail({ among: `project = ${project}`, where })} as t
    join texts as p on p.id = t.path left join texts as r on r.id = t.referrer`
  return `
    select make_timestamp(ts * 1000) as timestamp, path, lpad(lower(to_hex(visitor)), 16, '0') as visitor, category,
      client, reason, verification, version as "listVersion", referrer, source
    from (
      select ts, path, visitor, kind, list, url as referrer
      from views join pages on pages.id = page left join referrers as r on r.id = views.referrer
      where views.project = ${project} and ${where}
      ${hasTail ? tail : ''}
    ) join kinds on kinds.id = kind join lists on lists.id = list
    order by ts, path, visitor`
}
