import { type Connection, closed } from './connection.ts'

export interface Pool {
  /**
   * Runs the work on a connection that nobody else uses meanwhile; waits for one if there is none. Throws `unavailable`
   * once the pool is being closed.
   */
  use<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** Waits for what runs. */
  close(): Promise<void>
}

/** Connections, made when needed and kept, at most so many. */
export function createPool(connect: () => Promise<Connection>, most: number): Pool {
  const idle: Connection[] = []
  const waiting: (() => void)[] = []
  let busy = 0
  let isClosing = false
  return {
    async use(work) {
      while (busy >= most && !isClosing) await new Promise<void>((resolve) => waiting.push(resolve))
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
        waiting.shift()?.()
      }
    },
    async close() {
      isClosing = true
      for (const wake of waiting.splice(0)) wake()
      while (busy > 0) await new Promise<void>((resolve) => waiting.push(resolve))
    },
  }
}
