import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DocentError } from '#base/errors.ts'
import { inodeOf, openToRead } from './site-file.ts'
import { createSiteReader, type SiteReader } from './site-reader.ts'
import { ensureTables } from './site-schema.ts'
import type { SiteWriter } from './site-writer.ts'
import { siteWrites, type WriteInput, type WriteName, type WriteResult } from './site-writes.ts'

/** What is kept of one project's site: read at once, written somewhere else. */
export interface SiteStore {
  /** Opened if need be. Throws when there is no file, or none that can be read. */
  reader(): SiteReader
  write<Name extends WriteName>(name: Name, input: WriteInput<Name>): Promise<WriteResult<Name>>
  /** Makes it if it is not there. */
  prepare(): Promise<void>
  /** Throws away what this was opened from, for it is damaged, and makes it anew. */
  renew(): Promise<void>
  /** Reading opens it again. */
  close(): void
  /** Deletes it. What is written afterwards is refused. */
  remove(): Promise<void>
}

// An open file costs its cache; opening it takes a millisecond.
const idleMs = 120_000

export function createFileStore({ path, writer }: { path: string; writer: SiteWriter }): SiteStore {
  let opened: { db: DatabaseSync; reader: SiteReader } | null = null
  let lastInode: bigint | null = null
  let isUsed = false
  let isRemoved = false
  let timer: NodeJS.Timeout | undefined

  function close(): void {
    clearInterval(timer)
    opened?.db.close()
    opened = null
  }

  return {
    reader() {
      isUsed = true
      if (opened) return opened.reader
      lastInode = inodeOf(path)
      const { db, fileId } = openToRead(path)
      opened = { db, reader: createSiteReader(db, fileId) }
      timer = setInterval(() => {
        if (!isUsed) close()
        isUsed = false
      }, idleMs).unref()
      return opened.reader
    },
    async write(name, input) {
      if (isRemoved) throw new DocentError('not_found', 'site.removed', 'The project was deleted.')
      return await writer.write(path, name, input)
    },
    prepare: () => writer.prepare(path),
    async renew() {
      close()
      await writer.discard(path, lastInode)
      await writer.prepare(path)
    },
    close,
    async remove() {
      isRemoved = true
      close()
      await writer.delete(path)
    },
  }
}

/** For a folder that somebody writes in: gone with the process. */
export function createMemoryStore(): SiteStore {
  const db = new DatabaseSync(':memory:')
  ensureTables(db)
  const reader = createSiteReader(db, 'memory')
  return {
    reader: () => reader,
    async write(name, input) {
      await nextTurn()
      const write = siteWrites[name] as (db: DatabaseSync, input: unknown) => never
      return write(db, input)
    },
    async prepare() {},
    async renew() {},
    close: () => db.close(),
    async remove() {},
  }
}
