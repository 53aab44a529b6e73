import { DocentError } from '#base/errors.ts'
import { oneLine } from '#base/one-line.ts'
import { parseRetryAfter } from '#base/retry-after.ts'

// What GitHub says to wait after its secondary limits, where it names no time; the others say nothing at all.
const usualLimitSeconds = 60
const longestLimitSeconds = 3_600
const mostQuoted = 300

export interface HostAnswer {
  status: number
  headers: Headers
  text: string
}

export interface Refusal {
  status: number
  /** All that the host said about it, on one line. */
  message: string
}

/** What a call says of itself, for when it is refused. */
export interface RefusableCall {
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT'
  /** What the token needs for this call, for the message of `host.permission_missing`. */
  permission: string
  /** What a 404 means here. */
  missing?: 'repository' | 'pull_request'
  /** What the host means by another refusal, such as a 422; null where it means nothing of its own. */
  explain?: (refusal: Refusal) => DocentError | null
}

/** What a host means by an answer that is no success, in our kinds of errors (see CodeHost). */
export function refusalError(
  vendor: string,
  call: RefusableCall,
  { answer, now }: { answer: HostAnswer; now: Date },
): DocentError {
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
function limitOf({ status, headers }: HostAnswer, { message, now }: { message: string; now: Date }): number | null {
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

/** Undefined for what is no JSON, such as the HTML of a proxy. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
