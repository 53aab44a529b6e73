import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { DocentError, type ErrorDetail, type ErrorKind, toDocentError } from '#base/errors.ts'
import { newRequestId } from './request-id.ts'

/** The HTTP half of the error mapping. */
const statusOf: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unsupported: 415,
  rate_limited: 429,
  unavailable: 503,
  internal: 500,
}

/** Fastify's own errors, in our words. Any other of its errors below 500 is `request.malformed`. */
const frameworkErrors: Record<string, [ErrorKind, string, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['too_large', 'request.too_large', 'The body is larger than this endpoint takes.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported',
    'request.not_json',
    'Send the body as JSON, with Content-Type: application/json.',
  ],
  FST_ERR_CTP_INVALID_JSON_BODY: ['invalid', 'request.malformed_json', 'The body is not valid JSON.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['invalid', 'request.malformed_json', 'The body is empty; expected a JSON object.'],
  FST_ERR_BAD_URL: ['invalid', 'request.malformed', 'The URL is not valid: check its percent-encoding.'],
}

export interface ErrorBody {
  error: string
  code: string
  details?: ErrorDetail[]
}

// A batch can be wrong in thousands of places; the first few tell as much, in an answer that stays small.
const mostDetails = 50

/** Sends an error in the one shape of the API. Bodies never carry a stack or an internal message. */
export function sendError(thrown: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void {
  const translated = withLimit(translate(thrown), request)
  const error = forCallers(translated)
  const status = statusOf[error.kind]
  if (error !== translated) request.log[status === 503 ? 'warn' : 'error']({ err: thrown }, 'http.failed')
  if (status === 401) {
    // A browser and a git client ask for a password only when they are told to.
    const isBasic = request.routeOptions.config?.basicAuth
    reply.header('www-authenticate', isBasic ? 'Basic realm="Docent"' : 'Bearer')
  }
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds))
  reply.code(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(bodyOf(error))
}

/** Names the limit of the route, where a body was past it: routes have their own. */
function withLimit(error: DocentError, { routeOptions }: FastifyRequest): DocentError {
  const bytes = routeOptions.bodyLimit
  if (error.code !== 'request.too_large' || bytes === undefined) return error
  const limit = bytes >= 1024 * 1024 ? `${bytes / (1024 * 1024)} MiB` : `${bytes / 1024} KiB`
  const message = `The body is larger than this endpoint takes (${limit}).`
  return new DocentError(error.kind, error.code, message, { cause: error.cause })
}

/** For requests that Fastify refuses before its hooks run, such as a URL that does not decode. */
export function sendFrameworkError(thrown: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id)
  sendError(thrown, request, reply)
}

export function sendNotFound(request: FastifyRequest, reply: FastifyReply): void {
  // As it was asked for: what a request to a site's own domain becomes is nobody's business.
  const path = request.originalUrl.split('?')[0]!.slice(0, 100)
  const message = `There is no ${request.method} ${path}. See /reference for what there is.`
  sendError(new DocentError('not_found', 'route.not_found', message), request, reply)
}

/** For what is not even HTTP. Nothing of the request is quoted: there may be no request. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, reason, code] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'Request Header Fields Too Large', 'request.headers_too_large']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'Request Timeout', 'request.timeout']
        : [400, 'Bad Request', 'request.malformed']
  const body = JSON.stringify({ error: `${reason}.`, code })
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${newRequestId()}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function translate(thrown: FastifyError | Error): DocentError {
  if (thrown instanceof DocentError) return thrown
  if (hasZodFastifySchemaValidationErrors(thrown)) return invalidRequest(thrown)
  const { code, statusCode } = thrown as Partial<FastifyError>
  const known = code === undefined ? undefined : frameworkErrors[code]
  if (known) return new DocentError(known[0], known[1], known[2], { cause: thrown })
  if (
    code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH' ||
    (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
  ) {
    return new DocentError('invalid', 'request.malformed', 'The request is malformed.', { cause: thrown })
  }
  return toDocentError(thrown)
}

/**
 * What went wrong on our side is told to callers without its message: that names hosts, paths and programs, and is for
 * the log. Only this layer's own words, of the area `server`, are meant for them.
 */
function forCallers(error: DocentError): DocentError {
  const { kind, code, retryAfterSeconds = 5 } = error
  if (kind === 'internal') return new DocentError('internal', 'server.internal', 'Something went wrong on our side.')
  if (kind !== 'unavailable' || code.startsWith('server.')) return error
  return new DocentError(kind, code, 'Something that this needs does not answer. Try again later.', {
    retryAfterSeconds,
  })
}

function invalidRequest(error: { validation: { instancePath: string; message?: string }[] }): DocentError {
  const details = error.validation.slice(0, mostDetails).map(({ instancePath, message = 'invalid' }) => ({
    path: instancePath.slice(1).replaceAll('/', '.'),
    message: inOurWords(message),
  }))
  const sentence = details.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ')
  return new DocentError('invalid', 'request.invalid', `${sentence}.`, { details, cause: error })
}

/** zod says `Invalid input: expected string, received undefined` where ours say `expected text, found nothing`. */
function inOurWords(message: string): string {
  return message
    .replace(/^Invalid (?:input|option): /, '')
    .replace(/^expected string\b/, 'expected text')
    .replace(/, received undefined$/, ', found nothing')
    .replace(/, received (\w+)$/, ', found $1')
    .replaceAll('"|"', '", "')
}

function bodyOf({ message, code, details }: DocentError): ErrorBody {
  return details ? { error: message, code, details } : { error: message, code }
}
