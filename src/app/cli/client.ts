import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { DocentError, type ErrorKind, messageOf } from '#base/errors.ts'
import { socketAddress } from '#infra/data/folder.ts'
import type { CommandInput, Option } from './command.ts'

/** Options of every command that talks to a server. */
export const serverOptions = {
  url: { type: 'string', value: 'url', about: 'Server to talk to, instead of the one on this data folder.' },
  key: { type: 'string', value: 'key', about: 'API key for --url. DOCENT_API_KEY keeps it out of the process list.' },
  org: {
    type: 'string',
    value: 'id or slug',
    about: 'Organization to act in, on the local server. The first by default.',
  },
} as const satisfies Record<string, Option>

export interface ServerEvent {
  id: string
  type: string
  data: Record<string, unknown>
}

export interface Client {
  /** Calls the API and returns the body. Throws what the server answered as a DocentError. */
  call<T>(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<T>
  /** A file of the API, its bytes as they come. One that breaks off is an error of the stream. */
  download(path: string): Promise<Readable>
  /** Server-sent events from this path until the server ends them; a connection that breaks is made again. */
  events(path: string, options?: EventOptions): AsyncGenerator<ServerEvent>
}

export interface EventOptions {
  /** Id of the last event that is not wanted. */
  after?: string
  /** Called when the server is gone and tried again from then on. */
  onLost?(): void
}

const timeoutMs = 60_000

export function createClient({ options, config }: CommandInput<typeof serverOptions>): Client {
  const { config: settings } = config()
  const url = options.url ?? settings.url
  const key = options.key ?? settings.apiKey
  if (!url) return localClient(settings.data, options.org)
  if (!key) {
    const message = `A server elsewhere needs a key: give --key or set DOCENT_API_KEY for ${url}.`
    throw new DocentError('invalid', 'cli.missing_key', message)
  }
  if (!URL.canParse(url))
    throw new DocentError('invalid', 'cli.usage', `--url: expected a URL, found ${JSON.stringify(url)}.`)
  const base = url.replace(/\/+$/, '')
  return clientFor({
    target: (path) => ({ url: `${base}${path}` }),
    headers: { authorization: `Bearer ${key}` },
    hint: `${base} does not answer`,
  })
}

function localClient(data: string, org: string | undefined): Client {
  const socketPath = socketAddress(data)
  return clientFor({
    target: (path) => ({ socketPath, path }),
    headers: org === undefined ? {} : { 'docent-organization': org },
    hint: `No Docent server is running on the data folder ${data}. Start it with npm start, or name a server with --url and --key`,
  })
}

/** How a server is reached. */
interface Connection {
  target(path: string): { url: string } | { socketPath: string; path: string }
  headers: Record<string, string>
  /** What to say when it does not answer. */
  hint: string
}

function clientFor(connection: Connection): Client {
  return {
    call: (method, path, body, headers = {}) => callOnce(connection, { method, path, body, headers }),
    download: (path) => download(connection, path),
    events: (path, options = {}) => followEvents(connection, path, options),
  }
}

async function callOnce<T>(
  connection: Connection,
  {
    method,
    path,
    body,
    headers: own,
  }: { method: string; path: string; body: unknown; headers: Record<string, string> },
): Promise<T> {
  const payload = body === undefined ? undefined : JSON.stringify(body)
  const headers = { ...own, ...(payload === undefined ? {} : { 'content-type': 'application/json' }) }
  const response = await open(connection, { method, path, headers, payload })
  const text = await textOf(response).catch(explain(connection.hint))
  if ((response.statusCode ?? 0) >= 400) throw fromAnswer(response.statusCode ?? 0, text)
  return (text === '' ? null : JSON.parse(text)) as T
}

async function download(connection: Connection, path: string): Promise<Readable> {
  const response = await open(connection, { method: 'GET', path, headers: {}, payload: undefined })
  if (response.statusCode === 200) return response
  const text = await textOf(response).catch(explain(connection.hint))
  throw fromAnswer(response.statusCode ?? 0, text)
}

/** A server that restarts comes back within this many tries of a second each. */
const mostReconnects = 30
// One that only restarts is back before anybody wonders.
const firstTold = 3

async function* followEvents(
  connection: Connection,
  path: string,
  { after = '0', onLost = () => {} }: EventOptions,
): AsyncGenerator<ServerEvent> {
  let last = after
  for (let failures = 0; ; ) {
    try {
      const headers = { accept: 'text/event-stream', 'last-event-id': last }
      const response = await open(connection, { method: 'GET', path, headers, payload: undefined })
      if (response.statusCode === 204) return
      if (response.statusCode !== 200) throw fromAnswer(response.statusCode ?? 0, await textOf(response))
      for await (const event of parseEvents(response)) {
        last = event.id
        failures = 0
        yield event
      }
      // Ended by the server: the next request tells whether there is more, or 204.
    } catch (error) {
      const isPassing = !(error instanceof DocentError) || error.kind === 'unavailable'
      if (!isPassing || ++failures > mostReconnects) throw error
      if (failures === firstTold) onLost()
      await sleep(1000)
    }
  }
}

async function* parseEvents(response: AsyncIterable<Buffer>): AsyncGenerator<ServerEvent> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response) {
    text += decoder.decode(chunk, { stream: true })
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const fields = new Map(
        text
          .slice(0, end)
          .split('\n')
          .map((line) => splitField(line)),
      )
      text = text.slice(end + 2)
      const data = fields.get('data')
      if (data !== undefined)
        yield { id: fields.get('id') ?? '0', type: fields.get('event') ?? '', data: JSON.parse(data) }
    }
  }
}

function splitField(line: string): [string, string] {
  const colon = line.indexOf(': ')
  return [line.slice(0, colon), line.slice(colon + 2)]
}

/** Sends a request and returns its answer, the body still to be read. */
async function open(
  { target, headers: own, hint }: Connection,
  request: { method: string; path: string; headers: Record<string, string>; payload: string | undefined },
): Promise<IncomingMessage> {
  const { method, path, headers, payload } = request
  const common = { method, timeout: timeoutMs, headers: { ...own, ...headers } }
  const to = target(path)
  return await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing =
      'url' in to
        ? (to.url.startsWith('https:') ? httpsRequest : httpRequest)(to.url, common)
        : httpRequest({ ...common, ...to, host: 'localhost' })
    outgoing.on('error', reject)
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer in ${timeoutMs / 1000} s`)))
    outgoing.on('response', resolve)
    outgoing.end(payload)
  }).catch(explain(hint))
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

const kindOf: Record<number, ErrorKind> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  413: 'too_large',
  415: 'unsupported',
  429: 'rate_limited',
  503: 'unavailable',
}

function fromAnswer(status: number, text: string): DocentError {
  const kind = kindOf[status] ?? 'internal'
  try {
    const { error, code, details } = JSON.parse(text)
    return new DocentError(kind, String(code), String(error), details ? { details } : {})
  } catch {
    return new DocentError(
      kind,
      'server.unexpected',
      `The server answered ${status}, and not in the words of Docent's API.`,
    )
  }
}

/** A connection that fails gets a sentence about what to do; what the server itself said is passed on. */
function explain(sentence: string) {
  return (error: unknown): never => {
    if (error instanceof DocentError) throw error
    const reason = messageOf(error) || (error as NodeJS.ErrnoException).code
    throw new DocentError('unavailable', 'server.unreachable', `${sentence} (${reason}).`, { cause: error })
  }
}
