import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
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

export interface Client {
  /** Calls the API and returns the body. Throws what the server answered as a DocentError. */
  call<T>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<T>
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
  return {
    call: <T>(method: string, path: string, body?: unknown) =>
      send<T>({ method, body, target: { url: `${base}${path}` }, headers: { authorization: `Bearer ${key}` } }).catch(
        explain(`${base} does not answer`),
      ),
  }
}

function localClient(data: string, org: string | undefined): Client {
  const socketPath = socketAddress(data)
  const headers: Record<string, string> = org === undefined ? {} : { 'docent-organization': org }
  const hint = `No Docent server is running on the data folder ${data}. Start it with npm start, or name a server with --url and --key`
  return {
    call: <T>(method: string, path: string, body?: unknown) =>
      send<T>({ method, body, target: { socketPath, path }, headers }).catch(explain(hint)),
  }
}

interface Outgoing {
  method: string
  target: { url: string } | { socketPath: string; path: string }
  headers: Record<string, string>
  body: unknown
}

async function send<T>({ method, target, headers, body }: Outgoing): Promise<T> {
  const payload = body === undefined ? undefined : JSON.stringify(body)
  const contentHeaders = payload === undefined ? {} : { 'content-type': 'application/json' }
  const common = { method, timeout: timeoutMs, headers: { ...headers, ...contentHeaders } }
  const { status, text } = await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const request =
      'url' in target
        ? (target.url.startsWith('https:') ? httpsRequest : httpRequest)(target.url, common)
        : httpRequest({ ...common, ...target, host: 'localhost' })
    request.on('error', reject)
    request.on('timeout', () => request.destroy(new Error(`no answer in ${timeoutMs / 1000} s`)))
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
      )
    })
    request.end(payload)
  })
  if (status >= 400) throw fromAnswer(status, text)
  return (text === '' ? null : JSON.parse(text)) as T
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
