import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a model says, whatever company's wire it goes over. */
export interface Reply {
  text?: string
  reasoning?: string
  /** A string stands on the wire as it is, for input that is no JSON. */
  calls?: { name: string; input: object | string }[]
  /** Why it ended; worked out from the rest when left out. */
  finish?: 'stop' | 'length' | 'content-filter'
  usage?: { input: number; output: number }
  /** Any other status than 200, with its body and headers. */
  status?: number
  body?: unknown
  headers?: Record<string, string>
  /** Answers only after this long. */
  delayMs?: number
  /** Never answers. */
  hang?: true
  /** Closes the connection in the middle. */
  breakOff?: true
  /** Answers a request for a stream with one plain object. */
  plain?: true
}

export interface RecordedRequest {
  url: string
  headers: IncomingHttpHeaders
  /** As it came, for looking for what must not be in it. */
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever shape a company's wire has
  body: any
}

export type Script = Reply[] | ((request: RecordedRequest, index: number) => Reply)

export interface ModelServer extends AsyncDisposable {
  url: string
  requests: RecordedRequest[]
}

/** Writes a reply as one company's API would. */
export type Wire = (response: ServerResponse, reply: Reply, request: RecordedRequest) => void

/** A model's server on this machine that answers as the test says. One request more than scripted is answered with 418. */
export async function startModelServer(script: Script, wire: Wire): Promise<ModelServer> {
  const requests: RecordedRequest[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const recorded = { url: request.url!, headers: request.headers, text, body: JSON.parse(text) }
    const index = requests.push(recorded) - 1
    const reply = typeof script === 'function' ? script(recorded, index) : script[index]
    if (reply?.delayMs !== undefined) await sleep(reply.delayMs)
    if (!reply) {
      response.writeHead(418).end('{"error":{"message":"more requests than the test scripted"}}')
    } else if (reply.status !== undefined) {
      const body = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? {})
      response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers }).end(body)
    } else if (!reply.hang) {
      wire(response, reply, recorded)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export function inputText(input: object | string): string {
  return typeof input === 'string' ? input : JSON.stringify(input)
}

export function sendEvents(
  response: ServerResponse,
  events: object[],
  options: { named?: boolean; end?: string } = {},
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) {
    const name = options.named ? `event: ${(event as { type: string }).type}\n` : ''
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`)
  }
  response.end(options.end ?? '')
}

/** In two pieces, as streams come. */
export function halves(text: string): string[] {
  const middle = Math.floor(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)]
}
