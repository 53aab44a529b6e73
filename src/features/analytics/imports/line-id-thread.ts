import { Worker } from 'node:worker_threads'
import type { IdAnswer, IdRequest } from './line-id-worker.ts'
import type { Line } from './line-splitter.ts'

/** Lines of a log that have ids, one after the other: those that are views. */
export interface IdentifiedLines {
  /** All of them, each directly after the one before. */
  bytes: Uint8Array<ArrayBuffer>
  /** Where each ends there. */
  ends: Uint32Array<ArrayBuffer>
  /** Where each starts in the content. */
  starts: Float64Array<ArrayBuffer>
}

/** Gathers lines to be identified. */
export interface LineGatherer {
  add(line: Line): void
  /** What was gathered; the gatherer is empty afterwards. */
  take(): IdentifiedLines
}

const usualLines = 4096
const usualLineBytes = 256

export function createLineGatherer(): LineGatherer {
  // As large as the last time: batches are much alike.
  let lines = allocate(usualLines, usualLines * usualLineBytes)
  let count = 0
  let length = 0
  return {
    add({ bytes, from, to, start }) {
      if (count === lines.ends.length || length + to - from > lines.bytes.length) {
        lines = larger(lines, 2 * lines.ends.length, 2 * (lines.bytes.length + to - from))
      }
      bytes.copy(lines.bytes, length, from, to)
      length += to - from
      lines.ends[count] = length
      lines.starts[count] = start
      count++
    },
    take() {
      const { bytes, ends, starts } = lines
      const taken = { bytes, ends: ends.subarray(0, count), starts: starts.subarray(0, count) }
      lines = allocate(ends.length, bytes.length)
      count = 0
      length = 0
      return taken
    },
  }
}

function allocate(most: number, mostBytes: number): IdentifiedLines {
  return { bytes: new Uint8Array(mostBytes), ends: new Uint32Array(most), starts: new Float64Array(most) }
}

function larger(lines: IdentifiedLines, most: number, mostBytes: number): IdentifiedLines {
  const made = allocate(most, mostBytes)
  made.bytes.set(lines.bytes)
  made.ends.set(lines.ends)
  made.starts.set(lines.starts)
  return made
}

/** The ids of one log's lines. */
export interface LogIds extends Disposable {
  /** Two words for each line, the low one first. Asked in the order of the log; the lines are the thread's afterwards. */
  idsOf(lines: IdentifiedLines): Promise<Int32Array>
}

export interface LineIdThread extends AsyncDisposable {
  openLog(): LogIds
}

/**
 * Makes ids in a thread of its own, which the first log starts: hashing takes long and needs nothing but the lines, and
 * the next ones are read meanwhile.
 */
export function createLineIdThread(): LineIdThread {
  let thread: Worker | null = null
  let logs = 0
  // Answers come in the order of the questions.
  const waiting: PromiseWithResolvers<Int32Array>[] = []
  let end: Error | null = null

  function start(): Worker {
    const worker = new Worker(new URL('./line-id-worker.ts', import.meta.url), { execArgv: [] })
    worker.on('message', (ids: IdAnswer) => waiting.shift()!.resolve(ids))
    const fail = (error: Error) => {
      end ??= error
      for (const { reject } of waiting.splice(0)) reject(end)
    }
    worker.on('error', fail)
    worker.on('exit', () => fail(new Error('The thread that makes ids has ended.')))
    return worker
  }

  return {
    openLog() {
      thread ??= start()
      const worker = thread
      const log = ++logs
      return {
        async idsOf(lines) {
          // Nobody would answer.
          if (end !== null) throw end
          const answer = Promise.withResolvers<Int32Array>()
          waiting.push(answer)
          const moved = [lines.bytes.buffer, lines.ends.buffer, lines.starts.buffer]
          worker.postMessage({ log, lines } satisfies IdRequest, moved)
          return await answer.promise
        },
        [Symbol.dispose]() {
          worker.postMessage({ log, isOver: true } satisfies IdRequest)
        },
      }
    },
    async [Symbol.asyncDispose]() {
      await thread?.terminate()
    },
  }
}
