import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DocentError, messageOf } from '#base/errors.ts'

// The length of sun_path on Linux is 108 bytes with its final NUL, on macOS 104.
const longestSocketPath = 103

// A lock that nothing refers to any more would be collected as garbage, and with it let go.
const locks = new Set<DatabaseSync>()

// What SQLite answers when another process has the lock.
const sqliteBusy = 5

/** Where things lie inside the data folder. Reading these needs no lock. */
export function dataPaths(folder: string) {
  return {
    pg: join(folder, 'pg'),
    git: join(folder, 'git'),
    mirrors: join(folder, 'mirrors'),
    sites: join(folder, 'sites'),
    analytics: join(folder, 'analytics.duckdb'),
    ranges: join(folder, 'ranges'),
    secretKey: join(folder, 'secret.key'),
    lock: join(folder, 'server.lock'),
    holder: join(folder, 'server.json'),
    socket: join(folder, 'docent.sock'),
  }
}

/** Who holds a data folder, for the message that the second one gets. */
export interface Holder {
  pid: number
  url: string
  startedAt: string
}

export interface DataFolder {
  paths: ReturnType<typeof dataPaths>
  /** Gives up the lock. Safe to call twice. */
  release(): void
}

/**
 * Creates the folder (mode 0700) if needed and locks it for this process. The lock is the kernel's, taken through
 * SQLite: it ends with the process however that ends, and unlike a file with a process id it holds between
 * containers that share a volume. Throws `conflict` when another process has it, `unavailable` when the folder cannot
 * be used.
 */
export function openDataFolder(folder: string, holder: Holder): DataFolder {
  const paths = dataPaths(folder)
  let lock: DatabaseSync | undefined
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700)
    lock = new DatabaseSync(paths.lock)
    lock.exec('pragma journal_mode = memory; begin exclusive')
    writeFileSync(paths.holder, `${JSON.stringify(holder)}\n`, { mode: 0o600 })
  } catch (error) {
    lock?.close()
    throw (error as { errcode?: number }).errcode === sqliteBusy ? locked(folder, error) : unusable(folder, error)
  }
  const held = lock
  locks.add(held)
  return {
    paths,
    release() {
      // A second call must not take away what the next holder wrote down.
      if (!locks.delete(held)) return
      rmSync(paths.holder, { force: true })
      held.close()
    },
  }
}

/** The holder that the folder's last locker wrote down, or null. It may be dead: only the lock itself tells. */
export function findHolder(folder: string): Holder | null {
  try {
    return JSON.parse(readFileSync(dataPaths(folder).holder, 'utf8')) as Holder
  } catch {
    return null
  }
}

/** The socket's path in the shorter of its two spellings, as the kernel takes only about a hundred bytes. */
export function socketAddress(folder: string): string {
  const path = dataPaths(folder).socket
  const fromHere = relative(process.cwd(), path)
  const shorter = Buffer.byteLength(fromHere) < Buffer.byteLength(path) ? fromHere : path
  if (Buffer.byteLength(shorter) <= longestSocketPath) return shorter
  const message = `The data folder's path is too long for the local socket (${Buffer.byteLength(shorter)} bytes with /docent.sock, at most ${longestSocketPath}). Set DOCENT_DATA to a shorter path.`
  throw new DocentError('invalid', 'data.path_too_long', message)
}

function locked(folder: string, cause: unknown): DocentError {
  const holder = findHolder(folder)
  const who = holder ? ` (process ${holder.pid}, ${holder.url}, since ${holder.startedAt})` : ''
  const message = `Another Docent server is running on the data folder ${folder}${who}. Stop it first, or set DOCENT_DATA and DOCENT_PORT to run a second one.`
  return new DocentError('conflict', 'data.locked', message, { cause })
}

function unusable(folder: string, cause: unknown): DocentError {
  const message = `The data folder ${folder} cannot be used: ${messageOf(cause)}. Set DOCENT_DATA to a folder that this user may write.`
  return new DocentError('unavailable', 'data.unwritable', message, { cause })
}
