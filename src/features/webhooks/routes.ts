import type { HttpApp } from '#infra/http/http-app.ts'
import { bodyErrorResponses, errorResponses, NoContent } from '#infra/http/schema.ts'
import {
  Delivery,
  DeliveryDetails,
  DeliveryList,
  DeliveryParams,
  DeliveryQuery,
  NewWebhook,
  ProjectParams,
  Webhook,
  WebhookChange,
  WebhookList,
  WebhookParams,
  WebhookQuery,
  WebhookWithSecret,
} from './schema.ts'
import * as webhooks from './service.ts'

const tags = ['Webhooks']
const all = '/v1/projects/:projectId/webhooks'
const one = `${all}/:webhookId`
const deliveries = `${one}/deliveries`

export function webhookRoutes(app: HttpApp, deps: webhooks.WebhooksDeps): void {
  app.get(
    all,
    {
      schema: {
        operationId: 'listWebhooks',
        summary: 'List webhooks',
        description: 'The webhooks of a project, without their secrets, oldest first.',
        tags,
        params: ProjectParams,
        querystring: WebhookQuery,
        response: { 200: WebhookList.describe('A page of webhooks.'), ...errorResponses(404) },
      },
    },
    (request) => webhooks.listWebhooks(deps, { ...request.params, by: request.caller, page: request.query }),
  )

  app.post(
    all,
    {
      schema: {
        operationId: 'createWebhook',
        summary: 'Create a webhook',
        description:
          'Events are sent as `{type, timestamp, data}`, signed as Standard Webhooks says, until a 2xx answers. The answer here shows the secret, this one time only.',
        tags,
        params: ProjectParams,
        body: NewWebhook,
        response: { 201: WebhookWithSecret.describe('The webhook, with its secret.'), ...bodyErrorResponses(404, 409) },
      },
    },
    async (request, reply) => {
      const input = { ...request.body, ...request.params, by: request.caller }
      return reply.code(201).send(await webhooks.createWebhook(deps, input))
    },
  )

  app.get(
    one,
    {
      schema: {
        operationId: 'getWebhook',
        summary: 'Get a webhook',
        tags,
        params: WebhookParams,
        response: { 200: Webhook.describe('The webhook, without its secret.'), ...errorResponses(404) },
      },
    },
    (request) => webhooks.getWebhook(deps, { ...request.params, by: request.caller }),
  )

  app.patch(
    one,
    {
      schema: {
        operationId: 'changeWebhook',
        summary: 'Change a webhook',
        tags,
        params: WebhookParams,
        body: WebhookChange,
        response: { 200: Webhook.describe('The webhook as it is now.'), ...bodyErrorResponses(404) },
      },
    },
    (request) => webhooks.changeWebhook(deps, { ...request.params, change: request.body, by: request.caller }),
  )

  app.delete(
    one,
    {
      schema: {
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook',
        description: 'Its deliveries are deleted with it; what was not sent yet is not sent any more.',
        tags,
        params: WebhookParams,
        response: { 204: NoContent, ...bodyErrorResponses(404) },
      },
    },
    async (request, reply) => {
      await webhooks.deleteWebhook(deps, { ...request.params, by: request.caller })
      return reply.code(204).send(null)
    },
  )

  app.post(
    `${one}/secret`,
    {
      schema: {
        operationId: 'rotateWebhookSecret',
        summary: 'Make a new secret for a webhook',
        description:
          'For a day, requests are signed with the old secret too, so that receivers change over without a gap. Made anew twice, the old one is out at once.',
        tags,
        params: WebhookParams,
        response: { 200: WebhookWithSecret.describe('The webhook, with its new secret.'), ...bodyErrorResponses(404) },
      },
    },
    (request) => webhooks.rotateSecret(deps, { ...request.params, by: request.caller }),
  )

  app.post(
    `${one}/test`,
    {
      schema: {
        operationId: 'testWebhook',
        summary: 'Send a test event to a webhook',
        description: 'Sends `webhook.test`, once. The delivery tells how it went.',
        tags,
        params: WebhookParams,
        response: { 202: Delivery.describe('The delivery, about to be sent.'), ...bodyErrorResponses(404, 409) },
      },
    },
    async (request, reply) => {
      return reply.code(202).send(await webhooks.testWebhook(deps, { ...request.params, by: request.caller }))
    },
  )

  app.get(
    deliveries,
    {
      schema: {
        operationId: 'listWebhookDeliveries',
        summary: 'List deliveries of a webhook',
        description: 'Newest first. They are kept for 30 days.',
        tags,
        params: WebhookParams,
        querystring: DeliveryQuery,
        response: { 200: DeliveryList.describe('A page of deliveries.'), ...errorResponses(404) },
      },
    },
    (request) => {
      const { state, ...page } = request.query
      return webhooks.listDeliveries(deps, { ...request.params, by: request.caller, state, page })
    },
  )

  app.get(
    `${deliveries}/:deliveryId`,
    {
      schema: {
        operationId: 'getWebhookDelivery',
        summary: 'Get a delivery of a webhook',
        tags,
        params: DeliveryParams,
        response: { 200: DeliveryDetails.describe('The delivery, with what is sent.'), ...errorResponses(404) },
      },
    },
    (request) => webhooks.getDelivery(deps, { ...request.params, by: request.caller }),
  )

  app.post(
    `${deliveries}/:deliveryId/retry`,
    {
      schema: {
        operationId: 'retryWebhookDelivery',
        summary: 'Send a delivery again',
        description: 'At once, under the same `webhook-id`, with all the attempts of a new delivery.',
        tags,
        params: DeliveryParams,
        response: { 202: Delivery.describe('The delivery, about to be sent.'), ...bodyErrorResponses(404, 409) },
      },
    },
    async (request, reply) => {
      return reply.code(202).send(await webhooks.retryDelivery(deps, { ...request.params, by: request.caller }))
    },
  )
}
