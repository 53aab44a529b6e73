import type { FastifyReply, FastifyRequest } from 'fastify'
import { toDocentError } from '#base/errors.ts'
import type { HttpApp } from '#infra/http/http-app.ts'
import { setCookies } from '../sessions/routes.ts'
import { type ThrottleDeps, throttle } from '../sessions/throttle.ts'
import { callbackPath, type Oidc, type Sending } from './oidc.ts'

export interface OidcRoutesDeps extends ThrottleDeps {
  oidc: Oidc
  config: ThrottleDeps['config'] & { baseUrl: string }
}

/** For browsers alone: whatever happens, a person ends on a page of the dashboard. */
export function oidcRoutes(app: HttpApp, { oidc, ...deps }: OidcRoutesDeps): void {
  const open = { config: { public: true }, schema: { hide: true } }
  const signInPage = `${deps.config.baseUrl.replace(/\/+$/, '')}/app/sign-in`

  app.get('/v1/session/oidc', open, (request, reply) => send(request, reply, () => oidc.start()))

  app.get(callbackPath, open, (request, reply) =>
    send(request, reply, () => {
      const { cookie, 'user-agent': userAgent } = request.headers
      return oidc.finish({ query: textsOf(request.query), cookie, userAgent })
    }),
  )

  async function send(request: FastifyRequest, reply: FastifyReply, work: () => Promise<Sending>) {
    reply.header('cache-control', 'no-store')
    try {
      throttle(deps, request)
      const { location, setCookies: cookies } = await work()
      setCookies(reply, cookies)
      return reply.redirect(location, 302)
    } catch (thrown) {
      const { kind, code } = toDocentError(thrown)
      const level = kind === 'unavailable' || kind === 'internal' ? 'warn' : 'info'
      request.log[level]({ err: thrown }, 'accounts.oidc_refused')
      // The page has the words: what stood in an address, anybody could write there.
      return reply.redirect(`${signInPage}?error=${encodeURIComponent(code)}`, 302)
    }
  }
}

/** Of a parameter that is given twice, none. */
function textsOf(query: unknown): Record<string, string | undefined> {
  const entries = Object.entries(query as Record<string, unknown>)
  return Object.fromEntries(entries.map(([name, value]) => [name, typeof value === 'string' ? value : undefined]))
}
