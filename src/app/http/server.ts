import { isUtf8 } from 'node:buffer'
import helmet from '@fastify/helmet'
import underPressure from '@fastify/under-pressure'
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { DocentError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { invitationRoutes } from '#features/accounts/members/invitation-routes.ts'
import { memberRoutes } from '#features/accounts/members/routes.ts'
import { type OidcRoutesDeps, oidcRoutes } from '#features/accounts/oidc/routes.ts'
import { accountRoutes } from '#features/accounts/routes.ts'
import { type SessionRoutesDeps, sessionRoutes } from '#features/accounts/sessions/routes.ts'
import { type AgentRoutesDeps, agentRoutes } from '#features/agent/routes.ts'
import type { AnalyticsDeps } from '#features/analytics/analytics-deps.ts'
import { analyticsRoutes } from '#features/analytics/routes.ts'
import { contentRoutes } from '#features/content/routes.ts'
import type { ContentDeps } from '#features/content/service.ts'
import { projectRoutes } from '#features/projects/routes.ts'
import type { ProjectsDeps } from '#features/projects/service.ts'
import { type RepositoryRoutesDeps, repositoryRoutes } from '#features/repositories/routes.ts'
import { publishRoutes } from '#features/site/publish/routes.ts'
import { siteRoutes } from '#features/site/routes.ts'
import { createDomainRewrite } from '#features/site/serve/internal-address.ts'
import { createKnownDomains } from '#features/site/serve/known-domains.ts'
import type { SiteDeps } from '#features/site/site-deps.ts'
import { webhookRoutes } from '#features/webhooks/routes.ts'
import type { WebhooksDeps } from '#features/webhooks/service.ts'
import type { Config } from '#infra/config/settings.ts'
import type { HttpApp } from '#infra/http/http-app.ts'
import { type Dashboard, dashboardRoutes } from './dashboard.ts'
import { answerClientError, sendError, sendFrameworkError, sendNotFound } from './errors.ts'
import { addGuard, type GuardDeps } from './guard.ts'
import { type HealthDeps, healthRoutes } from './health.ts'
import { addMetrics } from './metrics.ts'
import { addOpenApi } from './openapi.ts'
import { answerReadyPages } from './ready-pages.ts'
import { referenceRoutes } from './reference.ts'
import { requestIdOf } from './request-id.ts'
import { addRequestLog } from './request-log.ts'
import { createTurns } from './turns.ts'

// Larger bodies are for routes that say so themselves.
const bodyLimitBytes = 1024 * 1024
// A client that opens a connection and says nothing must not keep it. Node's own limit is for all requests alike, so it
// is the longest that any route gives; each has its own below that, and Node's for the headers is a minute anyway.
const bodyTimeoutMs = 60_000
const requestTimeoutMs = 3_600_000
// The delay is a mean of some seconds: of one alone, a single long step (the embedded database tidying up) would turn away
// everybody in the next.
const delaySampleMs = 5_000

export type ServerDeps = Omit<GuardDeps, 'config'> &
  Omit<SessionRoutesDeps, 'config'> &
  Omit<OidcRoutesDeps, 'config'> &
  Omit<ProjectsDeps, 'config'> &
  Omit<WebhooksDeps, 'config'> &
  Omit<AgentRoutesDeps, 'config'> &
  Omit<RepositoryRoutesDeps, 'config'> &
  Omit<ContentDeps, 'config'> &
  Omit<AnalyticsDeps, 'config'> &
  Omit<SiteDeps, 'config'> &
  HealthDeps & { config: Config; log: Log; version: string; dashboard: Dashboard }

/** The whole HTTP surface, not yet listening: tests call it with `inject`. */
export async function buildServer(deps: ServerDeps): Promise<HttpApp> {
  const { config, log } = deps
  const domains = createKnownDomains(deps)
  await domains.refresh()
  const { prefix: domainPrefix, rewrite: rewriteUrl } = createDomainRewrite(domains)
  const app: HttpApp = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIdOf,
    rewriteUrl,
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    forceCloseConnections: 'idle',
    // What Fastify and Node would refuse by themselves has neither our shape nor an id; `refuseEarly` does it instead.
    return503OnClosing: false,
    http: { requireHostHeader: false },
    routerOptions: { maxParamLength: 256 },
    frameworkErrors: sendFrameworkError,
    clientErrorHandler: answerClientError,
  }).withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(sendError)
  app.setNotFoundHandler(sendNotFound)
  // Node answers expectations it does not know with a bare 417, where they may as well be ignored.
  app.server.on('checkExpectation', app.routing)
  addJsonParser(app)

  // Hooks that wait for nothing take `done`: a promise each, for each request, is a fifth of what a finished page costs.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  addRequestLog(app, log)
  await app.register(helmet, {
    // Nothing that is answered here is a page, except where a route says so.
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    // Docent may be served over plain HTTP inside a network; whoever ends TLS adds this header.
    strictTransportSecurity: false,
  })
  await app.register(underPressure, {
    // Above it the process is not keeping up, and more requests would only wait.
    maxEventLoopDelay: config.overloadDelayMs,
    sampleInterval: delaySampleMs,
    pressureHandler: async (request) => {
      const { unlimited, openHere } = request.routeOptions.config
      if (unlimited || openHere) return
      throw new DocentError('unavailable', 'server.overloaded', 'The server is overloaded.', { retryAfterSeconds: 10 })
    },
  })
  refuseEarly(app, deps)
  limitBodyTime(app)
  addGuard(app, deps)
  await addOpenApi(app, { version: deps.version, baseUrl: config.baseUrl })

  healthRoutes(app, deps)
  const metrics = addMetrics(app)
  referenceRoutes(app)
  dashboardRoutes(app, deps)
  accountRoutes(app, deps)
  sessionRoutes(app, deps)
  memberRoutes(app, deps)
  invitationRoutes(app, deps)
  oidcRoutes(app, deps)
  projectRoutes(app, deps)
  repositoryRoutes(app, deps)
  contentRoutes(app, deps)
  analyticsRoutes(app, deps)
  agentRoutes(app, deps)
  webhookRoutes(app, deps)
  publishRoutes(app, deps)
  const readyPages = siteRoutes(app, deps, { domainPrefix, domains })
  answerReadyPages(app, { ...deps, readyPages, metrics })
  app.addHook('onClose', async () => domains.stop())
  return app
}

// To parse more than this, and to do what it asks for, takes a millisecond and more.
const largeBodyBytes = 32 * 1024

/** A body is JSON in UTF-8 or it is refused. */
function addJsonParser(app: HttpApp): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  // Large ones come many at once, as when a log is imported, and a page is not to wait for all of them.
  const turns = createTurns()
  // Fastify takes text/plain by default.
  app.removeContentTypeParser(['text/plain', 'application/json'])
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    // Many clients name the type on every request, so also on a DELETE that has nothing to parse.
    if (body.length === 0 && request.routeOptions.schema?.body === undefined) done(null, undefined)
    // Decoding would replace each stray byte, and store a text that nobody sent.
    else if (!isUtf8(body))
      done(new DocentError('invalid', 'request.malformed_json', 'The body is not UTF-8.'), undefined)
    else if (body.length < largeBodyBytes) parse(request, body.toString('utf8'), done)
    else turns.take(() => parse(request, body.toString('utf8'), done))
  })
}

function refuseEarly(app: HttpApp, { isStopping }: HealthDeps): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers, raw } = request
    if (headers.host === undefined && raw.httpVersion === '1.1') {
      done(new DocentError('invalid', 'request.malformed', 'The Host header is missing.'))
    } else if (isStopping() && !request.routeOptions.config.unlimited) {
      done(new DocentError('unavailable', 'server.stopping', 'This node is stopping.', { retryAfterSeconds: 5 }))
    } else done()
  })
}

/** A body that does not arrive in time ends the connection, as Node does it for headers. */
function limitBodyTime(app: HttpApp): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw, headers } = request
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return done()
    const deadline = setTimeout(() => {
      if (!raw.complete) answerClientError(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), raw.socket)
    }, request.routeOptions.config.bodyTimeoutMs ?? bodyTimeoutMs).unref()
    for (const event of ['end', 'close']) raw.once(event, () => clearTimeout(deadline))
    done()
  })
}
