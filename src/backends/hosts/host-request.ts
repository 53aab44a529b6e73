import type { z } from 'zod'
import type { Clock } from '#base/clock.ts'
import { DocentError, messageOf } from '#base/errors.ts'
import { type HostAnswer, parseJson, type RefusableCall, refusalError } from './host-refusal.ts'

export interface RequestDeps {
  /** The only way out. */
  fetch: typeof globalThis.fetch
  clock: Clock
  /** How to wait between tries. */
  wait?: (milliseconds: number) => Promise<void>
  limits?: Partial<RequestLimits>
}

export interface RequestLimits {
  /** For one try, from the connection to the last byte of the answer. */
  timeoutMs: number
  mostBytes: number
  tries: number
  /** What waits longer than this is left to the queue. */
  longestWaitMs: number
}

const defaultLimits: RequestLimits = { timeoutMs: 30_000, mostBytes: 10_000_000, tries: 3, longestWaitMs: 5_000 }
const firstWaitMs = 250
const mostRedirects = 3

export interface HostCall<T> extends RefusableCall {
  /** Below the API's address, already encoded. */
  path: string
  query?: [name: string, value: string][]
  body?: unknown
  schema: z.ZodType<T>
  /** In place of the usual way to sign in. */
  authorization?: string
}

export type HostRequest = <T>(call: HostCall<T>) => Promise<T>

export interface HostConnection {
  /** For messages: `GitHub`. */
  vendor: string
  apiUrl: string
  /** Sent with each request besides `Authorization`. */
  headers?: Record<string, string>
  /** The header to sign in with, null without a token. It goes to the API's own origin only. */
  authorize: () => Promise<{ name: string; value: string } | null>
}

/**
 * Requests to the API of one code host, with all of its ways to say no told in our kinds of errors (see CodeHost). GETs
 * that fail in passing are tried again shortly, as is all that was refused for a limit that ends soon; whatever takes
 * longer is thrown, with the time to wait. A POST that may have worked is never sent twice.
 */
export function createHostRequest(connection: HostConnection, deps: RequestDeps): HostRequest {
  const limits = { ...defaultLimits, ...deps.limits }
  const wait = deps.wait ?? ((milliseconds) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds)))

  return async (call) => {
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await send(connection, call, { fetch: deps.fetch, limits })
        return read(connection, call, { answer, now: deps.clock.now() })
      } catch (thrown) {
        const waitMs = thrown instanceof DocentError ? waitBefore(thrown, { call, attempt }) : null
        if (waitMs === null || attempt >= limits.tries || waitMs > limits.longestWaitMs) throw thrown
        await wait(waitMs)
      }
    }
  }
}

/** How long to wait before the next try; null where it must not be tried again. */
function waitBefore(
  error: DocentError,
  { call, attempt }: { call: HostCall<unknown>; attempt: number },
): number | null {
  const wasRefused = error.code === 'host.rate_limited'
  const isPassing = error.code === 'host.failing' || error.code === 'host.unreachable'
  if (!wasRefused && !(isPassing && (call.method ?? 'GET') === 'GET')) return null
  return error.retryAfterSeconds === undefined ? firstWaitMs * 2 ** (attempt - 1) : error.retryAfterSeconds * 1000
}

async function send(
  { vendor, apiUrl, headers, authorize }: HostConnection,
  call: HostCall<unknown>,
  { fetch, limits }: { fetch: typeof globalThis.fetch; limits: RequestLimits },
): Promise<HostAnswer> {
  const credential = call.authorization ? { name: 'authorization', value: call.authorization } : await authorize()
  const signal = AbortSignal.timeout(limits.timeoutMs)
  const request: RequestInit = {
    method: call.method ?? 'GET',
    headers: {
      accept: 'application/json',
      'user-agent': 'docent',
      ...headers,
      ...(credential && { [credential.name]: credential.value }),
      ...(call.body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
    // Followed by hand, since the credential must not leave this origin.
    redirect: 'manual',
    signal,
  }
  const query = call.query?.length ? `?${new URLSearchParams(call.query)}` : ''
  let url = new URL(apiUrl + call.path + query)
  try {
    for (let redirects = 0; ; redirects++) {
      const response = await fetch(url, request)
      const location = [301, 302, 307, 308].includes(response.status) ? response.headers.get('location') : null
      if (location === null) {
        const text = await readText(response, { vendor, mostBytes: limits.mostBytes })
        const { ok, status, headers } = response
        return { status, headers, text: ok ? text : withoutSecret(text, credential?.value) }
      }
      await response.body?.cancel()
      // What a renamed repository answers. The request is repeated as it is, as the hosts ask for.
      url = redirectTarget(location, { from: url, vendor, redirects })
    }
  } catch (thrown) {
    if (thrown instanceof DocentError) throw thrown
    if (signal.aborted) {
      const message = `${vendor} did not answer within ${limits.timeoutMs / 1000} seconds. Try again later.`
      throw new DocentError('unavailable', 'host.timed_out', message, { cause: thrown })
    }
    const message = `${vendor} at ${url.origin} cannot be reached (${reasonOf(thrown)}). Try again later.`
    throw new DocentError('unavailable', 'host.unreachable', message, { cause: thrown })
  }
}

/** A server may send back what it was sent, and its words go into our errors. */
function withoutSecret(text: string, credential: string | undefined): string {
  const sent = credential?.split(' ').at(-1)
  if (!sent) return text
  const login = Buffer.from(sent, 'base64').toString('utf8')
  const forms = credential?.startsWith('Basic ') ? [sent, login, login.slice(login.indexOf(':') + 1)] : [sent]
  return forms.filter((form) => form !== '').reduce((all, form) => all.replaceAll(form, '[hidden]'), text)
}

/** `fetch` says `fetch failed` for everything; its cause says why. */
function reasonOf(thrown: unknown): string {
  return messageOf((thrown instanceof Error && thrown.cause) || thrown)
}

function redirectTarget(
  location: string,
  { from, vendor, redirects }: { from: URL; vendor: string; redirects: number },
): URL {
  const target = URL.canParse(location, from.href) ? new URL(location, from) : null
  if (target && target.origin === from.origin && redirects < mostRedirects) return target
  const where = target && target.origin !== from.origin ? `to ${target.origin}, another address` : 'without an end'
  const message = `${vendor} redirects ${where}. Check the project's repository and apiUrl.`
  throw new DocentError('not_found', 'host.repository_not_found', message)
}

async function readText(
  response: Response,
  { vendor, mostBytes }: { vendor: string; mostBytes: number },
): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > mostBytes) throw unreadable(vendor, `is larger than ${mostBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function read<T>({ vendor }: HostConnection, call: HostCall<T>, { answer, now }: { answer: HostAnswer; now: Date }): T {
  if (answer.status < 200 || answer.status > 299) throw refusalError(vendor, call, { answer, now })
  const parsed = call.schema.safeParse(parseJson(answer.text))
  if (parsed.success) return parsed.data
  const { path, message } = parsed.error.issues[0]!
  throw unreadable(
    vendor,
    `is not what its documentation says (${path.map(String).join('.') || 'all of it'}: ${message})`,
  )
}

function unreadable(vendor: string, found: string): DocentError {
  return new DocentError('unavailable', 'host.answer_unreadable', `The answer of ${vendor} ${found}. Try again later.`)
}
