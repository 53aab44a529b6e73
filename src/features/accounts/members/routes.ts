import type { FastifyRequest } from 'fastify'
import type { HttpApp } from '#infra/http/http-app.ts'
import { bodyErrorResponses, errorResponses, NoContent } from '#infra/http/schema.ts'
import { refuseOtherSites, type SessionRoutesDeps, sendOpened } from '../sessions/routes.ts'
import { SessionState } from '../sessions/schema.ts'
import { throttle } from '../sessions/throttle.ts'
import { changeMember, listMembers, removeMember } from './members.ts'
import { choosePassword, createPasswordLink } from './password-links.ts'
import { ChosenPassword, Member, MemberChange, MemberList, MemberParams, NewUser, OneTimeLink } from './schema.ts'
import { createSetupLink, setUp, setupDone } from './setup.ts'

const opened = SessionState.describe('They are signed in: the answer sets the cookie `docent_session`.')
const tags = ['Accounts']

export function memberRoutes(app: HttpApp, deps: SessionRoutesDeps): void {
  const fromRequest = ({ id, headers }: FastifyRequest) => ({ requestId: id, userAgent: headers['user-agent'] })

  app.post(
    '/v1/setup',
    {
      config: { public: true },
      schema: {
        operationId: 'setUp',
        summary: 'Make the first owner',
        description: 'With the token of the setup link that the server prints until there is an owner.',
        tags,
        security: [],
        body: NewUser,
        response: { 201: opened, ...bodyErrorResponses(409) },
      },
    },
    async (request, reply) => {
      refuseOtherSites(request, deps)
      throttle(deps, request)
      return sendOpened(reply, 201, await setUp(deps, { ...request.body, ...fromRequest(request) }))
    },
  )

  app.post(
    '/v1/setup-link',
    {
      config: { localOnly: true },
      schema: {
        hide: true,
        operationId: 'createSetupLink',
        response: { 201: OneTimeLink, ...bodyErrorResponses(409) },
      },
    },
    async (_request, reply) => {
      const link = await createSetupLink(deps)
      if (!link) throw setupDone()
      return reply.code(201).send(link)
    },
  )

  app.get(
    '/v1/members',
    {
      schema: {
        operationId: 'listMembers',
        summary: 'List members',
        description: 'The people of your organization, in the order in which they joined.',
        tags,
        response: { 200: MemberList.describe('All of them.'), ...errorResponses() },
      },
    },
    async (request) => ({ members: await listMembers(deps, request.caller) }),
  )

  app.patch(
    '/v1/members/:memberId',
    {
      schema: {
        operationId: 'changeMember',
        summary: 'Change the role of a member',
        description: 'Owners are made and unmade by owners only, and one always stays.',
        tags,
        params: MemberParams,
        body: MemberChange,
        response: { 200: Member.describe('The member, changed.'), ...bodyErrorResponses(404, 409) },
      },
    },
    (request) => changeMember(deps, { id: request.params.memberId, ...request.body, by: request.caller }),
  )

  app.delete(
    '/v1/members/:memberId',
    {
      schema: {
        operationId: 'removeMember',
        summary: 'Remove a member',
        description: 'Their sessions end at once. Owners are removed by owners only, and one always stays.',
        tags,
        params: MemberParams,
        response: { 204: NoContent, ...bodyErrorResponses(404, 409) },
      },
    },
    async (request, reply) => {
      await removeMember(deps, { id: request.params.memberId, by: request.caller })
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/v1/members/:memberId/password-link',
    {
      schema: {
        operationId: 'createPasswordLink',
        summary: 'Make a link to choose a new password',
        description:
          'For a member who lost theirs. The link works once, for a day; the one made before it stops working.',
        tags,
        params: MemberParams,
        response: { 201: OneTimeLink.describe('The link to give to them.'), ...bodyErrorResponses(404) },
      },
    },
    async (request, reply) => {
      const link = await createPasswordLink(deps, { id: request.params.memberId, by: request.caller })
      return reply.code(201).send(link)
    },
  )

  app.post(
    '/v1/password',
    {
      config: { public: true },
      schema: {
        operationId: 'choosePassword',
        summary: 'Choose a new password',
        description: 'With the token of a password link. All sessions of that member end, and one is opened.',
        tags,
        security: [],
        body: ChosenPassword,
        response: { 200: opened, ...bodyErrorResponses() },
      },
    },
    async (request, reply) => {
      refuseOtherSites(request, deps)
      throttle(deps, request)
      return sendOpened(reply, 200, await choosePassword(deps, { ...request.body, ...fromRequest(request) }))
    },
  )
}
