import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DocentError } from '#base/errors.ts'
import type { Caller } from '#features/accounts/service.ts'
import { recordFeedback, recordPageView, recordSearch, recordSearchClick } from '#features/analytics/service.ts'
import { clientAddress } from '#infra/http/client-address.ts'
import type { HttpApp } from '#infra/http/http-app.ts'
import { layoutMessage, messagePolicy } from './pages/layout-message.ts'
import { answerText } from './serve/answers.ts'
import type { ReadyAnswer } from './serve/find-ready.ts'
import { handleSiteRequest } from './serve/handle-site-request.ts'
import type { KnownDomains } from './serve/known-domains.ts'
import { createReadyPages, type ReadyPages } from './serve/ready-pages.ts'
import type { ServeDeps } from './serve/serve-deps.ts'
import type { ServedSite, SiteAnswer } from './serve/served-site.ts'
import { createShelf } from './serve/shelf.ts'
import { encodePath, readSitePath } from './serve/site-path.ts'
import type { SiteDeps } from './site-deps.ts'

type RouteDeps = Pick<SiteDeps, 'db' | 'clock' | 'log' | 'config' | 'intake' | 'limiter' | 'renderer' | 'liveSites'>

const noSite = 'There is no site at this address. It may have been renamed or deleted; check how it is written.'
// Of what there is, neither says anything to those who may not see it.
const noPreview =
  'There is no such project, branch or commit, or it is not yours. In the name of a branch, ~ stands for /.'
const deadLink = 'This link has expired, or a part of it is missing. Ask whoever sent it for a new one.'

/** Questions of agents and what readers say are small. */
const mostBodyBytes = 64 * 1024

/** How often an address may ask for what costs more than a finished page, a minute. */
const limits: [route: RegExp, name: string, perMinute: number][] = [
  [/^\/_docent\/search$/, 'search', 240],
  [/^\/_docent\/(?:feedback|click)$/, 'feedback', 30],
  [/^\/mcp$/, 'mcp', 240],
  [/^\/llms-full\.txt$/, 'llms-full', 10],
]

/**
 * Sites as readers see them: under `/sites`, as previews, and at domains of their own, which have `domainPrefix`. Returns
 * what is quicker than a route: pages that are finished.
 */
export function siteRoutes(
  app: HttpApp,
  deps: RouteDeps,
  { domainPrefix, domains }: { domainPrefix: string; domains: Pick<KnownDomains, 'has'> },
): ReadyPages {
  const routes = { bySlug: '/sites/:slug/*', byDomain: `${domainPrefix}/:domain/*` }
  const serveDeps: ServeDeps = {
    renderer: deps.renderer,
    shelf: createShelf(),
    log: deps.log,
    records: {
      search: (input) => recordSearch(deps, input),
      click: (input) => recordSearchClick(deps, input),
      feedback: async (input) => void (await recordFeedback(deps, input)),
    },
  }
  app.register(async (instance) => {
    const scope = instance as unknown as HttpApp
    // What a body is, is decided by what it is for.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: mostBodyBytes }, (_request, body, done) =>
      done(null, body),
    )
    const method = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
    const schema = { hide: true }
    const open = { public: true, reader: true }
    const guarded = { basicAuth: true, readableHere: true, reader: true }
    // Where a proxy gives us a part of its paths.
    const pathPrefix = new URL(deps.config.baseUrl).pathname.replace(/\/+$/, '')
    // Pages bring their own headers.
    const helmet = false as const

    for (const url of ['/sites/:slug', '/previews/:slug/:name']) {
      scope.route({
        method: ['GET', 'HEAD'],
        url,
        schema,
        helmet,
        config: open,
        handler: (request, reply) => {
          const [path, query] = splitTarget(request.originalUrl)
          return reply.redirect(`${pathPrefix}${path}/${query}`, 308)
        },
      })
    }

    scope.route({
      method,
      url: routes.bySlug,
      schema,
      helmet,
      config: open,
      handler: (request, reply) => {
        const { slug } = request.params as { slug: string }
        return serve(request, reply, {
          prefixSegments: 2,
          find: () => deps.liveSites.findBySlug(slug),
          missing: noSite,
        })
      },
    })

    scope.route({
      method,
      url: routes.byDomain,
      schema,
      helmet,
      config: open,
      handler: (request, reply) => {
        const { domain } = request.params as { domain: string }
        return serve(request, reply, {
          prefixSegments: 0,
          find: () => deps.liveSites.findByDomain(domain),
          missing: noSite,
        })
      },
    })

    // A name with a signature needs no key: the signature is one, for this preview alone.
    for (const [url, config] of [
      ['/previews/:slug/:signed(^.+@\\d{1,12}-[\\w-]{43}$)/*', open],
      ['/previews/:slug/:name/*', guarded],
    ] as const) {
      scope.route({
        method,
        url,
        schema,
        helmet,
        config,
        handler: (request, reply) => {
          const { slug, name, signed } = request.params as { slug: string; name?: string; signed?: string }
          const caller = request.caller as Caller | null
          const organizationId = caller?.organizationId ?? null
          const isHere = name !== undefined && caller === null
          const find = () => deps.liveSites.findPreview({ slug, name: name ?? signed ?? '', organizationId, isHere })
          return serve(request, reply, {
            prefixSegments: 3,
            find,
            missing: signed === undefined ? noPreview : deadLink,
          })
        },
      })
    }
  })

  const { liveSites } = deps
  return createReadyPages({ liveSites, shelf: serveDeps.shelf, domains, routes, count: countReady })

  async function serve(
    request: FastifyRequest,
    reply: FastifyReply,
    { prefixSegments, find, missing }: { prefixSegments: number; find(): Promise<ServedSite | null>; missing: string },
  ): Promise<FastifyReply> {
    const [target, search] = splitTarget(request.originalUrl)
    const path = withoutSegments(target, prefixSegments)
    // One thing has many addresses, by encoding and slashes; they share its limit.
    limit(request, readSitePath(path)?.route ?? '')
    const site = await findSite(find, missing)
    if ('answer' in site) return send(request, reply, site.answer)
    const { method, headers, body } = request
    const query = new URLSearchParams(search)
    const answer = await handleSiteRequest(serveDeps, site.found, { method, path, query, headers, body })
    if (answer.view !== null && site.found.kind === 'live') countView(request, site.found, answer)
    return send(request, reply, answer)
  }

  function limit(request: FastifyRequest, route: string): void {
    const rule = limits.find(([pattern]) => pattern.test(route))
    if (!rule) return
    const [, name, perMinute] = rule
    const address = clientAddress({ peer: request.raw.socket.remoteAddress, headers: request.headers }, deps.config)
    const { allowed, resetSeconds } = deps.limiter.take(`site-${name}:${address ?? 'unknown'}`, perMinute)
    if (allowed) return
    const message = `More than ${perMinute} requests in a minute. Try again in ${resetSeconds} s.`
    throw new DocentError('rate_limited', 'limits.too_many_requests', message, { retryAfterSeconds: resetSeconds })
  }

  /** After the answer: nobody waits for being counted. */
  function countView(request: FastifyRequest, site: ServedSite, { status, headers, view }: SiteAnswer): void {
    const { raw, originalUrl } = request
    const contentType = headers['content-type'] ?? null
    if (view !== null) setImmediate(() => count(raw, site, { target: originalUrl, status, contentType, view }))
  }

  function countReady(request: IncomingMessage, { site, status, contentType, view }: ReadyAnswer): void {
    count(request, site, { target: request.url ?? '', status, contentType, view })
  }

  function count(
    { method = '', headers, socket }: IncomingMessage,
    { projectId, origin }: ServedSite,
    { target, status, contentType, view }: { target: string; status: number; contentType: string | null; view: string },
  ): void {
    const url = `${origin.slice(0, origin.indexOf('//'))}//${headers.host ?? ''}${target}`
    const path = encodePath(view)
    const peer = socket.remoteAddress
    recordPageView(deps, { projectId, path, method, url, headers, peer, status, contentType })
  }
}

/** What stands between the reader and the site is told as a page too. */
async function findSite(
  find: () => Promise<ServedSite | null>,
  missing: string,
): Promise<{ found: ServedSite } | { answer: SiteAnswer }> {
  try {
    const found = await find()
    if (found) return { found }
    return { answer: answerMessage(404, 'Not found', missing) }
  } catch (error) {
    if (!(error instanceof DocentError)) throw error
    // A branch without the docs folder: only those who may see its preview get so far.
    if (error.kind === 'not_found') return { answer: answerMessage(404, 'Nothing to show', error.message) }
    if (error.kind !== 'unavailable') throw error
    const answer = answerMessage(503, 'Not available', 'This site cannot be shown right now. Please try again soon.')
    return {
      answer: { ...answer, headers: { ...answer.headers, 'retry-after': String(error.retryAfterSeconds ?? 10) } },
    }
  }
}

function answerMessage(status: number, title: string, text: string): SiteAnswer {
  const answer = answerText(status, 'text/html; charset=utf-8', layoutMessage({ title, text }))
  const headers = { ...answer.headers, 'content-security-policy': messagePolicy, 'x-robots-tag': 'noindex' }
  return { ...answer, headers }
}

function send(request: FastifyRequest, reply: FastifyReply, answer: SiteAnswer): FastifyReply {
  const { status, headers, body } = answer
  const { method } = request
  if (answer.view !== null && method === 'GET' && (body === null || Buffer.isBuffer(body))) {
    // A finished page is written as it is: taking its headers apart and together again would cost as much as the rest.
    reply.hijack()
    reply.raw.writeHead(status, { ...headers, 'x-request-id': request.id }).end(body)
    return reply
  }
  reply.code(status).headers(headers)
  if (body === null || method === 'HEAD') return reply.send()
  if (typeof body === 'string' || Buffer.isBuffer(body)) return reply.send(body)
  return reply.send(Readable.from(body))
}

/** The path of a request as the client wrote it, and its query with the `?`. */
function splitTarget(target: string): [path: string, search: string] {
  const path = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '')
  const query = path.indexOf('?')
  return query === -1 ? [path, ''] : [path.slice(0, query), path.slice(query)]
}

/** What follows the first segments: `/sites/handbook/setup` is `/setup` without two of them. */
function withoutSegments(path: string, segments: number): string {
  let at = 0
  for (let count = 0; count < segments; count++) at = path.indexOf('/', at + 1)
  return at === -1 ? '/' : path.slice(at) || '/'
}
