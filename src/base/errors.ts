/** What went wrong, in the few kinds that callers treat differently. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'rate_limited'
  | 'unavailable'
  | 'unsupported'
  | 'internal'

export interface ErrorDetail {
  message: string
  /** The field at fault, dotted: `source.token`. */
  path: string
}

export interface ErrorOptions {
  cause?: unknown
  details?: ErrorDetail[]
  /** How long the caller should wait before it tries again; for `rate_limited` and `unavailable`. */
  retryAfterSeconds?: number
}

/**
 * The one error class of the project. `code` is `area.reason` and stable, for programs; `message` is for
 * people: what was expected, what was found, what to do.
 */
export class DocentError extends Error {
  override readonly name = 'DocentError'
  readonly kind: ErrorKind
  readonly code: string
  readonly details: ErrorDetail[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(kind: ErrorKind, code: string, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.kind = kind
    this.code = code
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

// What Node and PostgreSQL call it when the other side is away (a closed or refused connection, a server that stops or
// has no room) or when two transactions got in each other's way. It passes; it is no fault of the request.
const passingCodes =
  /^(E(CONNREFUSED|CONNRESET|CONNABORTED|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH)|08\w{3}|57P0\d|53300|40001|40P01|55P03)$/
// The same where a driver gives no code.
const passingWords =
  /^(connection terminated|client has encountered a connection error|timeout exceeded when trying to connect|.*\bPGlite is clos|.*driver has already been destroyed)/i

/** Anything thrown, as a DocentError: `unavailable` when it will pass, else `internal`. It keeps its cause for the log. */
export function toDocentError(thrown: unknown): DocentError {
  if (thrown instanceof DocentError) return thrown
  const { code } = (thrown ?? {}) as { code?: unknown }
  if (passingCodes.test(String(code)) || (thrown instanceof Error && passingWords.test(thrown.message))) {
    const message = 'Something that this needs does not answer. Try again later.'
    return new DocentError('unavailable', 'dependency.unreachable', message, { cause: thrown, retryAfterSeconds: 5 })
  }
  return new DocentError('internal', 'server.internal', 'Something went wrong on our side.', { cause: thrown })
}

/** The message of anything thrown, for logs and for texts that quote a cause. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
