import type { DuckDBAppender } from '@duckdb/node-api'
import { DocentError } from '#base/errors.ts'
import { checkTimes } from '../check-times.ts'
import type { ViewColumns } from '../view-columns.ts'
import { type Connection, translateError } from './connection.ts'
import { createNumbers } from './numbers.ts'
import { tailChunks, textChunks } from './tail-chunks.ts'

// A commit holds up those who come meanwhile, and its rows are in memory twice.
const mostRowsPerCommit = 50_000
// More than this waiting is minutes of work: callers are told to come back, rather than kept.
const mostWaitingRows = 200_000
// Past this, new views wait for the fold to catch up: reading an unfolded view costs far more than a folded one.
const mostTailRows = 700_000

/** The distinct texts of all callers, and the numbers of each caller's: those who come together mostly name the same. */
function numberTexts(group: readonly Waiting[], lastText: number) {
  const distinct: string[] = []
  const known = new Map<string, number>()
  const numberOf = (text: string) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const number = lastText + distinct.push(text)
    known.set(text, number)
    return number
  }
  return { distinct, numbers: group.map(({ columns }) => Float64Array.from(columns.texts, numberOf)) }
}

interface Appenders {
  tail: DuckDBAppender
  texts: DuckDBAppender
}

interface Waiting {
  columns: ViewColumns
  resolve(): void
  reject(error: unknown): void
}

export interface Committer {
  append(columns: ViewColumns): Promise<void>
  /** The number that a project has in this file, if it has one. */
  projectNumber(projectId: string): number | undefined
  /** How many rows of the tail are not folded, at least: those of a commit under way count already. */
  tailRows(): number
  /** The last row's number; all rows up to it are in the tail or folded. */
  lastCommitted(): bigint
  /** Runs the work between two commits. */
  between(work: () => Promise<void>): Promise<void>
  /** So many rows have left the tail. */
  folded(rows: number): void
  /** Waits for what was appended. */
  close(): Promise<void>
}

interface CommitterInput {
  onCommit(): void
  /** Awaited before each commit. Callers who wait for theirs send nothing more meanwhile. */
  giveWay(): Promise<void>
}

/** Writes views to the tail, many callers' in one durable commit. */
export async function createCommitter(
  connection: Connection,
  { onCommit, giveWay }: CommitterInput,
): Promise<Committer> {
  const numbers = createNumbers(connection)
  await numbers.load()
  const [found] = await connection.query('select count(*) as rows, coalesce(max(seq), 0) as last from tail')
  const [named] = await connection.query('select coalesce(max(id), 0) as last from texts')
  let tail = Number(found!.rows)
  let seq = Number(found!.last)
  let lastText = Number(named!.last)
  let committed = seq
  // Null after a commit that failed: then the numbers in memory may not be in the file either.
  let appenders: Appenders | null = await createAppenders()

  const waiting: Waiting[] = []
  let waitingRows = 0
  let running: Promise<void> | null = null
  // One holds up the other.
  let committing: Promise<void> = Promise.resolve()
  let holding: Promise<void> = Promise.resolve()
  let onFolded: (() => void) | null = null
  let isClosing = false

  return {
    async append(columns) {
      const rows = columns.at.length
      if (rows === 0) return
      checkTimes(columns.at)
      if (waitingRows > 0 && waitingRows + rows > mostWaitingRows) {
        const message = `Too many views wait to be written (${waitingRows}). Send them again in a moment.`
        throw new DocentError('unavailable', 'analytics.busy', message, { retryAfterSeconds: 2 })
      }
      waitingRows += rows
      await new Promise<void>((resolve, reject) => {
        waiting.push({ columns, resolve, reject })
        running ??= commitAll().finally(() => {
          running = null
        })
      })
    },
    projectNumber: (projectId) => numbers.project(projectId),
    tailRows: () => tail,
    lastCommitted: () => BigInt(committed),
    async between(work) {
      const { promise, resolve: release } = Promise.withResolvers<void>()
      holding = promise
      try {
        await committing
        await work()
      } finally {
        release()
      }
    },
    folded(rows) {
      tail -= rows
      onFolded?.()
    },
    async close() {
      isClosing = true
      onFolded?.()
      while (running) await running
      for (const appender of Object.values(appenders ?? {})) appender.closeSync()
      appenders = null
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
      if (!isClosing) await giveWay()
      let held: Promise<void>
      do {
        held = holding
        await held
      } while (held !== holding)
      const { promise, resolve: end } = Promise.withResolvers<void>()
      committing = promise
      const group = takeGroup()
      const rows = group.reduce((sum, { columns }) => sum + columns.at.length, 0)
      tail += rows
      try {
        await commit(group)
        committed = seq
        for (const { resolve } of group) resolve()
        onCommit()
      } catch (error) {
        tail -= rows
        dropAppenders()
        for (const { reject } of group) reject(translateError(error))
      } finally {
        end()
        waitingRows -= rows
      }
    }
  }

  function takeGroup(): Waiting[] {
    const group = [waiting.shift()!]
    let rows = group[0]!.columns.at.length
    while (waiting.length > 0 && rows + waiting[0]!.columns.at.length <= mostRowsPerCommit) {
      rows += waiting[0]!.columns.at.length
      group.push(waiting.shift()!)
    }
    return group
  }

  async function commit(group: Waiting[]): Promise<void> {
    const writers = appenders ?? (await startAgain())
    await connection.transaction(async () => {
      const texts = numberTexts(group, lastText)
      for (const [place, { columns }] of group.entries()) {
        const numbered = await numbers.ensure(columns.kinds)
        for (const chunk of tailChunks(columns, { numbered, textNumbers: texts.numbers[place]!, lastRow: seq })) {
          writers.tail.appendDataChunk(chunk)
        }
        seq += columns.at.length
      }
      for (const chunk of textChunks(texts.distinct, { lastText, lastRow: seq })) writers.texts.appendDataChunk(chunk)
      lastText += texts.distinct.length
      writers.texts.flushSync()
      writers.tail.flushSync()
    })
    numbers.keep()
  }

  /** What they hold is of a commit that failed, and would be written with the next. */
  function dropAppenders(): void {
    for (const appender of Object.values(appenders ?? {})) {
      try {
        appender.clear()
        appender.closeSync()
      } catch {
        // It may be as broken as the transaction it was in.
      }
    }
    appenders = null
  }

  async function startAgain(): Promise<Appenders> {
    await numbers.load()
    appenders = await createAppenders()
    return appenders
  }

  async function createAppenders(): Promise<Appenders> {
    return { tail: await connection.raw.createAppender('tail'), texts: await connection.raw.createAppender('texts') }
  }
}
