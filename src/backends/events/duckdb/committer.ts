import {
  BIGINT,
  type DuckDBAppender,
  DuckDBDataChunk,
  UBIGINT,
  UINTEGER,
  USMALLINT,
  UTINYINT,
  VARCHAR,
} from '@duckdb/node-api'
import { DocentError } from '#base/errors.ts'
import { checkTimes } from '../check-times.ts'
import type { View } from '../view.ts'
import { type Connection, translateError } from './connection.ts'
import { createNumbers, type ViewNumbers } from './numbers.ts'

const tailTypes = [BIGINT, UINTEGER, BIGINT, VARCHAR, UBIGINT, UBIGINT, USMALLINT, USMALLINT, UTINYINT, VARCHAR]
// The rows that DuckDB takes at a time.
const chunkRows = 2048
// A commit holds up those who come meanwhile, and its rows are in memory twice.
const mostRowsPerCommit = 50_000
// More than this waiting is minutes of work: callers are told to come back, rather than kept.
const mostWaitingRows = 200_000
// Past this, new views wait for the fold to catch up: reading an unfolded view costs far more than a folded one.
const mostTailRows = 1_000_000

interface Waiting {
  views: readonly View[]
  resolve(): void
  reject(error: unknown): void
}

export interface Committer {
  append(views: readonly View[]): Promise<void>
  /** The number that a project has in this file, if it has one. */
  projectNumber(projectId: string): number | undefined
  /** How many rows of the tail are not folded, at least: those of a commit under way count already. */
  tailRows(): number
  /** The last row's number; all rows up to it are in the tail or folded. */
  lastCommitted(): bigint
  /** So many rows have left the tail. */
  folded(rows: number): void
  /** Waits for what was appended. */
  close(): Promise<void>
}

/** Writes views to the tail, many callers' in one durable commit. */
export async function createCommitter(connection: Connection, { onCommit }: { onCommit(): void }): Promise<Committer> {
  const numbers = createNumbers(connection)
  await numbers.load()
  const [found] = await connection.query('select count(*) as rows, coalesce(max(seq), 0) as last from tail')
  let tail = Number(found!.rows)
  let seq = found!.last as bigint
  let committed = seq
  // Null after a commit that failed: then the numbers in memory may not be in the file either.
  let appender: DuckDBAppender | null = await connection.raw.createAppender('tail')

  const waiting: Waiting[] = []
  let waitingRows = 0
  let running: Promise<void> | null = null
  let onFolded: (() => void) | null = null
  let isClosing = false

  return {
    async append(views) {
      if (views.length === 0) return
      checkTimes(views)
      if (waitingRows > 0 && waitingRows + views.length > mostWaitingRows) {
        const message = `Too many views wait to be written (${waitingRows}). Send them again in a moment.`
        throw new DocentError('unavailable', 'analytics.busy', message, { retryAfterSeconds: 2 })
      }
      waitingRows += views.length
      await new Promise<void>((resolve, reject) => {
        waiting.push({ views, resolve, reject })
        running ??= commitAll().finally(() => {
          running = null
        })
      })
    },
    projectNumber: (projectId) => numbers.project(projectId),
    tailRows: () => tail,
    lastCommitted: () => committed,
    folded(rows) {
      tail -= rows
      onFolded?.()
    },
    async close() {
      isClosing = true
      onFolded?.()
      while (running) await running
      appender?.closeSync()
      appender = null
    },
  }

  /** Never rejects: each failure is its callers'. */
  async function commitAll(): Promise<void> {
    // Whoever comes in the same turn of the event loop shares the commit.
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      while (tail > mostTailRows && !isClosing) {
        await new Promise<void>((resolve) => {
          onFolded = resolve
        })
        onFolded = null
      }
      const group = takeGroup()
      const rows = group.reduce((sum, { views }) => sum + views.length, 0)
      tail += rows
      try {
        await commit(group)
        committed = seq
        for (const { resolve } of group) resolve()
        onCommit()
      } catch (error) {
        tail -= rows
        dropAppender()
        for (const { reject } of group) reject(translateError(error))
      } finally {
        waitingRows -= rows
      }
    }
  }

  function takeGroup(): Waiting[] {
    const group = [waiting.shift()!]
    let rows = group[0]!.views.length
    while (waiting.length > 0 && rows + waiting[0]!.views.length <= mostRowsPerCommit) {
      rows += waiting[0]!.views.length
      group.push(waiting.shift()!)
    }
    return group
  }

  async function commit(group: Waiting[]): Promise<void> {
    const writer = appender ?? (await startAgain())
    await connection.transaction(async () => {
      const fresh: View[] = []
      for (const { views } of group) for (const view of views) fresh.push(view)
      const ids = await numbers.ensure(fresh)
      for (let start = 0; start < fresh.length; start += chunkRows) {
        const end = start + chunkRows
        writer.appendDataChunk(chunkOf(fresh.slice(start, end), ids.slice(start, end)))
      }
      writer.flushSync()
    })
    numbers.keep()
  }

  function chunkOf(views: View[], ids: ViewNumbers[]): DuckDBDataChunk {
    const chunk = DuckDBDataChunk.create(tailTypes, views.length)
    chunk.setColumns([
      views.map(() => ++seq),
      ids.map(({ project }) => project),
      views.map((view) => BigInt(view.at)),
      views.map((view) => view.path),
      views.map((view) => view.visitor),
      views.map((view) => view.eventId),
      ids.map(({ kind }) => kind),
      ids.map(({ list }) => list),
      ids.map((numbered) => numbered.class),
      views.map((view) => view.referrer),
    ])
    return chunk
  }

  /** What it holds is of a commit that failed, and would be written with the next. */
  function dropAppender(): void {
    try {
      appender?.clear()
      appender?.closeSync()
    } catch {
      // It may be as broken as the transaction it was in.
    }
    appender = null
  }

  async function startAgain(): Promise<DuckDBAppender> {
    await numbers.load()
    appender = await connection.raw.createAppender('tail')
    return appender
  }
}
