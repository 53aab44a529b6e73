import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ensureTables, siteFileVersion } from './site-schema.ts'

// Several processes may write: each waits for the others' few milliseconds.
const busyMs = 10_000
// Readers wait for nobody but a process that mends what another left behind.
const readerBusyMs = 250
// Each project has one open; what is often read stays in the system's own memory anyway.
const readerKilobytes = 1_500
const writerKilobytes = 8_000
// Codes of SQLite, without their details: malformed, not a database, cannot be opened, read error.
const damageCodes = new Set([11, 26, 14, 10])
// Busy, locked.
const passingCodes = new Set([5, 6])

export function siteFilePath(folder: string, projectId: string): string {
  return join(folder, `${projectId}.v${siteFileVersion}.sqlite`)
}

/** Whether the file cannot be used any more, as opposed to a passing fault. It holds nothing that cannot be made again. */
export function isDamage(error: unknown): boolean {
  const { errcode } = (error ?? {}) as { errcode?: number }
  return errcode !== undefined && damageCodes.has(errcode & 0xff)
}

/** Whether what was read is not what was written; found by SQLite, or by those who take its values apart. */
export function isUnreadable(error: unknown): boolean {
  return isDamage(error) || error instanceof SyntaxError || /^ZSTD|^ERR_BUFFER_TOO/.test(codeOf(error))
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code)
}

/** Whether it is only that somebody else has the file for a moment. */
export function isPassing(error: unknown): boolean {
  const { errcode } = (error ?? {}) as { errcode?: number }
  return errcode !== undefined && passingCodes.has(errcode & 0xff)
}

/** Opens the file to write, makes it if it is not there, and makes it anew if it is damaged. Blocks: for threads. */
export function openToWrite(path: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  return withLock(path, () => {
    try {
      return open(path)
    } catch (error) {
      if (!isDamage(error)) throw error
      removeFiles(path)
      return open(path)
    }
  })
}

/** Throws away a damaged file; not one that somebody else has made in its place. Blocks: for threads. */
export function discardFile(path: string, inode: bigint | null): void {
  withLock(path, () => {
    if (inode !== null && inodeOf(path) === inode) removeFiles(path)
  })
}

/** To tell whether a file is still the one that was opened. */
export function inodeOf(path: string): bigint | null {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null
}

/** With what belongs to it, and what other versions of us have made. */
export function deleteFile(path: string): void {
  if (!statSync(dirname(path), { throwIfNoEntry: false })) return
  withLock(path, () => {
    removeFiles(path)
    removeOtherVersions(path)
  })
  rmSync(lockPath(path), { force: true })
}

/** To read what is there. Throws when there is no file. */
export function openToRead(path: string): { db: DatabaseSync; fileId: string } {
  const db = new DatabaseSync(path, { readOnly: true, timeout: readerBusyMs })
  try {
    db.exec(`pragma cache_size = -${readerKilobytes}`)
    const { id } = db.prepare('select id from file').get() as { id: string }
    return { db, fileId: id }
  } catch (error) {
    db.close()
    throw error
  }
}

function open(path: string): DatabaseSync {
  // Without its file, a log of changes is left over from one that is gone, and would be taken for this one's.
  if (inodeOf(path) === null) {
    removeFiles(path)
    removeOtherVersions(path)
  }
  const db = new DatabaseSync(path, { timeout: busyMs })
  try {
    // After a power cut the last commits may be missing, which only means that they are made again.
    db.exec(`pragma journal_mode = wal; pragma synchronous = normal; pragma journal_size_limit = 8000000;
      pragma cache_size = -${writerKilobytes}; pragma temp_store = memory`)
    ensureTables(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** A version that is still running makes its own again; one that is not would leave it for ever. */
function removeOtherVersions(path: string): void {
  const [own, project] = [basename(path), basename(path).split('.v')[0]!]
  for (const name of readdirSync(dirname(path))) {
    const [, file] = /^(.+\.v\d+\.sqlite)(?:-wal|-shm|\.lock)?$/.exec(name) ?? []
    if (file !== undefined && file !== own && file.startsWith(`${project}.v`))
      rmSync(join(dirname(path), name), { force: true })
  }
}

/** The log first: killed in between, a file without its log is only older. */
function removeFiles(path: string): void {
  for (const end of ['-wal', '-shm', '']) rmSync(path + end, { force: true, recursive: true })
}

/** One process at a time makes or removes the file. The kernel drops the lock with the process. */
function withLock<Result>(path: string, work: () => Result): Result {
  const lock = new DatabaseSync(lockPath(path), { timeout: busyMs })
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive')
    return work()
  } finally {
    lock.close()
  }
}

function lockPath(path: string): string {
  return `${path}.lock`
}
