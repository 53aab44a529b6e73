import { z } from 'zod'
import { Paging, Timestamp } from '#infra/http/schema.ts'

const webhookEvents = ['job.completed', 'job.failed', 'job.archived', 'site.published', 'site.failed'] as const
/** What a webhook can ask for. */
export type WebhookEvent = (typeof webhookEvents)[number]
/** What asking for a test sends; it goes to the one webhook, whatever that asked for. */
export const testEvent = 'webhook.test'

const deliveryStates = ['pending', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

const Url = z
  .url({ protocol: /^https?$/, error: 'expected an http or https URL', abort: true })
  .max(2000)
  .refine((text) => !/\p{Cc}/u.test(text) && text.isWellFormed(), 'expected a URL without control characters')
  .meta({
    description: 'Where events are sent. A public address, unless the server allows others.',
    examples: ['https://example.com/hooks/docent'],
  })

const Events = z
  .array(z.enum(webhookEvents))
  .min(1, 'expected at least one event')
  .max(webhookEvents.length)
  .meta({ description: 'Which events are sent.' })

export const NewWebhook = z.object({
  url: Url,
  events: Events.default([...webhookEvents]),
})
export type NewWebhook = z.output<typeof NewWebhook>

export const WebhookChange = z
  .object({
    url: Url.optional(),
    events: Events.optional(),
    enabled: z
      .boolean()
      .optional()
      .meta({ description: 'Whether events are sent. A receiver that answers 410 ends it.' }),
  })
  .meta({ description: 'Only what is given changes.' })
export type WebhookChange = z.output<typeof WebhookChange>

export const Webhook = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(z.enum(webhookEvents)),
    enabled: z.boolean(),
    createdAt: Timestamp,
  })
  .meta({ id: 'Webhook' })
export type Webhook = z.output<typeof Webhook>

export const WebhookWithSecret = Webhook.extend({
  secret: z
    .string()
    .meta({ description: 'What requests are signed with (Standard Webhooks). This is the only time it is shown.' }),
}).meta({ id: 'WebhookWithSecret' })
export type WebhookWithSecret = z.output<typeof WebhookWithSecret>

export const WebhookList = z.object({ webhooks: z.array(Webhook), hasMore: z.boolean() })

export const Delivery = z
  .object({
    id: z.string().meta({ description: 'Also the request’s `webhook-id`, the same at every attempt.' }),
    event: z.enum([...webhookEvents, testEvent]),
    state: z.enum(deliveryStates),
    attempts: z.int(),
    responseStatus: z.int().nullable().meta({ description: 'Null: the last attempt got no answer.' }),
    error: z.string().nullable().meta({ description: 'What went wrong at the last attempt.' }),
    createdAt: Timestamp,
    lastAttemptAt: Timestamp.nullable(),
  })
  .meta({ id: 'WebhookDelivery' })
export type Delivery = z.output<typeof Delivery>

export const DeliveryDetails = Delivery.extend({
  body: z.string().meta({ description: 'The body of the request, as it is signed.' }),
}).meta({ id: 'WebhookDeliveryDetails' })
export type DeliveryDetails = z.output<typeof DeliveryDetails>

export const DeliveryList = z.object({ deliveries: z.array(Delivery), hasMore: z.boolean() })

export const ProjectParams = z.object({ projectId: z.string() })
export const WebhookParams = ProjectParams.extend({ webhookId: z.string() })
export const DeliveryParams = WebhookParams.extend({ deliveryId: z.string() })
export const WebhookQuery = z.object(Paging)
export const DeliveryQuery = z.object({
  ...Paging,
  state: z.enum(deliveryStates).optional().meta({ description: 'Only deliveries in this state.' }),
})
