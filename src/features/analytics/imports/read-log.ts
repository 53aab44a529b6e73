import { hash } from 'node:crypto'
import { DocentError } from '#base/errors.ts'
import { oneLine } from '#base/one-line.ts'
import { mostRows, mostTextTotal } from './batch-limits.ts'
import { createBatchBuilder, type ViewsWithoutIds } from './import-batch.ts'
import { createLineGatherer, type IdentifiedLines } from './line-id-thread.ts'
import { restartOf } from './line-ids.ts'
import { createLineSplitter, type Line, rawOf, textOf } from './line-splitter.ts'
import type { LineParser, PlainReader } from './log-entry.ts'
import type { LogSource } from './log-source.ts'
import { createPlainViews } from './plain-views.ts'
import { createViewFilter, type FilterOptions, type SkipReason } from './view-filter.ts'

/** How far a log was read. */
export interface LogPosition {
  /** Where the next line starts, in bytes of the content. */
  position: number
  lines: number
  /** Hash of the line before it. */
  checkpoint: string
}

export interface LogBatch {
  /** How far the log is read with it. */
  read: LogPosition
  views: ViewsWithoutIds
  rows: number
  /** What their ids are made of. Where an import goes on, lines that it had before stand in front of those of the views. */
  lines: IdentifiedLines
}

/** What was found in a log, counted while it is read. */
export interface LogTally {
  lines: number
  views: number
  skipped: Map<SkipReason, number>
  /** The first lines that were not understood. */
  examples: { line: number; text: string }[]
  /** Whether there is a last line without an end, left for later. */
  isUnfinished: boolean
}

export function emptyTally(): LogTally {
  return { lines: 0, views: 0, skipped: new Map(), examples: [], isUnfinished: false }
}

export interface ReadOptions {
  parse: LineParser
  /** Reads the usual lines quicker, where the format has such a reader. */
  plain: PlainReader | null
  filter: FilterOptions
  /** Where an earlier import stopped; null: at the start. */
  after: LogPosition | null
  /** Whether a last line without an end is whole; by default if the log cannot grow. */
  isFinal: boolean
  /** Most views of a batch. */
  batchRows?: number | undefined
  tally: LogTally
}

const mostExamples = 5
const mostExampleLength = 160
// A log with few views in it still leaves a position now and then.
const mostBatchBytes = 64 * 1024 * 1024

/**
 * Reads a log into batches of views. Throws `conflict` (`import.changed`) before the first batch when the log does not
 * show what it should before the position to go on from: it is another one with the same start, or was cut.
 */
export async function* readLog(source: LogSource, options: ReadOptions): AsyncGenerator<LogBatch> {
  const { after, tally, isFinal } = options
  const from = after === null ? 0 : restartOf(after.position)
  const collector = createCollector(options)
  const isBehind = () => after !== null && !collector.hasReached()
  const splitter = createLineSplitter({
    // One byte earlier, so that the line which starts exactly here is told from one that only goes on here.
    from: Math.max(0, from - 1),
    onLine: collector.take,
    onLongLine: collector.takeLong,
  })
  let fault: unknown = null
  try {
    for await (const chunk of source.read(Math.max(0, from - 1))) {
      splitter.push(chunk)
      yield* collector.ready.splice(0)
    }
  } catch (error) {
    fault = error
  }
  // What came before a fault in a compressed file counts.
  if (fault !== null) {
    if (!isBehind()) collector.close()
    yield* collector.ready.splice(0)
    throw fault
  }
  const isWhole = isFinal || !source.mayGrow
  const left = splitter.finish({ isWhole })
  if (isBehind()) throw changed(source.name)
  tally.isUnfinished = left > 0 && !isWhole
  collector.close()
  yield* collector.ready.splice(0)
}

/** Turns lines into rows, and rows into batches. */
function createCollector({ parse, plain, filter, after, tally, batchRows = mostRows }: ReadOptions) {
  const viewOf = createViewFilter(filter)
  // Plain lines do not say which site they are of.
  const plainViews = plain === null || filter.host !== null ? null : createPlainViews(plain, filter)
  const builder = createBatchBuilder(batchRows)
  const ready: LogBatch[] = []
  const identified = createLineGatherer()
  const restart = after === null ? 0 : restartOf(after.position)
  let position = after?.position ?? 0
  let lines = after?.lines ?? 0
  let lastLine: Line | null = null
  let sentPosition = position
  let hasReached = after === null
  let isFull = false

  function skip(reason: SkipReason): void {
    if (!hasReached) return
    tally.skipped.set(reason, (tally.skipped.get(reason) ?? 0) + 1)
  }

  function close(): void {
    if (position === sentPosition) return
    const rows = builder.rows
    const read = { position, lines, checkpoint: checkpointOf(lastLine) }
    ready.push({ views: builder.take(), rows, lines: identified.take(), read })
    plainViews?.startBatch()
    isFull = false
    sentPosition = position
  }

  function finishLine(end: number, line: Line | null): void {
    lines++
    tally.lines++
    position = end
    lastLine = line
    if (isFull || position - sentPosition >= mostBatchBytes) close()
  }

  /** Lines before the position are only read for the ids of those after it. */
  function reach(end: number, line: Line | null): void {
    if (end < after!.position) return
    if (end > after!.position || checkpointOf(line) !== after!.checkpoint) throw changed('The log')
    hasReached = true
  }

  function countView(line: Line): void {
    const read = plainViews?.read(line) ?? null
    if (read === null) countUnusual(line)
    else if (read !== 'view') skip(read)
    else if (identify(line)) {
      plainViews!.add(line, builder)
      countAdded()
    }
  }

  /** Returns whether the line is to be counted too. */
  function identify(line: Line): boolean {
    identified.add(line)
    return hasReached
  }

  function countAdded(): void {
    tally.views++
    isFull = builder.rows >= batchRows || builder.textBytes >= mostTextTotal
  }

  function countUnusual(line: Line): void {
    const text = textOf(line)
    const entry = parse(line.start === 0 ? text.replace(/^\ufeff/, '') : text)
    if (entry === 'comment') return
    if (entry === null) {
      skip(text === '' ? 'empty' : 'not understood')
      if (hasReached && text !== '' && tally.examples.length < mostExamples) {
        tally.examples.push({ line: lines + 1, text: oneLine(text, mostExampleLength) })
      }
      return
    }
    const view = viewOf(entry)
    if (typeof view === 'string') skip(view)
    else if (identify(line)) {
      builder.add(view)
      countAdded()
    }
  }

  return {
    ready,
    close,
    hasReached: () => hasReached,
    take(line: Line): void {
      if (line.start < restart) return
      countView(line)
      if (hasReached) finishLine(line.end, line)
      else reach(line.end, line)
    },
    takeLong(end: number): void {
      if (hasReached) {
        skip('too long')
        finishLine(end, null)
      } else {
        reach(end, null)
      }
    },
  }
}

/** Null: of a line that was too long. */
function checkpointOf(line: Line | null): string {
  return hash('sha256', line === null ? '' : rawOf(line)).slice(0, 16)
}

function changed(name: string): DocentError {
  const message = `${name} is not what it was when an import of it stopped: it starts alike, but goes on differently. Import it whole with --from-start; nothing is counted twice.`
  return new DocentError('conflict', 'import.changed', message)
}
