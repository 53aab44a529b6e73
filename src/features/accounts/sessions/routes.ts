import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Config } from '#infra/config/settings.ts'
import type { HttpApp } from '#infra/http/http-app.ts'
import { requireOwnPage } from '#infra/http/own-page.ts'
import { bodyErrorResponses, errorResponses, NoContent } from '#infra/http/schema.ts'
import { AccountChange, SessionList, SessionState, SignIn } from './schema.ts'
import { forgetSessionCookie, readSessionCookie } from './session-cookie.ts'
import {
  changeAccount,
  describeSession,
  listSessions,
  type OpenedSession,
  revokeSession,
  type SessionsDeps,
  signIn,
  signOut,
} from './sessions.ts'
import { type ThrottleDeps, throttle } from './throttle.ts'

export interface SessionRoutesDeps extends SessionsDeps, ThrottleDeps {
  config: SessionsDeps['config'] & ThrottleDeps['config'] & Pick<Config, 'baseUrl'>
}

const state = SessionState.describe('Who is signed in, and what there is to sign in with.')
const tags = ['Accounts']
// Their own, so that a viewer may.
const own = { scope: 'read' } as const

export function sessionRoutes(app: HttpApp, deps: SessionRoutesDeps): void {
  app.get(
    '/v1/session',
    {
      config: { public: true },
      schema: {
        operationId: 'getSession',
        summary: 'Get who is signed in',
        description: 'Answers everybody: without a session its `user` is null.',
        tags,
        security: [],
        response: { 200: state, ...errorResponses() },
      },
    },
    async (request, reply) => {
      const cookie = readSessionCookie(request.headers)
      const found = cookie === null ? null : await deps.sessionRing.find(cookie)
      if (found) setCookies(reply, found.setCookies)
      else if (cookie !== null) setCookies(reply, [forgetSessionCookie(deps.config)])
      reply.header('cache-control', 'no-store')
      return await describeSession(deps, found?.session ?? null)
    },
  )

  app.post(
    '/v1/session',
    {
      config: { public: true },
      schema: {
        operationId: 'signIn',
        summary: 'Sign in',
        description: 'With e-mail address and password. The answer sets the cookie `docent_session`.',
        tags,
        security: [],
        body: SignIn,
        response: { 200: state, ...bodyErrorResponses() },
      },
    },
    async (request, reply) => {
      refuseOtherSites(request, deps)
      throttle(deps, request, request.body.email)
      return sendOpened(reply, 200, await signIn(deps, { ...request.body, userAgent: request.headers['user-agent'] }))
    },
  )

  app.delete(
    '/v1/session',
    {
      config: { public: true },
      schema: {
        operationId: 'signOut',
        summary: 'Sign out',
        description: 'Ends the session of the cookie, if there is one.',
        tags,
        security: [],
        response: { 204: NoContent, ...bodyErrorResponses() },
      },
    },
    async (request, reply) => {
      const cookie = readSessionCookie(request.headers)
      if (cookie !== null) {
        requireOwnPage(request.headers, deps.config)
        await signOut(deps, cookie)
        setCookies(reply, [forgetSessionCookie(deps.config)])
      }
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/v1/sessions',
    {
      schema: {
        operationId: 'listSessions',
        summary: 'List your sessions',
        description: 'Where you are signed in. Addresses are not kept.',
        tags,
        response: { 200: SessionList.describe('The newest first.'), ...errorResponses() },
      },
    },
    async (request) => ({ sessions: await listSessions(deps, request.caller) }),
  )

  app.delete(
    '/v1/sessions/:sessionId',
    {
      config: own,
      schema: {
        operationId: 'revokeSession',
        summary: 'End one of your sessions',
        tags,
        params: z.object({ sessionId: z.string() }),
        response: { 204: NoContent, ...bodyErrorResponses(404) },
      },
    },
    async (request, reply) => {
      await revokeSession(deps, { id: request.params.sessionId, by: request.caller })
      return reply.code(204).send(null)
    },
  )

  app.patch(
    '/v1/account',
    {
      config: own,
      schema: {
        operationId: 'changeAccount',
        summary: 'Change your name or password',
        tags,
        body: AccountChange,
        response: { 200: state, ...bodyErrorResponses(409) },
      },
    },
    (request) => {
      if (request.body.password) throttle(deps, request, request.caller.session?.userId)
      return changeAccount(deps, { ...request.body, by: request.caller })
    },
  )
}

/** Sends a session that was just opened, with its cookies. */
export function sendOpened(reply: FastifyReply, status: 200 | 201, { state, setCookies: cookies }: OpenedSession) {
  setCookies(reply, cookies)
  return reply.header('cache-control', 'no-store').code(status).send(state)
}

/** A page of another site must not sign somebody in as whom it likes. Programs say nothing of a site, and may. */
export function refuseOtherSites({ headers }: FastifyRequest, { config }: { config: { baseUrl: string } }): void {
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) requireOwnPage(headers, config)
}

export function setCookies(reply: FastifyReply, cookies: string[]): void {
  for (const cookie of cookies) reply.header('set-cookie', cookie)
}
