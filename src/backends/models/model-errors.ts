import { DocentError, messageOf } from '#base/errors.ts'
import { hideSecrets } from '#base/hide-secrets.ts'
import { oneLine } from '#base/one-line.ts'
import { parseRetryAfter } from '#base/retry-after.ts'

export interface ModelErrorContext {
  modelId: string
  /** Keys that must not stand in a message, whatever the server quotes. */
  secrets: (string | undefined)[]
}

const contextTooLong =
  /context[ _-]?(length|window|size)|maximum context|prompt is too long|too many (input )?tokens|input token count.*exceed|exceeds?.{0,40}(token|context)|request[ _]too[ _]large/i
const outOfCredit = /insufficient_quota|exceeded your current quota|credit balance is too low|billing/i
const filtered = /content[ _-]?(filter|policy|management)|safety|prohibited_content/i
const overloaded =
  /overloaded|capacity|temporarily unavailable|server[ _](is )?(busy|error)|internal[ _]error|unavailable/i

/** What a provider threw, as a DocentError that says what to do. Its cause has no headers, which may hold keys. */
export function toModelError(thrown: unknown, { modelId, secrets }: ModelErrorContext): DocentError {
  if (thrown instanceof DocentError) return thrown
  const failure = describe(thrown)
  const said = quote(failure.message, secrets)
  const make = (kind: DocentError['kind'], reason: string, text: string) =>
    new DocentError(kind, `model.${reason}`, text, {
      cause: new Error(`${failure.status ?? 'no status'}: ${said}`),
      ...(failure.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: failure.retryAfterSeconds }),
    })

  const { status, details } = failure
  if (contextTooLong.test(details) && (status === undefined || (status >= 400 && status < 500 && status !== 429))) {
    return make('too_large', 'context_exceeded', `The conversation is too long for ${modelId}. It said: ${said}`)
  }
  if (status === 401 || status === 403) {
    return make(
      'forbidden',
      'key_refused',
      `The server of ${modelId} refused our key. Check its setting. It said: ${said}`,
    )
  }
  if (status === 404) {
    const text = `There is no ${modelId} at its server. Check the model’s name and the base URL. It said: ${said}`
    return make('not_found', 'not_found', text)
  }
  if (status === 402 || outOfCredit.test(details)) {
    return make('forbidden', 'out_of_credit', `The account for ${modelId} has no credit left. It said: ${said}`)
  }
  if (status === 429)
    return make('rate_limited', 'rate_limited', `The server of ${modelId} wants us to wait. It said: ${said}`)
  if (status === undefined || status >= 500 || status === 408 || status === 409) {
    if (failure.isNetwork || status !== undefined || overloaded.test(details)) {
      return make('unavailable', 'unavailable', `The server of ${modelId} does not answer as it should: ${said}`)
    }
  }
  if (filtered.test(details)) {
    return make('invalid', 'filtered', `The provider of ${modelId} refused the content. It said: ${said}`)
  }
  return make('invalid', 'refused', `The server of ${modelId} refused the request. It said: ${said}`)
}

interface Failure {
  status: number | undefined
  message: string
  /** All that was said, for telling failures apart. */
  details: string
  retryAfterSeconds: number | undefined
  isNetwork: boolean
}

// What the AI SDK throws, by its fields: its classes would have to be loaded to be asked for.
interface Thrown {
  name?: unknown
  statusCode?: unknown
  status?: unknown
  code?: unknown
  type?: unknown
  message?: unknown
  responseBody?: unknown
  responseHeaders?: Record<string, string>
  cause?: unknown
}

function describe(thrown: unknown): Failure {
  if (typeof thrown !== 'object' || thrown === null) {
    return {
      status: undefined,
      message: String(thrown),
      details: String(thrown),
      retryAfterSeconds: undefined,
      isNetwork: false,
    }
  }
  const error = thrown as Thrown
  const body = typeof error.responseBody === 'string' ? error.responseBody : ''
  const words = [error.message, error.type, error.code, body].filter((word) => typeof word === 'string')
  const status = [error.statusCode, error.status, error.code].map(Number).find((n) => n >= 400 && n < 600)
  const message = typeof error.message === 'string' ? error.message : JSON.stringify(thrown)
  return {
    status,
    message,
    details: words.join(' '),
    retryAfterSeconds: retryAfter(error.responseHeaders),
    isNetwork: status === undefined && isNetwork(error),
  }
}

/** A connection that failed or broke off: `fetch` says so in words and hides the code in the cause. */
function isNetwork(error: Thrown): boolean {
  for (let one: Thrown | undefined = error; one; one = one.cause as Thrown | undefined) {
    if (/^(E[A-Z_]{4,}|UND_ERR_\w+)$/.test(String(one.code))) return true
    if (/fetch failed|terminated|socket hang up|network|cannot connect|timed? ?out/i.test(messageOf(one.message)))
      return true
    // A body that is no JSON, or none at all: what gateways send when the server behind them is away.
    if (/JSONParse|SyntaxError|EmptyResponseBody|TypeValidation|InvalidResponseData/.test(String(one.name))) return true
  }
  return false
}

function retryAfter(headers: Record<string, string> | undefined): number | undefined {
  const milliseconds = Number(headers?.['retry-after-ms'] ?? Number.NaN)
  if (milliseconds >= 0) return Math.ceil(milliseconds / 1000)
  return parseRetryAfter(headers?.['retry-after'], new Date()) ?? undefined
}

function quote(message: string, secrets: (string | undefined)[]): string {
  let safe = hideSecrets(message)
  for (const secret of secrets) if (secret) safe = safe.replaceAll(secret, '[hidden]')
  return oneLine(safe, 400)
}
