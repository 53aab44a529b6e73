import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * A port of the loopback address that nobody uses at this moment. Below those that the system gives to whoever asks for
 * any: one of these would often be somebody else's before the server that it is meant for listens.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 30_000)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}
