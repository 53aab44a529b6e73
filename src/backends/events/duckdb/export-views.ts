import { randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { ExportFormat, Range } from '../event-store.ts'
import type { Connection } from './connection.ts'
import { freshTail } from './fresh-tail.ts'
import type { Place } from './reports.ts'
import { splitRange } from './split-range.ts'

/** Writes the views to a file in the folder, and gives its content; the file has no name any more by then. */
export async function exportViews(
  connection: Connection,
  place: Place,
  { range, format, folder }: { range: Range; format: ExportFormat; folder: string },
): Promise<Readable> {
  const file = join(folder, `${randomUUID()}.${format}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    await connection.run(
      `copy (${selection(place, range, format)}) to '${file.replaceAll("'", "''")}' (${options[format]})`,
    )
    const handle = await open(file)
    return handle.createReadStream()
  } finally {
    await rm(file, { force: true })
  }
}

const options: Record<ExportFormat, string> = {
  jsonl: 'format json, array false',
  parquet: 'format parquet, compression zstd',
}

function selection({ project, hasTail }: Place, range: Range, format: ExportFormat): string {
  const { from, to } = splitRange(range)
  const where = `ts >= ${from} and ts < ${to}`
  const time = 'make_timestamp(ts * 1000)'
  const timestamp = format === 'parquet' ? time : `strftime(${time}, '%Y-%m-%dT%H:%M:%S.%gZ')`
  const tail = `
    union all
    select ts, path, visitor, kind, referrer
    from ${freshTail({ among: `project = ${project}`, where })}`
  return `
    select ${timestamp} as timestamp, path, lpad(lower(to_hex(visitor)), 16, '0') as visitor, category, client, reason,
      verification, list_version as "listVersion", referrer, source
    from (
      select ts, path, visitor, kind, url as referrer
      from views join pages on pages.id = page left join referrers as r on r.id = views.referrer
      where views.project = ${project} and ${where}
      ${hasTail ? tail : ''}
    ) join kinds on kinds.id = kind
    order by ts, path, visitor`
}
