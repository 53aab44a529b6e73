import { z } from 'zod'
import { DocentError } from '#base/errors.ts'
import type { HttpApp } from '#infra/http/http-app.ts'
import type { AnalyticsDeps } from '../analytics-deps.ts'
import { loadBrowserScript } from './browser-script.ts'
import { collect } from './collect.ts'
import { EventParams } from './event-schema.ts'

const mostBodyBytes = 4096
// The address has no version in it, so a new script must reach readers within a day.
const scriptCaching = 'public, max-age=86400, stale-while-revalidate=604800'

/** The browser script, and where it reports to. Both are for browsers anywhere, and so not in the description of the API. */
export function collectRoutes(app: HttpApp, deps: AnalyticsDeps): void {
  const script = loadBrowserScript()
  app.get('/analytics.js', { config: { public: true }, schema: { hide: true } }, async (request, reply) => {
    reply.headers({
      'cache-control': scriptCaching,
      etag: script.etag,
      vary: 'accept-encoding',
      // Other sites are who it is for.
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
    })
    const known = request.headers['if-none-match'] ?? ''
    if (known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === script.etag)) return reply.code(304).send()
    const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:\s*(?:,|$)))/i.test(
      String(request.headers['accept-encoding'] ?? ''),
    )
    if (takesGzip) reply.header('content-encoding', 'gzip')
    return reply.type('text/javascript; charset=utf-8').send(takesGzip ? script.gzipped : script.plain)
  })

  app.register(async (instance) => {
    const scope = instance as unknown as HttpApp
    // `sendBeacon` says that a text is text, and another type would make browsers ask for permission first.
    scope.removeAllContentTypeParsers()
    for (const type of ['text/plain', 'application/json']) {
      scope.addContentTypeParser(type, { parseAs: 'string' }, (_request, body, done) => done(null, body))
    }
    // Without it the console of every reader says that a response was blocked.
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('cross-origin-resource-policy', 'cross-origin')
    })
    scope.post(
      '/v1/analytics/:projectId/collect',
      { bodyLimit: mostBodyBytes, config: { public: true }, schema: { hide: true, params: EventParams } },
      async (request, reply) => {
        const { headers, socket } = request
        const sent = readBody(request.body)
        const peer = socket.remoteAddress
        const { origin } = await collect(deps, { projectId: request.params.projectId, headers, peer, ...sent })
        return reply
          .headers({ 'access-control-allow-origin': origin, vary: 'origin', 'cache-control': 'no-store' })
          .code(204)
          .send()
      },
    )
  })
}

const Seen = z.object({
  path: z.string().min(1).max(mostBodyBytes).optional(),
  url: z.string().min(1).max(mostBodyBytes).optional(),
  referrer: z.string().max(mostBodyBytes).nullish(),
})

function readBody(body: unknown): { path: string; referrer: string | null } {
  const { data } = Seen.safeParse(parseJson(String(body ?? '')))
  const path = data?.path ?? data?.url
  if (path === undefined) {
    throw new DocentError(
      'invalid',
      'request.invalid',
      'Expected JSON with the path (or url) of a page, and its referrer.',
    )
  }
  return { path, referrer: data?.referrer ?? null }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
