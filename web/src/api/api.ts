import { addresses, type Operations } from './client.ts'

type Name = keyof Operations
/** What an operation needs: only those of path, query and body that it has. */
type Input<Of extends Name> = {
  [Part in 'path' | 'query' | 'body' as Operations[Of][Part] extends undefined ? never : Part]: Operations[Of][Part]
} & { signal?: AbortSignal; headers?: Record<string, string> }
type Answer<Of extends Name> = Operations[Of]['answer']
type Call<Of extends Name> =
  object extends Input<Of> ? (input?: Input<Of>) => Promise<Answer<Of>> : (input: Input<Of>) => Promise<Answer<Of>>

/** What the server said no with, or that it could not be reached (status 0). */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly details: { path: string; message: string }[]
  readonly retryAfterSeconds: number | null

  constructor(
    status: number,
    answer: { error?: string; code?: string; details?: ApiError['details'] },
    retryAfter = '',
  ) {
    super(answer.error ?? `The server answered ${status}.`)
    this.name = 'ApiError'
    this.status = status
    this.code = answer.code ?? 'unknown'
    this.details = answer.details ?? []
    this.retryAfterSeconds = Number(retryAfter) || null
  }
}

/** The address of an operation, with its parameters in place: for links, downloads and event streams. */
export function addressOf<Of extends Name>(name: Of, input: Omit<Input<Of>, 'body'>): string {
  const { path = {}, query = {} } = input as { path?: Record<string, unknown>; query?: Record<string, unknown> }
  const filled = addresses[name][1].replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(path[key])))
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '')
  const search = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString()
  return search ? `${filled}?${search}` : filled
}

async function call(name: Name, input: { body?: unknown; signal?: AbortSignal; headers?: Record<string, string> }) {
  const { body, signal, headers } = input
  const response = await fetch(addressOf(name, input as never), {
    method: addresses[name][0],
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new ApiError(0, {
      error: 'The server cannot be reached. Is it running, and are you online?',
      code: 'unreachable',
    })
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  const answer = isJson && text !== '' ? JSON.parse(text) : undefined
  if (!response.ok) throw new ApiError(response.status, answer ?? {}, response.headers.get('retry-after') ?? '')
  return answer
}

/** Every operation of the API by its name: `api.listKeys({ query: { limit: 50 } })`. Throws `ApiError`. */
export const api = Object.fromEntries(
  (Object.keys(addresses) as Name[]).map((name) => [name, (input = {}) => call(name, input)]),
) as unknown as { [Of in Name]: Call<Of> }
