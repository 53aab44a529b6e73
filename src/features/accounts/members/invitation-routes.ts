import type { HttpApp } from '#infra/http/http-app.ts'
import { bodyErrorResponses, errorResponses, NoContent } from '#infra/http/schema.ts'
import { refuseOtherSites, type SessionRoutesDeps, sendOpened } from '../sessions/routes.ts'
import { SessionState } from '../sessions/schema.ts'
import { throttle } from '../sessions/throttle.ts'
import {
  acceptInvitation,
  createInvitation,
  listInvitations,
  lookUpInvitation,
  revokeInvitation,
} from './invitations.ts'
import {
  CreatedInvitation,
  InvitationList,
  InvitationOffer,
  InvitationParams,
  InvitationToken,
  NewInvitation,
  NewUser,
} from './schema.ts'

const tags = ['Accounts']

export function invitationRoutes(app: HttpApp, deps: SessionRoutesDeps): void {
  app.get(
    '/v1/invitations',
    {
      schema: {
        operationId: 'listInvitations',
        summary: 'List open invitations',
        tags,
        response: { 200: InvitationList.describe('The oldest first.'), ...errorResponses() },
      },
    },
    async (request) => ({ invitations: await listInvitations(deps, request.caller) }),
  )

  app.post(
    '/v1/invitations',
    {
      schema: {
        operationId: 'createInvitation',
        summary: 'Invite somebody',
        description: 'The answer has a link to give to them. It works once, for seven days. No e-mail is sent.',
        tags,
        body: NewInvitation,
        response: {
          201: CreatedInvitation.describe('The invitation, with its link.'),
          ...bodyErrorResponses(409),
        },
      },
    },
    async (request, reply) => {
      const created = await createInvitation(deps, { ...request.body, by: request.caller })
      return reply.code(201).send(created)
    },
  )

  app.delete(
    '/v1/invitations/:invitationId',
    {
      schema: {
        operationId: 'revokeInvitation',
        summary: 'Take an invitation back',
        tags,
        params: InvitationParams,
        response: { 204: NoContent, ...bodyErrorResponses(404) },
      },
    },
    async (request, reply) => {
      await revokeInvitation(deps, { id: request.params.invitationId, by: request.caller })
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/v1/invitations/lookup',
    {
      config: { public: true },
      schema: {
        operationId: 'lookUpInvitation',
        summary: 'Show what an invitation is for',
        tags,
        security: [],
        body: InvitationToken,
        response: { 200: InvitationOffer.describe('What its link offers.'), ...bodyErrorResponses() },
      },
    },
    (request) => {
      throttle(deps, request)
      return lookUpInvitation(deps, request.body.token)
    },
  )

  app.post(
    '/v1/invitations/accept',
    {
      config: { public: true },
      schema: {
        operationId: 'acceptInvitation',
        summary: 'Take an invitation',
        description: 'Makes a member of whoever has the link, and signs them in.',
        tags,
        security: [],
        body: NewUser,
        response: {
          201: SessionState.describe('They are signed in: the answer sets the cookie `docent_session`.'),
          ...bodyErrorResponses(409),
        },
      },
    },
    async (request, reply) => {
      refuseOtherSites(request, deps)
      throttle(deps, request)
      const input = { ...request.body, requestId: request.id, userAgent: request.headers['user-agent'] }
      return sendOpened(reply, 201, await acceptInvitation(deps, input))
    },
  )
}
