import type { Server } from 'node:http'
import type { Log } from '#base/log.ts'

/** Closes a server: waits for running requests, but not for ever, as one that never ends must not keep the process. */
export async function drain(
  server: Server,
  { close, timeoutMs, log }: { close(): PromiseLike<unknown>; timeoutMs: number; log: Log },
): Promise<void> {
  const cutOff = setTimeout(() => {
    log.warn('server.connections_cut')
    server.closeAllConnections()
  }, timeoutMs)
  // A connection whose last request is answered would otherwise be kept open for another one that cannot come.
  const sweep = setInterval(() => server.closeIdleConnections(), 100)
  try {
    await close()
  } finally {
    clearTimeout(cutOff)
    clearInterval(sweep)
  }
}
