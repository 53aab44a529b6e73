import { Worker } from 'node:worker_threads'
import type { IdAnswer, IdRequest } from './line-id-worker.ts'

/** Lines of a log that have ids, one after the other: those that are views. */
export interface IdentifiedLines {
  raw: string[]
  /** Where each starts, in bytes of the content. */
  start: number[]
}

/** The ids of one log's lines. */
export interface LogIds extends Disposable {
  /** Two words for each line, the low one first. Asked in the order of the log. */
  idsOf(lines: IdentifiedLines): Promise<Int32Array>
}

export interface LineIdThread extends AsyncDisposable {
  openLog(): LogIds
}

/**
 * Makes ids in a thread of its own, which the first lines start: hashing takes a sixth of what reading a log costs and
 * needs nothing but the lines, and the next ones are read meanwhile.
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
      const log = ++logs
      return {
        async idsOf({ raw, start: starts }) {
          // Nobody would answer.
          if (end !== null) throw end
          thread ??= start()
          const answer = Promise.withResolvers<Int32Array>()
          waiting.push(answer)
          // One text, as each line would be copied at a cost of its own. No line has a line feed in it.
          const lines = raw.length === 0 ? null : raw.join('\n')
          thread.postMessage({ log, lines, starts: Float64Array.from(starts) } satisfies IdRequest)
          return await answer.promise
        },
        [Symbol.dispose]() {
          thread?.postMessage({ log, isOver: true } satisfies IdRequest)
        },
      }
    },
    async [Symbol.asyncDispose]() {
      await thread?.terminate()
    },
  }
}
