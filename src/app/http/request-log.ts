import type { Log } from '#base/log.ts'
import type { HttpApp } from '#infra/http/http-app.ts'

/** One line for each request, when its answer is out. */
export function addRequestLog(app: HttpApp, log: Log): void {
  app.addHook('onResponse', (request, reply, done) => {
    // A URL that does not decode has no route, and so no config.
    const { unlimited, openHere, reader } = request.routeOptions.config ?? {}
    const level = unlimited || openHere || reader ? 'debug' : 'info'
    if (!log.isLevelEnabled(level)) return done()
    const fields = {
      method: request.method,
      path: loggedPath(request.originalUrl),
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime),
      by: request.caller?.actor.id ?? request.caller?.actor.kind,
    }
    request.log[level](fields, 'http.request')
    done()
  })
}

interface AnsweredReader {
  requestId: string
  method: string
  url: string
  status: number
  durationMs: number
}

/** The same line for a reader who was answered without a route. */
export function logReader(log: Log, answered: AnsweredReader): void {
  if (!log.isLevelEnabled('debug')) return
  const { requestId, method, url, status, durationMs } = answered
  const fields = { requestId, method, path: loggedPath(url), status, durationMs: Math.round(durationMs) }
  log.debug(fields, 'http.request')
}

/** Without the query, and without the signature that a shared preview has in its path, in whatever encoding. */
function loggedPath(url: string): string {
  return url.split('?')[0]!.replace(/(?:@|%40)(\d{0,12})[^/]{43,}/gi, '@$1-…')
}
