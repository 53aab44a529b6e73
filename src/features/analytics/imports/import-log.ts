import { setTimeout as sleep } from 'node:timers/promises'
import { DocentError } from '#base/errors.ts'
import { fingerprintBytes, fingerprintOf } from './fingerprint.ts'
import { createBatchBuilder, withIds } from './import-batch.ts'
import type { LineIdThread } from './line-id-thread.ts'
import { createLineSplitter, type Line, textOf } from './line-splitter.ts'
import type { FieldName, LogFormat } from './log-entry.ts'
import { detectFormat } from './log-formats.ts'
import type { LogSource } from './log-source.ts'
import { emptyTally, type LogBatch, type LogPosition, type LogTally, readLog } from './read-log.ts'
import type { ImportedViews, ImportPosition, ImportResult, NewImport } from './schema.ts'
import type { FilterOptions } from './view-filter.ts'

/** The server's side, as an import needs it. */
export interface ImportTarget {
  /** How far a log is in; null: nothing of it is. */
  findPosition(fingerprint: string): Promise<ImportPosition | null>
  send(batch: NewImport): Promise<ImportResult>
}

export interface ImportOptions {
  /** Null: told by the first lines. */
  format: LogFormat | null
  fields: ReadonlyMap<FieldName, string>
  filter: FilterOptions
  /** Ignores how far an earlier import came. */
  fromStart: boolean
  /** A last line without an end counts. */
  isFinal: boolean
  /** Most views that are sent at once; as many as the server takes by default. */
  batchRows?: number
  /** Null: the log is only read. */
  target: ImportTarget | null
  idThread: LineIdThread
  onProgress?(tally: LogTally): void
  /** Called when the server is away and the batch is tried again. */
  onRetry?(error: DocentError): void
}

export interface ImportedLog {
  name: string
  format: string
  /** Lines that an earlier import had read. */
  linesBefore: number
  tally: LogTally
  /** What the server says of the views. */
  result: ImportResult
  position: number
  /** What ended it early: what was read before is in. */
  fault: DocentError | null
}

// Enough lines to tell a format by, and more than a fingerprint needs.
const headBytes = Math.max(64 * 1024, fingerprintBytes)
const mostHeadLines = 100
// A server that restarts is back within a minute.
const retryDelaysMs = [250, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000]

// Batches on their way at a time: enough that reading goes on while the server is slow to begin, and not so many that it
// says that too many wait.
const mostUnderWay = 6

/**
 * Reads a log and sends its views, some batches on their way while the next is read. A later call goes on where the server
 * has everything; the few batches after that which it may have too are sent again, and count once.
 */
export async function importLog(source: LogSource, options: ImportOptions): Promise<ImportedLog> {
  const { target, fields, filter, fromStart } = options
  const head = await source.head(headBytes)
  // Nothing has been written since it was rotated.
  if (head.length === 0) return nothingIn(source.name, options.format?.name ?? 'empty')
  const format = options.format ?? detectFormat(headLines(head), fields)
  const { trustedProxies: _, ...chosen } = filter
  const fingerprint = fingerprintOf(head, { format: format.name, fields: [...fields], ...chosen })
  const known =
    fromStart || target === null ? null : await patiently(() => target.findPosition(fingerprint), options.onRetry)
  const after = known !== null && known.position > 0 ? known : null
  try {
    return await importFrom(source, { ...options, format, fingerprint, head, after })
  } catch (error) {
    const isChanged = error instanceof DocentError && error.code === 'import.changed'
    if (!isChanged || !source.isRepeatable) throw error
    return await importFrom(source, { ...options, format, fingerprint, head, after: null })
  }
}

function nothingIn(name: string, format: string): ImportedLog {
  const result: ImportResult = { accepted: 0, skipped: {} }
  return { name, format, linesBefore: 0, tally: emptyTally(), result, position: 0, fault: null }
}

const startOfLog: LogPosition = { position: 0, lines: 0, checkpoint: '0'.repeat(16) }

async function importFrom(
  source: LogSource,
  options: ImportOptions & { format: LogFormat; fingerprint: string; head: Buffer; after: ImportPosition | null },
): Promise<ImportedLog> {
  const { format, fields, filter, isFinal, batchRows, after, target, idThread, fingerprint } = options
  const tally = emptyTally()
  const result: ImportResult = { accepted: 0, skipped: {} }
  const parse = format.open({ fields })
  const plain = format.openPlain?.() ?? null
  // What only the beginning of a file says, such as the names of its columns.
  if (after !== null) headLines(options.head).forEach(parse)
  // How far all batches are in. What is on its way may arrive in any order, so only this is written down.
  let confirmed: LogPosition = after ?? startOfLog
  let fault: DocentError | null = null
  const underWay: Promise<LogPosition>[] = []
  using logIds = target === null ? null : idThread.openLog()
  const name = source.name.slice(-200).toWellFormed()

  async function send(to: ImportTarget, views: ImportedViews): Promise<void> {
    const { position, lines, checkpoint } = confirmed
    const log = { fingerprint, name, position, lines, checkpoint }
    const answer = await patiently(() => to.send({ ...views, log }), options.onRetry)
    result.accepted += answer.accepted
    for (const [reason, count] of Object.entries(answer.skipped)) {
      result.skipped[reason] = (result.skipped[reason] ?? 0) + count
    }
  }

  async function deliver({ views, rows, lines, read }: LogBatch): Promise<LogPosition> {
    if (target === null || logIds === null) return read
    const ids = await logIds.idsOf(lines)
    await send(target, withIds(views, ids.subarray(ids.length - 2 * rows)))
    return read
  }

  try {
    for await (const batch of readLog(source, { parse, plain, filter, after, isFinal, batchRows, tally })) {
      if (underWay.length >= mostUnderWay) confirmed = await underWay.shift()!
      const delivery = deliver(batch)
      // Looked at when more are read; until then its failure is nobody's, which would end the process.
      delivery.catch(() => {})
      underWay.push(delivery)
      options.onProgress?.(tally)
    }
  } catch (error) {
    if (!(error instanceof DocentError) || error.code !== 'import.damaged') throw error
    fault = error
  }
  const isFurther = underWay.length > 0
  for (const delivery of underWay) confirmed = await delivery
  if (isFurther && target !== null) await send(target, withIds(createBatchBuilder(0).take(), new Int32Array(0)))
  const { position } = confirmed
  return { name: source.name, format: format.name, linesBefore: after?.lines ?? 0, tally, result, position, fault }
}

/** Asks again while the server is away or has too much to do. */
async function patiently<T>(ask: () => Promise<T>, onRetry: ImportOptions['onRetry']): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await ask()
    } catch (error) {
      const isPassing = error instanceof DocentError && ['unavailable', 'rate_limited'].includes(error.kind)
      const delayMs = retryDelaysMs[attempt]
      if (!isPassing || delayMs === undefined) throw error
      onRetry?.(error)
      await sleep(delayMs)
    }
  }
}

function headLines(head: Buffer): string[] {
  const lines: string[] = []
  const onLine = (line: Line) => {
    const text = textOf(line)
    if (text !== '' && lines.length < mostHeadLines) lines.push(text.replace(/^\ufeff/, ''))
  }
  const splitter = createLineSplitter({ from: 0, onLine, onLongLine: () => {} })
  splitter.push(head)
  // Cut off in a line that is then not a whole one, unless there is no other.
  if (lines.length === 0) splitter.finish({ isWhole: true })
  return lines
}
