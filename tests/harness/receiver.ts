import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  method: string
  path: string
  headers: Record<string, string>
  body: string
}

/** A real HTTP server on this machine that remembers what it was sent. */
export interface Receiver {
  url: string
  port: number
  received: Received[]
  /** How requests from now on are answered; with 204 at first. Whoever does nothing with the response leaves them hanging. */
  onRequest(respond: (response: ServerResponse, request: Received) => void): void
  /** How many connections were made to it. */
  connections(): number
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  let respond = (response: ServerResponse, _request: Received): void => void response.writeHead(204).end()
  let connections = 0
  const server = createServer(async (incoming, response) => {
    let body = ''
    incoming.setEncoding('utf8')
    for await (const chunk of incoming) body += chunk
    const { method = '', url: path = '', headers } = incoming
    const request = { method, path, headers: headers as Record<string, string>, body }
    received.push(request)
    respond(response, request)
  })
  server.on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    onRequest(next) {
      respond = next
    },
    connections: () => connections,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
