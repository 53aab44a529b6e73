import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Stands between a client and a server, and can hold back what is posted, so that a test can act at exactly that moment. */
export interface HoldingProxy extends AsyncDisposable {
  url: string
  /** Lets so many more through and holds those after them. Resolves when one is held and all before it are answered. */
  holdAfter(posts: number): Promise<void>
  /** Lets through what is held, and all that comes. */
  release(): void
}

/** `target` is asked at each request: a server that is started again has another address. */
export async function startHoldingProxy(target: () => string): Promise<HoldingProxy> {
  let left = Number.POSITIVE_INFINITY
  let unanswered = 0
  let gate = Promise.withResolvers<void>()
  let reached = Promise.withResolvers<void>()
  let isHolding = false

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'POST' && left-- <= 0) {
      isHolding = true
      if (unanswered === 0) reached.resolve()
      await gate.promise
    }
    if (request.destroyed) return
    unanswered++
    response.once('close', () => {
      unanswered--
      if (isHolding && unanswered === 0) reached.resolve()
    })
    const { method, headers } = request
    const forwarded = sendRequest(`${target()}${request.url}`, { method, headers }, (answered) => {
      response.writeHead(answered.statusCode!, answered.headers)
      answered.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    request.pipe(forwarded)
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    holdAfter(posts) {
      left = posts
      gate = Promise.withResolvers()
      reached = Promise.withResolvers()
      return reached.promise
    },
    release() {
      left = Number.POSITIVE_INFINITY
      isHolding = false
      gate.resolve()
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
