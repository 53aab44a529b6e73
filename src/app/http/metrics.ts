import ipaddr from 'ipaddr.js'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { DocentError } from '#base/errors.ts'
import type { KeyRing } from '#features/accounts/key-ring.ts'
import type { HttpApp } from '#infra/http/http-app.ts'

/** Measures every request by route pattern (never by path: a scanner would make a series of each guess). */
export function addMetrics(app: HttpApp, { keyRing }: { keyRing: KeyRing }): void {
  const register = new Registry()
  collectDefaultMetrics({ register })
  const duration = new Histogram({
    name: 'docent_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
    registers: [register],
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })

  app.get(
    '/metrics',
    {
      config: { public: true, unlimited: true },
      schema: {
        operationId: 'getMetrics',
        summary: 'Metrics for Prometheus',
        description: 'Open to this machine; from elsewhere it needs an API key.',
        tags: ['Operations'],
      },
    },
    async (request, reply) => {
      if (!isThisMachine(request.ip, request.headers)) {
        const presented = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]
        if (!presented) throw new DocentError('unauthenticated', 'auth.missing_key', 'From another machine, send an API key.')
        await keyRing.verify(presented, request.ip)
      }
      return reply.type(register.contentType).send(await register.metrics())
    },
  )
}

/** A loopback address, and no sign that a proxy on this machine passes on somebody else's request. */
function isThisMachine(address: string, headers: Record<string, unknown>): boolean {
  const forwarded = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'].some((name) => name in headers)
  return !forwarded && ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}
