import type { z } from 'zod'
import type { Clock } from '#base/clock.ts'
import { DocentError, messageOf } from '#base/errors.ts'
import { oneLine } from '#base/one-line.ts'
import { parseRetryAfter } from '#base/retry-after.ts'

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
// What GitHub says to wait after its secondary limits, where it names no time; the others say nothing at all.
const usualLimitSeconds = 60
const longestLimitSeconds = 3_600
const mostQuoted = 300

export interface HostCall<T> {
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT'
  /** Below the API's address, already encoded. */
  path: string
  query?: [name: string, value: string][]
  body?: unknown
  schema: z.ZodType<T>
  /** What the token needs for this call, for the message of `host.permission_missing`. */
  permission: string
  /** What a 404 means here. */
  missing?: 'repository' | 'pull_request'
  /** What the host means by another refusal, such as a 422; null where it means nothing of its own. */
  explain?: (refusal: Refusal) => DocentError | null
  /** In place of the usual way to sign in. */
  authorization?: string
}

export interface Refusal {
  status: number
  /** All that the host said about it, on one line. */
  message: string
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

interface Answer {
  status: number
  headers: Headers
  text: string
}

async function send(
  { vendor, apiUrl, headers, authorize }: HostConnection,
  call: HostCall<unknown>,
  { fetch, limits }: { fetch: typeof globalThis.fetch; limits: RequestLimits },
): Promise<Answer> {
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

function read<T>({ vendor }: HostConnection, call: HostCall<T>, { answer, now }: { answer: Answer; now: Date }): T {
  if (answer.status < 200 || answer.status > 299) throw toError(vendor, call, { answer, now })
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

/** Undefined for what is no JSON, such as the HTML of a proxy. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function toError(vendor: string, call: HostCall<unknown>, { answer, now }: { answer: Answer; now: Date }): DocentError {
  const { status, headers } = answer
  const message = wordsOf(parseJson(answer.text))
  const says = message ? ` ${vendor} says: ${message}` : ''

  const limitSeconds = limitOf(answer, { message, now })
  if (limitSeconds !== null) {
    const text = `${vendor} takes no more requests for ${limitSeconds} seconds.${says}`
    return new DocentError('rate_limited', 'host.rate_limited', text, { retryAfterSeconds: limitSeconds })
  }
  if (status >= 500) {
    const retryAfterSeconds = secondsUntil(headers.get('retry-after'), now)
    const text = `${vendor} fails with ${status} at the moment. Try again later.${says}`
    return new DocentError('unavailable', 'host.failing', text, retryAfterSeconds === null ? {} : { retryAfterSeconds })
  }
  const explained = call.explain?.({ status, message })
  if (explained) return explained
  if (status === 401) {
    const text = `${vendor} refuses the token: it is missing, wrong, expired or revoked. Give the project a new one.${says}`
    return new DocentError('unauthenticated', 'host.token_refused', text)
  }
  // For a write, a 404 is how GitHub tells that the token may only read: the repository was found just before.
  if (status === 403 || (status === 404 && call.method === 'POST')) {
    const accepted = headers.get('x-accepted-github-permissions')
    const needed = accepted ? `${call.permission} (${oneLine(accepted, mostQuoted)})` : call.permission
    return new DocentError('forbidden', 'host.permission_missing', `The token needs ${needed} on ${vendor}.${says}`)
  }
  if (status === 404 || status === 410) {
    if (call.missing === 'pull_request') {
      return new DocentError('not_found', 'host.pull_request_not_found', `${vendor} has no such pull request.`)
    }
    const text = `${vendor} has no such repository, or the token may not see it. Check the project's repository and token.`
    return new DocentError('not_found', 'host.repository_not_found', text)
  }
  return new DocentError('invalid', 'host.request_refused', `${vendor} refuses the request with ${status}.${says}`)
}

/** For how long the host takes no requests; null when it is not that. */
function limitOf({ status, headers }: Answer, { message, now }: { message: string; now: Date }): number | null {
  // GitHub says 403 as well, and then it is one of these three that tells it from a missing permission.
  const isSpent = headers.get('x-ratelimit-remaining') === '0' || headers.has('retry-after')
  const isLimit = status === 429 || (status === 403 && (isSpent || /\brate limit\b/i.test(message)))
  if (!isLimit) return null
  const named = ['retry-after', 'x-ratelimit-reset', 'ratelimit-reset'].map((name) => headers.get(name))
  const seconds = named.map((value) => secondsUntil(value, now)).find((value) => value !== null)
  return seconds ?? usualLimitSeconds
}

/** Seconds from now, written as seconds, as a date, or as a moment in seconds since 1970. */
function secondsUntil(value: string | null, now: Date): number | null {
  if (value === null) return null
  const isMoment = /^\d{10}$/.test(value)
  const seconds = isMoment ? Math.ceil(Number(value) - now.getTime() / 1000) : parseRetryAfter(value, now)
  return seconds === null ? null : Math.min(Math.max(seconds, 0), longestLimitSeconds)
}

/** The words of an error, wherever the host puts them: `message`, `error.detail`, `errors[0].message`, … */
function wordsOf(json: unknown): string {
  const words: string[] = []
  const visit = (value: unknown, depth: number): void => {
    if (typeof value === 'string') words.push(value)
    else if (typeof value === 'object' && value !== null && depth > 0) {
      for (const [key, inner] of Object.entries(value)) {
        if (!/^(documentation_url|url|type|id|status|request_id)$/.test(key)) visit(inner, depth - 1)
      }
    }
  }
  visit(json, 4)
  return oneLine(words.join(' '), mostQuoted)
}
