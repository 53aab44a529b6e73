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
import type { Verdict, View, ViewSource } from '../view.ts'
import { type Connection, translateError } from './connection.ts'
import { classes } from './schema.ts'

const tailTypes = [BIGINT, UINTEGER, BIGINT, VARCHAR, UBIGINT, UBIGINT, USMALLINT, UTINYINT, VARCHAR]
// The rows that DuckDB takes at a time.
const chunkRows = 2048
// A commit holds up those who come meanwhile, and its rows are in memory twice.
const mostRowsPerCommit = 50_000
// More than this waiting is minutes of work: callers are told to come back, rather than kept.
const mostWaitingRows = 200_000
// Past this, new views wait for the fold to catch up: reading an unfolded view costs far more than a folded one.
const mostTailRows = 1_000_000
const mostKinds = 65_000

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
  folded(rows: number): void
  /** Waits for what was appended. */
  close(): Promise<void>
}

/** Writes views to the tail, many callers' in one durable commit. */
export async function createCommitter(connection: Connection, { onCommit }: { onCommit(): void }): Promise<Committer> {
  let projects = new Map<string, number>()
  let kinds = new Map<string, number>()
  // Verdicts come from a classifier that gives the same object again and again; its text need not be joined each time.
  let known = new WeakMap<Verdict, Map<ViewSource, number>>()
  await loadNumbers()
  const [found] = await connection.query('select count(*) as rows, coalesce(max(seq), 0) as last from tail')
  let tail = Number(found!.rows)
  let seq = found!.last as bigint
  let committed = seq
  let appender: DuckDBAppender = await connection.raw.createAppender('tail')

  const waiting: Waiting[] = []
  let waitingRows = 0
  let running: Promise<void> | null = null
  let onFolded: (() => void) | null = null
  let isClosing = false

  return {
    append(views) {
      if (views.length === 0) return Promise.resolve()
      if (waitingRows > 0 && waitingRows + views.length > mostWaitingRows) {
        const message = `Too many views wait to be written (${waitingRows}).`
        return Promise.reject(new DocentError('unavailable', 'analytics.busy', message, { retryAfterSeconds: 2 }))
      }
      waitingRows += views.length
      return new Promise((resolve, reject) => {
        waiting.push({ views, resolve, reject })
        running ??= commitAll().finally(() => {
          running = null
        })
      })
    },
    projectNumber: (projectId) => projects.get(projectId),
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
      appender.closeSync()
    },
  }

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
        for (const { reject } of group) reject(translateError(error))
        await reset()
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
    await connection.transaction(async () => {
      const fresh: View[] = []
      for (const { views } of group) for (const view of views) fresh.push(view)
      await addNumbers(fresh)
      for (let start = 0; start < fresh.length; start += chunkRows) appendChunk(fresh.slice(start, start + chunkRows))
      appender.flushSync()
    })
  }

  function appendChunk(views: View[]): void {
    const chunk = DuckDBDataChunk.create(tailTypes, views.length)
    chunk.setColumns([
      views.map(() => ++seq),
      views.map((view) => projects.get(view.projectId)!),
      views.map((view) => BigInt(view.at)),
      views.map((view) => view.path),
      views.map((view) => view.visitor),
      views.map((view) => view.eventId),
      views.map((view) => known.get(view.verdict)!.get(view.source)!),
      views.map((view) => classOf(view)),
      views.map((view) => view.referrer),
    ])
    appender.appendDataChunk(chunk)
  }

  /** Numbers for projects and kinds that were never seen, in the same transaction as their first view. */
  async function addNumbers(views: View[]): Promise<void> {
    for (const { projectId, verdict, source } of views) {
      if (!projects.has(projectId)) {
        const id = 1 + Math.max(0, ...projects.values())
        await connection.run('insert into projects values ($id, $name)', { id, name: projectId })
        projects.set(projectId, id)
      }
      let bySource = known.get(verdict)
      if (bySource?.has(source)) continue
      if (!bySource) {
        bySource = new Map()
        known.set(verdict, bySource)
      }
      bySource.set(source, await kindNumber(verdict, source))
    }
  }

  async function kindNumber(verdict: Verdict, source: ViewSource): Promise<number> {
    const { category, verification, listVersion } = verdict
    // There are as many kinds as rules, a few hundred. Should something make ever new ones, they lose their details
    // rather than their count.
    const { client, reason } = kinds.size < mostKinds ? verdict : { client: null, reason: 'one of too many kinds' }
    const key = JSON.stringify([category, client, reason, verification, listVersion, source])
    const found = kinds.get(key)
    if (found !== undefined) return found
    const id = kinds.size + 1
    await connection.run('insert into kinds values ($id, $category, $client, $reason, $verification, $list, $source)', {
      id,
      category,
      client,
      reason,
      verification,
      list: listVersion,
      source,
    })
    kinds.set(key, id)
    return id
  }

  /** After a commit that failed: what memory says of numbers may not be in the file. */
  async function reset(): Promise<void> {
    try {
      appender.clear()
      appender.closeSync()
    } catch {
      // It may be as broken as the transaction it was in.
    }
    await loadNumbers()
    appender = await connection.raw.createAppender('tail')
  }

  async function loadNumbers(): Promise<void> {
    await connection.transaction(async () => {
      const projectRows = await connection.query('select id, name from projects')
      const kindRows = await connection.query('select * from kinds')
      // At once, as reports look here for their project meanwhile.
      projects = new Map(projectRows.map(({ id, name }) => [String(name), Number(id)]))
      kinds = new Map(
        kindRows.map(({ id, category, client, reason, verification, list_version, source }) => [
          JSON.stringify([category, client, reason, verification, list_version, source]),
          Number(id),
        ]),
      )
      known = new WeakMap()
    })
  }
}

function classOf({ verdict: { category } }: View): number {
  if (category === 'human') return classes.human
  if (category === 'assistant' || category === 'agent') return classes.directAi
  if (category === 'ai-search' || category === 'training') return classes.otherAi
  return classes.none
}
