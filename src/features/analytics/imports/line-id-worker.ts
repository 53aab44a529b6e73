import { parentPort } from 'node:worker_threads'
import { createLineIds, type LineIds } from './line-ids.ts'

/** Lines of a log, each byte as one character, or that there are no more of it. Null: no line, which is not an empty one. */
export type IdRequest = { log: number; lines: string | null; starts: Float64Array } | { log: number; isOver: true }
export type IdAnswer = Int32Array

const logs = new Map<number, LineIds>()

parentPort!.on('message', (request: IdRequest) => {
  if ('isOver' in request) {
    logs.delete(request.log)
    return
  }
  const lineIds = logs.get(request.log) ?? createLineIds()
  logs.set(request.log, lineIds)
  const lines = request.lines?.split('\n') ?? []
  const ids: IdAnswer = new Int32Array(2 * lines.length)
  for (const [index, raw] of lines.entries()) {
    const { high, low } = lineIds.idOf({ raw, start: request.starts[index]! })
    ids[2 * index] = low
    ids[2 * index + 1] = high
  }
  parentPort!.postMessage(ids, [ids.buffer as ArrayBuffer])
})
