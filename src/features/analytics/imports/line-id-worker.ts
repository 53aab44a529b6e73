import { parentPort } from 'node:worker_threads'
import type { IdentifiedLines } from './line-id-thread.ts'
import { createLineIds, type LineIds } from './line-ids.ts'

/** Lines of a log, or that there are no more of it. */
export type IdRequest = { log: number; lines: IdentifiedLines } | { log: number; isOver: true }
export type IdAnswer = Int32Array

const logs = new Map<number, LineIds>()

parentPort!.on('message', (request: IdRequest) => {
  if ('isOver' in request) {
    logs.delete(request.log)
    return
  }
  const lineIds = logs.get(request.log) ?? createLineIds()
  logs.set(request.log, lineIds)
  const { bytes, ends, starts } = request.lines
  const all = Buffer.from(bytes.buffer).toString('latin1', 0, ends.at(-1) ?? 0)
  const ids: IdAnswer = new Int32Array(2 * ends.length)
  for (let line = 0, from = 0; line < ends.length; line++) {
    const { high, low } = lineIds.idOf({ raw: all.slice(from, ends[line]), start: starts[line]! })
    ids[2 * line] = low
    ids[2 * line + 1] = high
    from = ends[line]!
  }
  parentPort!.postMessage(ids, [ids.buffer as ArrayBuffer])
})
