import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import type { ExportedView } from '#backends/events/event-fixture.contract.ts'
import type { ExportFormat } from '#backends/events/event-store.ts'

/** The rows of an exported file, as anyone would read it. */
export async function readExport(format: ExportFormat, file: Readable): Promise<ExportedView[]> {
  const rows = format === 'jsonl' ? await readJsonLines(file) : await readParquet(file)
  return rows.map((row) => ({ ...row, timestamp: new Date(row.timestamp) }) as unknown as ExportedView)
}

type Row = Record<string, string | null> & { timestamp: string }

async function readJsonLines(file: Readable): Promise<Row[]> {
  const lines = (await text(file)).split('\n')
  // Each line ends, the last one too.
  if (lines.pop() !== '') throw new Error('The last line of the file has no end.')
  return lines.map((line) => JSON.parse(line))
}

async function readParquet(file: Readable): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-export-'))
  try {
    const path = join(folder, 'views.parquet')
    await pipeline(file, createWriteStream(path))
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    const query = `SELECT * REPLACE (strftime("timestamp", '%Y-%m-%dT%H:%M:%S.%gZ') AS "timestamp") FROM read_parquet($path)`
    const result = await connection.runAndReadAll(query, { path })
    connection.closeSync()
    instance.closeSync()
    return result.getRowObjectsJson() as Row[]
  } finally {
    await rm(folder, { recursive: true })
  }
}
