import { z } from 'zod'
import type { HttpApp } from '#infra/http/http-app.ts'
import { bodyErrorResponses, errorResponses, NoContent, Paging } from '#infra/http/schema.ts'
import { AuditList, CreatedKey, KeyList, KeyQuery, NewKey, NewOrganization, Organization } from './schema.ts'
import * as accounts from './service.ts'

export function accountRoutes(app: HttpApp, deps: accounts.AccountsDeps): void {
  app.get(
    '/v1/keys',
    {
      schema: {
        operationId: 'listKeys',
        summary: 'List API keys',
        description: 'The keys of your organization, without their secrets, oldest first.',
        tags: ['Keys'],
        querystring: KeyQuery,
        response: { 200: KeyList.describe('A page of keys.'), ...errorResponses() },
      },
    },
    (request) => {
      const { includeRevoked, ...page } = request.query
      return accounts.listKeys(deps, { by: request.caller, includeRevoked: includeRevoked === 'true', page })
    },
  )

  app.post(
    '/v1/keys',
    {
      schema: {
        operationId: 'createKey',
        summary: 'Create an API key',
        description: 'The answer shows the key, this one time only.',
        tags: ['Keys'],
        body: NewKey,
        response: { 201: CreatedKey.describe('The key, with its secret.'), ...bodyErrorResponses() },
      },
    },
    async (request, reply) => {
      const key = await accounts.createKey(deps, { ...request.body, by: request.caller })
      return reply.code(201).send(key)
    },
  )

  app.delete(
    '/v1/keys/:keyId',
    {
      schema: {
        operationId: 'revokeKey',
        summary: 'Revoke an API key',
        description: 'The key stops working within a second on every node. It stays in the list of revoked keys.',
        tags: ['Keys'],
        params: z.object({ keyId: z.string() }),
        response: { 204: NoContent, ...bodyErrorResponses(404) },
      },
    },
    async (request, reply) => {
      await accounts.revokeKey(deps, { id: request.params.keyId, by: request.caller })
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/v1/audit',
    {
      schema: {
        operationId: 'listAudit',
        summary: 'List audit records',
        description: 'Who did what in your organization, newest first.',
        tags: ['Audit'],
        querystring: z.object(Paging),
        response: { 200: AuditList.describe('A page of records.'), ...errorResponses() },
      },
    },
    (request) => accounts.listAudit(deps, { by: request.caller, page: request.query }),
  )

  app.get(
    '/v1/organizations',
    {
      config: { localOnly: true },
      schema: {
        hide: true,
        operationId: 'listOrganizations',
        response: { 200: z.object({ organizations: z.array(Organization) }), ...errorResponses() },
      },
    },
    async () => ({ organizations: await accounts.listOrganizations(deps) }),
  )

  app.post(
    '/v1/organizations',
    {
      config: { localOnly: true },
      schema: {
        hide: true,
        operationId: 'createOrganization',
        body: NewOrganization,
        response: { 201: Organization, ...bodyErrorResponses() },
      },
    },
    async (request, reply) => {
      const organization = await accounts.createOrganization(deps, { ...request.body, by: request.caller })
      return reply.code(201).send(organization)
    },
  )
}
