import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { z } from 'zod'
import type { HttpApp } from '#infra/http/http-app.ts'
import { errorResponses } from '#infra/http/schema.ts'

export interface HttpMetrics {
  /** For what is answered without a route: as if this one had. */
  measured(request: { method: string; route: string; status: number }, durationMs: number): void
}

/** Measures every request by route pattern (never by path: a scanner would make a series of each guess). */
export function addMetrics(app: HttpApp): HttpMetrics {
  const register = new Registry()
  collectDefaultMetrics({ register })
  const duration = new Histogram({
    name: 'docent_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
    registers: [register],
  })
  const metrics: HttpMetrics = {
    measured: (request, durationMs) => duration.observe(request, durationMs / 1000),
  }
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    metrics.measured({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime)
    done()
  })

  app.get(
    '/metrics',
    {
      config: { openHere: true },
      schema: {
        operationId: 'getMetrics',
        summary: 'Metrics for Prometheus',
        description: 'Open to this machine; from elsewhere it needs an API key.',
        tags: ['Operations'],
        security: [{}, { adminKey: [] }],
        response: {
          200: { description: 'Prometheus text format.', content: { 'text/plain': { schema: z.string() } } },
          ...errorResponses(),
        },
      },
    },
    async (_request, reply) => reply.type(register.contentType).send(await register.metrics()),
  )
  return metrics
}
