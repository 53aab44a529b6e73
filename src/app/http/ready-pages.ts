import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '#base/log.ts'
import type { ReadyPage, ReadyPages } from '#features/site/serve/ready-pages.ts'
import type { HttpApp } from '#infra/http/http-app.ts'
import type { HealthDeps } from './health.ts'
import type { HttpMetrics } from './metrics.ts'
import { requestIdOf } from './request-id.ts'
import { logReader } from './request-log.ts'

interface ReadyPagesDeps extends Pick<HealthDeps, 'isStopping'> {
  readyPages: ReadyPages
  metrics: HttpMetrics
  log: Log
}

/**
 * Answers finished pages before a route is looked for: going through all hooks costs several times what the page itself
 * does. Whatever is not quite usual is left to the routes; that they answer the same is tested.
 */
export function answerReadyPages(app: HttpApp, { readyPages, isStopping, metrics, log }: ReadyPagesDeps): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  // In place of Fastify's own listener, which is `routing` too.
  app.server.removeAllListeners('request').on('request', (request, response) => {
    const page = find(request)
    if (page) send(request, response, page)
    else app.routing(request, response)
  })

  function find(request: IncomingMessage): ReadyPage | null {
    const { headers } = request
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
    if (hasBody || isClosing || isStopping() || app.isUnderPressure()) return null
    try {
      return readyPages.find(request)
    } catch (err) {
      // Here it would end the process; a route says what happened.
      log.warn({ err }, 'http.ready_page_failed')
      return null
    }
  }

  function send(request: IncomingMessage, response: ServerResponse, { answer, route }: ReadyPage): void {
    const startedAt = performance.now()
    const { status, headerList, body } = answer
    const requestId = requestIdOf(request)
    response.on('finish', () => {
      const durationMs = performance.now() - startedAt
      metrics.measured({ method: 'GET', route, status }, durationMs)
      logReader(log, { requestId, method: 'GET', url: request.url ?? '', status, durationMs })
    })
    response.writeHead(status, [...headerList, 'x-request-id', requestId]).end(body, 'latin1')
    readyPages.count(request, answer)
  }
}
