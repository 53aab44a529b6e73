import type { FastifyReply, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { DocentError } from '#base/errors.ts'
import type { KeyRing, VerifiedKey } from '#features/accounts/key-ring.ts'
import { type AccountsDeps, type Caller, getOrganization, type Scope } from '#features/accounts/service.ts'
import { forgetSessionCookie, readSessionCookie } from '#features/accounts/sessions/session-cookie.ts'
import type { SessionRing } from '#features/accounts/sessions/session-ring.ts'
import type { Config } from '#infra/config/settings.ts'
import { addressBucket, addressBucketOf, addressOf } from '#infra/http/address-bucket.ts'
import type { HttpApp } from '#infra/http/http-app.ts'
import { isLoopbackHost } from '#infra/http/loopback-host.ts'
import { requireOwnPage } from '#infra/http/own-page.ts'
import type { RateDecision, RateLimiter } from '#infra/limits/rate-limiter.ts'
import { isLocal } from './local-socket.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling. Only on routes that are not public. */
    caller: Caller
  }
}

export interface GuardDeps extends AccountsDeps {
  keyRing: KeyRing
  sessionRing: SessionRing
  limiter: RateLimiter
  config: Pick<Config, 'rateLimitPerMinute' | 'baseUrl' | 'trustedProxies' | 'proxyHeader'>
}

interface Guard extends GuardDeps {
  /** How many keys are being looked up for addresses that are past their limit. */
  lookupsPastLimit: number
}

// A good key must get in although its address is past the limit: a flood of bad ones may come from behind the same
// proxy. So few lookups at a time do not turn that flood into one of the database.
const mostLookupsPastLimit = 4
const keyShape = /^docent_[0-9A-Za-z]{20,}$/

/** Decides, before a body is read, who is calling, whether too often, and whether they may. Deny by default. */
export function addGuard(app: HttpApp, deps: GuardDeps): void {
  const guard: Guard = { ...deps, lookupsPastLimit: 0 }
  app.decorateRequest('caller', null as unknown as Caller)
  app.addHook('onRequest', (request, reply, done) => {
    const { public: isPublic, unlimited, reader, openHere } = request.routeOptions.config
    if (unlimited || (reader && isPublic) || (openHere && isThisMachine(request))) return done()
    decide(request, reply).then(() => done(), done)
  })

  async function decide(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { public: isPublic, localOnly, readableHere } = request.routeOptions.config
    if (isLocal(request)) {
      request.caller = await localCaller(deps, request)
      return
    }
    if (localOnly) {
      const message = 'This is for the local socket only; use the docent command on the server.'
      throw new DocentError('forbidden', 'auth.local_only', message)
    }
    if (isPublic || request.is404) countAddress(deps, request, reply)
    else if (readableHere && isReaderHere(request, deps.config)) return
    else {
      // Where there are both, the key decides: somebody put it there for this request.
      const cookie = request.headers.authorization === undefined ? readSessionCookie(request.headers) : null
      request.caller = await (cookie === null
        ? keyCaller(guard, request, reply)
        : sessionCaller(guard, { cookie, request, reply }))
    }
  }
}

async function localCaller(deps: GuardDeps, request: FastifyRequest): Promise<Caller> {
  const wanted = request.headers['docent-organization']
  const { id } = await getOrganization(deps, typeof wanted === 'string' ? wanted : undefined)
  const actor = { kind: 'local', id: null, name: 'local operator' } as const
  return { organizationId: id, actor, scopes: ['read', 'write'], requestId: request.id }
}

async function keyCaller(guard: Guard, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
  const { limiter, config } = guard
  const { basicAuth } = request.routeOptions.config
  const presented = bearerToken(request) ?? (basicAuth ? basicPassword(request) : null)
  if (presented === null) {
    countAddress(guard, request, reply)
    const message = basicAuth
      ? 'Sign in with any user name, and an admin API key (docent_…) as the password.'
      : 'Send an admin API key: Authorization: Bearer docent_…'
    throw new DocentError('unauthenticated', 'auth.missing_key', message)
  }
  const key = await verify(guard, { presented, request, reply })
  enforce(limiter.take(`key:${key.id}`, config.rateLimitPerMinute), reply)
  const needed = neededScope(request)
  if (!key.scopes.includes(needed) && !key.scopes.includes('write')) {
    const message = `The API key lacks the scope ${needed}, which ${request.method} needs.`
    throw new DocentError('forbidden', 'auth.scope_missing', message)
  }
  const actor = { kind: 'key', id: key.id, name: key.name } as const
  return { organizationId: key.organizationId, actor, scopes: key.scopes, requestId: request.id }
}

/** Somebody who signed in on the dashboard: the browser sends the cookie of their session by itself. */
async function sessionCaller(
  guard: Guard,
  { cookie, request, reply }: { cookie: string; request: FastifyRequest; reply: FastifyReply },
): Promise<Caller> {
  const { sessionRing, limiter, config } = guard
  const found = await sessionRing.find(cookie)
  if (!found) {
    countAddress(guard, request, reply)
    reply.header('set-cookie', forgetSessionCookie(config))
    throw new DocentError('unauthenticated', 'auth.session_ended', 'Your session has ended. Sign in again.')
  }
  const { id, user, organization, role } = found.session
  enforce(limiter.take(`user:${user.id}`, config.rateLimitPerMinute), reply)
  if (!isRead(request)) requireOwnPage(request.headers, config)
  const scopes: Scope[] = role === 'viewer' ? ['read'] : ['read', 'write']
  if (!scopes.includes(neededScope(request))) {
    const message = `Your role in ${organization.name} is ${role}, which may look at everything and change nothing. Ask an owner or an admin.`
    throw new DocentError('forbidden', 'auth.role_missing', message)
  }
  for (const prolonged of found.setCookies) reply.header('set-cookie', prolonged)
  const actor = { kind: 'user', id: user.id, name: user.name } as const
  const session = { id, userId: user.id, role }
  return { organizationId: organization.id, actor, scopes, requestId: request.id, session }
}

function neededScope(request: FastifyRequest): Scope {
  return request.routeOptions.config.scope ?? (isRead(request) ? 'read' : 'write')
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Good keys are counted by key alone, and bad ones by the address they come from. */
async function verify(
  guard: Guard,
  { presented, request, reply }: { presented: string; request: FastifyRequest; reply: FastifyReply },
): Promise<VerifiedKey> {
  const { keyRing, limiter, config } = guard
  const address = addressOf(request, config)
  const isPastLimit =
    !keyRing.remembers(presented) && !limiter.peek(addressBucket(address), config.rateLimitPerMinute).allowed
  const isRefused = isPastLimit && (guard.lookupsPastLimit >= mostLookupsPastLimit || !keyShape.test(presented))
  if (isRefused) countAddress(guard, request, reply)
  if (isPastLimit) guard.lookupsPastLimit++
  try {
    return await keyRing.verify(presented, address)
  } catch (error) {
    // A database that does not answer is nobody's fault out there.
    if (error instanceof DocentError) countAddress(guard, request, reply)
    throw error
  } finally {
    if (isPastLimit) guard.lookupsPastLimit--
  }
}

function bearerToken({ headers }: FastifyRequest): string | null {
  const match = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')
  return match?.[1] ?? null
}

/** The password of HTTP Basic, which may have colons in it; the user name may not, and is anybody's. */
function basicPassword({ headers }: FastifyRequest): string | null {
  const match = /^basic +([\w+/-]+=*) *$/i.exec(headers.authorization ?? '')
  const pair = Buffer.from(match?.[1] ?? '', 'base64').toString('utf8')
  return pair.slice(pair.indexOf(':') + 1) || null
}

function countAddress({ limiter, config }: GuardDeps, request: FastifyRequest, reply: FastifyReply): void {
  enforce(limiter.take(addressBucketOf(request, config), config.rateLimitPerMinute), reply)
}

/** A loopback address, and no sign that a proxy on this machine passes on somebody else's request. */
function isThisMachine({ ip, headers }: FastifyRequest): boolean {
  const forwarded = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'].some((name) => name in headers)
  return !forwarded && ipaddr.isValid(ip) && ipaddr.process(ip).range() === 'loopback'
}

/**
 * Somebody at this machine, who came under a name of this machine: a page of another site can make its own name lead
 * here, and would read with it. A server with a public address may stand behind a proxy that leaves no sign.
 */
function isReaderHere(request: FastifyRequest, { baseUrl }: GuardDeps['config']): boolean {
  if (!isRead(request) || request.headers.authorization !== undefined || !isThisMachine(request)) return false
  return isLoopbackHost(new URL(baseUrl).host) && isLoopbackHost(request.headers.host ?? '')
}

/** Says where the caller stands, in the headers of the IETF draft and of the drafts before it that clients read. */
function enforce({ allowed, limit, remaining, resetSeconds }: RateDecision, reply: FastifyReply): void {
  reply.headers({
    'ratelimit-policy': `"default";q=${limit};w=60`,
    ratelimit: `"default";r=${remaining};t=${resetSeconds}`,
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetSeconds),
  })
  if (allowed) return
  const message = `More than ${limit} requests in a minute. Try again in ${resetSeconds} s.`
  throw new DocentError('rate_limited', 'limits.too_many_requests', message, { retryAfterSeconds: resetSeconds })
}
