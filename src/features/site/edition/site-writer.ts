import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { DocentError } from '#base/errors.ts'
import type { WriteInput, WriteName, WriteResult } from './site-writes.ts'

export type WriterWork =
  | { name: 'prepare' }
  | { name: 'discard'; inode: bigint | null }
  | { name: 'delete' }
  | { [Name in WriteName]: { name: Name; input: WriteInput<Name> } }[WriteName]

export interface WriterRequest {
  id: number
  path: string
  work: WriterWork
}

export interface WriterAnswer {
  id: number
  result: unknown
  /** `errcode` is SQLite's, `code` the system's. */
  error: { message: string; errcode?: number; code?: string } | null
}

/** Writes into the files of sites, in a thread of its own and in the order in which it is asked. */
export interface SiteWriter {
  /** Makes the file if it is not there, or damaged. */
  prepare(path: string): Promise<void>
  write<Name extends WriteName>(path: string, name: Name, input: WriteInput<Name>): Promise<WriteResult<Name>>
  /** Throws the file away, if it is still the one with this number. */
  discard(path: string, inode: bigint | null): Promise<void>
  /** Deletes the file and what belongs to it. */
  delete(path: string): Promise<void>
  /** After what it was asked for is done. */
  close(): Promise<void>
}

interface Waiting {
  settle(result: unknown): void
  fail(error: Error): void
}

// A thread costs about 10 MB; starting one takes some 50 ms.
const idleMs = 30_000

export function createSiteWriter(): SiteWriter {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | null = null
  let idle: NodeJS.Timeout | undefined
  let lastId = 0
  let isClosed = false

  function start(): Worker {
    const thread = new Worker(new URL('./site-writer-thread.ts', import.meta.url), { execArgv: [] })
    thread.on('message', ({ id, result, error }: WriterAnswer) => {
      const asked = waiting.get(id)
      waiting.delete(id)
      if (error) asked?.fail(writeFailed(error))
      else asked?.settle(result)
      if (waiting.size === 0) rest(thread)
    })
    const gone = (cause?: unknown) => {
      if (worker === thread) worker = null
      for (const { fail } of waiting.values()) fail(threadEnded(cause))
      waiting.clear()
    }
    thread.on('error', gone)
    thread.on('exit', () => worker === thread && gone())
    return thread
  }

  /** While nobody waits for it, it keeps no process from ending; after a while it ends. */
  function rest(thread: Worker): void {
    thread.unref()
    clearTimeout(idle)
    idle = setTimeout(() => stop(thread), idleMs).unref()
  }

  async function stop(thread: Worker): Promise<void> {
    if (waiting.size > 0) return
    if (worker === thread) worker = null
    // It closes its files and ends by itself.
    thread.ref()
    const ended = once(thread, 'exit')
    thread.postMessage(null)
    await ended
  }

  function ask(path: string, work: WriterWork): Promise<unknown> {
    if (isClosed) return Promise.reject(threadEnded())
    clearTimeout(idle)
    worker ??= start()
    worker.ref()
    const id = ++lastId
    return new Promise((settle, fail) => {
      waiting.set(id, { settle, fail })
      worker!.postMessage({ id, path, work } satisfies WriterRequest)
    })
  }

  return {
    prepare: async (path) => void (await ask(path, { name: 'prepare' })),
    write: async (path, name, input) => (await ask(path, { name, input } as WriterWork)) as never,
    discard: async (path, inode) => void (await ask(path, { name: 'discard', inode })),
    delete: async (path) => void (await ask(path, { name: 'delete' })),
    async close() {
      isClosed = true
      clearTimeout(idle)
      while (waiting.size > 0) await new Promise((resolve) => setTimeout(resolve, 5))
      if (worker) await stop(worker)
    },
  }
}

// Of SQLite: read-only, failed to read or write, full, cannot be opened.
const refusals = new Set([8, 10, 13, 14])

/** A full or broken disk passes: those who publish try again, and readers are told to come again. */
function writeFailed({ message, errcode, code = '' }: NonNullable<WriterAnswer['error']>): Error {
  const error = Object.assign(new Error(message), { errcode })
  const isOfDisk = errcode === undefined ? /^E[A-Z]+$/.test(code) : refusals.has(errcode & 0xff)
  if (!isOfDisk) return error
  const told = `The files of sites cannot be written (${message}). See that there is room in the data folder.`
  const unusable = new DocentError('unavailable', 'site.file_unusable', told, { cause: error, retryAfterSeconds: 30 })
  return Object.assign(unusable, { errcode })
}

function threadEnded(cause?: unknown): DocentError {
  const message = 'The thread that keeps sites has ended. Try again.'
  return new DocentError('unavailable', 'site.writer_ended', message, { cause })
}
