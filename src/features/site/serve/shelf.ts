import { bytesOf, type Finished } from './finished.ts'

/** Finished answers in memory, up to a number of bytes; those that nobody asked for longest go first. */
export interface Shelf {
  /** What stands under the key; null where it must be made. */
  find(key: string): Finished | null
  /** Makes it and puts it there, once, however many ask for it meanwhile. */
  make(key: string, work: () => Promise<Finished>): Promise<Finished>
  /** Counts the bytes of one anew, which got another encoding. */
  weigh(key: string): void
  bytes(): number
}

const mostBytes = 64 * 1024 * 1024
// Beside its bytes: the key, headers, and what V8 has around them.
const overheadBytes = 1_000

export function createShelf({ limitBytes = mostBytes }: { limitBytes?: number } = {}): Shelf {
  const entries = new Map<string, { finished: Finished; bytes: number }>()
  const making = new Map<string, Promise<Finished>>()
  let total = 0

  function drop(key: string): void {
    const entry = entries.get(key)
    if (!entry) return
    entries.delete(key)
    total -= entry.bytes
  }

  function put(key: string, finished: Finished): void {
    drop(key)
    const bytes = bytesOf(finished) + overheadBytes
    // One that would push out most of the others is worth less than they are.
    if (bytes > limitBytes / 4) return
    entries.set(key, { finished, bytes })
    total += bytes
    for (const oldest of entries.keys()) {
      if (total <= limitBytes) break
      drop(oldest)
    }
  }

  return {
    find(key) {
      const entry = entries.get(key)
      if (!entry) return null
      entries.delete(key)
      entries.set(key, entry)
      return entry.finished
    },
    async make(key, work) {
      const pending =
        making.get(key) ??
        work()
          .then((finished) => {
            put(key, finished)
            return finished
          })
          .finally(() => making.delete(key))
      making.set(key, pending)
      return await pending
    },
    weigh(key) {
      const entry = entries.get(key)
      if (entry) put(key, entry.finished)
    },
    bytes: () => total,
  }
}
