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

/** Anything thrown, as a DocentError: an unknown one becomes `internal` and keeps its cause for the log. */
export function toDocentError(thrown: unknown): DocentError {
  if (thrown instanceof DocentError) return thrown
  return new DocentError('internal', 'server.internal', 'Something went wrong on our side.', { cause: thrown })
}

/** The message of anything thrown, for logs and for texts that quote a cause. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
