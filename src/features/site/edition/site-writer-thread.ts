import type { DatabaseSync } from 'node:sqlite'
import { parentPort } from 'node:worker_threads'
import { deleteFile, discardFile, inodeOf, openToWrite } from './site-file.ts'
import type { WriterAnswer, WriterRequest } from './site-writer.ts'
import { siteWrites } from './site-writes.ts'

/** The thread of site-writer.ts: it alone writes, so that nobody who answers requests ever waits for a disk or a lock. */
const files = new Map<string, DatabaseSync>()
// An open file costs its cache.
const mostOpen = 4

parentPort!.on('message', (request: WriterRequest | null) => {
  if (request === null) {
    for (const path of [...files.keys()]) closeFile(path)
    parentPort!.close()
    return
  }
  const answer: WriterAnswer = { id: request.id, result: null, error: null }
  try {
    answer.result = carryOut(request)
  } catch (error) {
    const { message, errcode, code } = error as { message: string; errcode?: number; code?: string }
    answer.error = { message, ...(errcode === undefined ? {} : { errcode }), ...(code === undefined ? {} : { code }) }
  }
  parentPort!.postMessage(answer)
})

function carryOut({ path, work }: WriterRequest): unknown {
  if (work.name === 'prepare') {
    use(path)
    return null
  }
  if (work.name === 'discard' || work.name === 'delete') {
    closeFile(path)
    if (work.name === 'discard') discardFile(path, work.inode)
    else deleteFile(path)
    return null
  }
  // A project that was deleted elsewhere is not brought back by somebody who still reads it.
  if (work.name === 'touchEdition' && inodeOf(path) === null) return null
  const write = siteWrites[work.name] as (db: DatabaseSync, input: unknown) => unknown
  return write(use(path), work.input)
}

function use(path: string): DatabaseSync {
  const db = files.get(path) ?? openToWrite(path)
  // The last one used stands last.
  files.delete(path)
  files.set(path, db)
  for (const oldest of files.keys()) {
    if (files.size <= mostOpen) break
    closeFile(oldest)
  }
  return db
}

function closeFile(path: string): void {
  files.get(path)?.close()
  files.delete(path)
}
