import { type Connection, closed } from './connection.ts'

export interface Pool {
  /**
   * Runs the work on a connection that nobody else uses meanwhile; waits for one if there is none. Throws `unavailable`
   * once the pool is being closed.
   */
  use<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** Runs the work while nobody uses a connection, unless those who do take longer than this; returns whether it ran. */
  whileIdle(work: () => Promise<void>, waitMs: number): Promise<boolean>
  /** Waits for what runs. */
  close(): Promise<void>
}

/** Connections, made when needed and kept, at most so many. */
export function createPool(connect: () => Promise<Connection>, most: number): Pool {
  const idle: Connection[] = []
  const waiting: (() => void)[] = []
  let busy = 0
  let isPaused = false
  let onIdle: (() => void) | null = null
  let isClosing = false
  return {
    async use(work) {
      while ((busy >= most || isPaused) && !isClosing) await new Promise<void>((resolve) => waiting.push(resolve))
      if (isClosing) throw closed()
      busy += 1
      try {
        const connection = idle.pop() ?? (await connect())
        try {
          return await work(connection)
        } finally {
          idle.push(connection)
        }
      } finally {
        busy -= 1
        if (busy === 0) onIdle?.()
        waiting.shift()?.()
      }
    },
    async whileIdle(work, waitMs) {
      isPaused = true
      try {
        if (busy > 0) {
          const { promise, resolve } = Promise.withResolvers<void>()
          const timer = setTimeout(resolve, waitMs)
          onIdle = resolve
          await promise
          onIdle = null
          clearTimeout(timer)
        }
        if (busy > 0) return false
        await work()
        return true
      } finally {
        isPaused = false
        for (const wake of waiting.splice(0)) wake()
      }
    },
    async close() {
      isClosing = true
      for (const wake of waiting.splice(0)) wake()
      while (busy > 0) await new Promise<void>((resolve) => waiting.push(resolve))
    },
  }
}
