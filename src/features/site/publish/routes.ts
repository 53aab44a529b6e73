import type { HttpApp } from '#infra/http/http-app.ts'
import { bodyErrorResponses, errorResponses, NoContent } from '#infra/http/schema.ts'
import type { SiteDeps } from '../site-deps.ts'
import * as deployments from './deployments.ts'
import * as domains from './domains.ts'
import { createPreview } from './previews.ts'
import {
  Deployment,
  DeploymentDetails,
  DeploymentList,
  DeploymentParams,
  DeploymentQuery,
  Domain,
  DomainList,
  DomainParams,
  NewDeployment,
  NewDomain,
  NewPreview,
  Preview,
  ProjectParams,
  Site,
} from './schema.ts'

export type PublishRoutesDeps = Pick<
  SiteDeps,
  'db' | 'clock' | 'queue' | 'secretBox' | 'fetch' | 'config' | 'liveSites'
>

const tags = ['Sites']
const project = '/v1/projects/:projectId'

export function publishRoutes(app: HttpApp, deps: PublishRoutesDeps): void {
  siteRoutes(app, deps)
  deploymentRoutes(app, deps)
  domainRoutes(app, deps)
}

function siteRoutes(app: HttpApp, deps: PublishRoutesDeps): void {
  app.get(
    `${project}/site`,
    {
      schema: {
        operationId: 'getSite',
        summary: 'Get a project’s site',
        description: 'Where readers find it, and what they get.',
        tags,
        params: ProjectParams,
        response: { 200: Site.describe('The site.'), ...errorResponses(404) },
      },
    },
    (request) => deployments.getSite(deps, { ...request.params, by: request.caller }),
  )

  app.post(
    `${project}/previews`,
    {
      schema: {
        operationId: 'createPreview',
        summary: 'Share a preview of a branch or commit',
        description:
          'A preview of a branch follows it. `url` is for readers with a key of the organization; `shareUrl` is for everybody who has it, until it expires.',
        tags,
        params: ProjectParams,
        body: NewPreview,
        response: { 201: Preview.describe('Its addresses.'), ...bodyErrorResponses(404) },
      },
    },
    async (request, reply) => {
      const input = { ...request.body, ...request.params, by: request.caller }
      return reply.code(201).send(await createPreview(deps, input))
    },
  )
}

function deploymentRoutes(app: HttpApp, deps: PublishRoutesDeps): void {
  app.get(
    `${project}/deployments`,
    {
      schema: {
        operationId: 'listDeployments',
        summary: 'List deployments of a site',
        description: 'Newest first.',
        tags,
        params: ProjectParams,
        querystring: DeploymentQuery,
        response: { 200: DeploymentList.describe('A page of deployments.'), ...errorResponses(404) },
      },
    },
    (request) => deployments.listDeployments(deps, { ...request.params, by: request.caller, page: request.query }),
  )

  app.post(
    `${project}/deployments`,
    {
      schema: {
        operationId: 'createDeployment',
        summary: 'Publish a site now',
        description:
          'Publishes the project’s branch as it is, also when it is live already. With `ref` or `commit` it publishes that instead, until the project’s branch moves next.',
        tags,
        params: ProjectParams,
        body: NewDeployment,
        response: { 202: Deployment.describe('The deployment, about to be built.'), ...bodyErrorResponses(404, 409) },
      },
    },
    async (request, reply) => {
      const input = { ...request.body, ...request.params, by: request.caller }
      return reply.code(202).send(await deployments.createDeployment(deps, input))
    },
  )

  app.get(
    `${project}/deployments/:deploymentId`,
    {
      schema: {
        operationId: 'getDeployment',
        summary: 'Get a deployment of a site',
        description: 'With the pages that it changed, and what its pages warned of.',
        tags,
        params: DeploymentParams,
        response: { 200: DeploymentDetails.describe('The deployment.'), ...errorResponses(404) },
      },
    },
    (request) => deployments.getDeployment(deps, { ...request.params, by: request.caller }),
  )

  app.post(
    `${project}/deployments/:deploymentId/restore`,
    {
      schema: {
        operationId: 'restoreDeployment',
        summary: 'Return to an earlier deployment',
        description: 'Publishes its commit anew. It stays live until the project’s branch moves next.',
        tags,
        params: DeploymentParams,
        response: { 202: Deployment.describe('The new deployment.'), ...bodyErrorResponses(404, 409) },
      },
    },
    async (request, reply) => {
      const input = { ...request.params, by: request.caller }
      return reply.code(202).send(await deployments.restoreDeployment(deps, input))
    },
  )
}

function domainRoutes(app: HttpApp, deps: PublishRoutesDeps): void {
  app.get(
    `${project}/domains`,
    {
      schema: {
        operationId: 'listSiteDomains',
        summary: 'List domains of a site',
        tags,
        params: ProjectParams,
        response: { 200: DomainList.describe('All of them, oldest first.'), ...errorResponses(404) },
      },
    },
    (request) => domains.listDomains(deps, { ...request.params, by: request.caller }),
  )

  app.post(
    `${project}/domains`,
    {
      schema: {
        operationId: 'addSiteDomain',
        summary: 'Serve a site under a domain',
        description: 'The name must lead to this server. It belongs to one project only.',
        tags,
        params: ProjectParams,
        body: NewDomain,
        response: { 201: Domain.describe('The domain.'), ...bodyErrorResponses(404, 409) },
      },
    },
    async (request, reply) => {
      const input = { ...request.body, ...request.params, by: request.caller }
      return reply.code(201).send(await domains.addDomain(deps, input))
    },
  )

  app.delete(
    `${project}/domains/:name`,
    {
      schema: {
        operationId: 'removeSiteDomain',
        summary: 'Remove a domain of a site',
        tags,
        params: DomainParams,
        response: { 204: NoContent, ...bodyErrorResponses(404) },
      },
    },
    async (request, reply) => {
      await domains.removeDomain(deps, { ...request.params, by: request.caller })
      return reply.code(204).send(null)
    },
  )
}
