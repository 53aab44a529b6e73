import { setTimeout as sleep } from 'node:timers/promises'
import type { Delivery, Webhook, WebhookWithSecret } from '#features/webhooks/schema.ts'
import { type Client, createClient, serverOptions } from './client.ts'
import { defineCommand } from './command.ts'
import { findProjectId, projectOption } from './find-project.ts'
import { table } from './output.ts'

const options = { ...projectOption, ...serverOptions } as const
const webhookArg = { name: 'webhookId', about: 'Id of the webhook; docent webhook list shows them.' }

async function addressOfAll(client: Client, project: string | undefined): Promise<string> {
  return `/v1/projects/${encodeURIComponent(await findProjectId(client, project))}/webhooks`
}

async function addressOf(client: Client, project: string | undefined, id: string): Promise<string> {
  return `${await addressOfAll(client, project)}/${encodeURIComponent(id)}`
}

// Longer than one attempt takes at most, and a worker to find it.
const longestWaitMs = 25_000

export const webhookCreate = defineCommand({
  name: 'webhook create',
  about: 'Creates a webhook: the events of a project are sent to a URL. Shows its secret, this one time.',
  options: {
    to: { type: 'string', value: 'url', about: 'Where to send events.', required: true },
    event: {
      type: 'string',
      value: 'event',
      about: 'job.completed, job.failed, job.archived, site.published or site.failed. All by default.',
      multiple: true,
    },
    ...options,
  },
  examples: ['docent webhook create --project prj_… --to https://example.com/hooks/docent --event job.completed'],
  async run(input) {
    const { to, event, project } = input.options
    const body = { url: to, ...(event.length > 0 ? { events: event } : {}) }
    const client = createClient(input)
    const created = await client.call<WebhookWithSecret>('POST', await addressOfAll(client, project), body)
    const text = `${created.secret}\n\nSecret of webhook ${created.id} (${created.events.join(', ')}). It is not shown again.`
    input.output.result(created, text)
  },
})

export const webhookList = defineCommand({
  name: 'webhook list',
  about: 'Lists the webhooks of a project, without their secrets.',
  options,
  async run(input) {
    const client = createClient(input)
    const address = `${await addressOfAll(client, input.options.project)}?limit=250`
    const { webhooks } = await client.call<{ webhooks: Webhook[] }>('GET', address)
    const rows = webhooks.map(({ id, url, events, enabled }) => [id, url, events.join(', '), enabled ? 'yes' : 'no'])
    const text =
      rows.length > 0
        ? table(['id', 'url', 'events', 'enabled'], rows)
        : 'No webhooks yet: docent webhook create --project <id> --to <url>'
    input.output.result({ webhooks }, text)
  },
})

export const webhookDelete = defineCommand({
  name: 'webhook delete',
  about: 'Deletes a webhook and its delivery log.',
  args: [webhookArg],
  options,
  async run(input) {
    const [id] = input.args as [string]
    const client = createClient(input)
    await client.call('DELETE', await addressOf(client, input.options.project, id))
    input.output.result({ deleted: id }, `Deleted ${id}.`)
  },
})

export const webhookDeliveries = defineCommand({
  name: 'webhook deliveries',
  about: 'Shows what was sent to a webhook, newest first.',
  args: [webhookArg],
  options: {
    state: { type: 'string', value: 'state', about: 'pending, delivered or failed. All by default.' },
    limit: { type: 'string', value: 'number', about: 'Most deliveries to show. 50 by default.' },
    ...options,
  },
  async run(input) {
    const { project, state, limit } = input.options
    const query = new URLSearchParams({
      ...(state === undefined ? {} : { state }),
      ...(limit === undefined ? {} : { limit }),
    })
    const client = createClient(input)
    const address = `${await addressOf(client, project, input.args[0]!)}/deliveries?${query}`
    const page = await client.call<{ deliveries: Delivery[]; hasMore: boolean }>('GET', address)
    const rows = page.deliveries.map(({ id, event, state, attempts, responseStatus, createdAt, error }) => [
      id,
      event,
      state,
      String(attempts),
      responseStatus === null ? null : String(responseStatus),
      createdAt,
      error,
    ])
    const header = ['id', 'event', 'state', 'attempts', 'answer', 'created', 'error']
    input.output.result(page, rows.length > 0 ? table(header, rows) : 'No deliveries.')
  },
})

export const webhookTest = defineCommand({
  name: 'webhook test',
  about: 'Sends a test event to a webhook and tells how it went; exit code 1 when it was not delivered.',
  args: [webhookArg],
  options,
  async run(input) {
    const client = createClient(input)
    const address = await addressOf(client, input.options.project, input.args[0]!)
    const { id } = await client.call<Delivery>('POST', `${address}/test`)
    const delivery = await waitForOutcome(client, `${address}/deliveries/${id}`)
    const { state, responseStatus, error } = delivery
    const text =
      state === 'delivered'
        ? `Delivered: the receiver answered ${responseStatus}.`
        : state === 'failed'
          ? `Not delivered. ${error}`
          : 'Not sent yet. Is a worker running? See: docent webhook deliveries'
    input.output.result(delivery, text.replace(/\p{Cc}/gu, ' '))
    return state === 'delivered' ? 0 : 1
  },
})

async function waitForOutcome(client: Client, address: string): Promise<Delivery> {
  const startedAt = performance.now()
  while (true) {
    const delivery = await client.call<Delivery>('GET', address)
    if (delivery.state !== 'pending' || performance.now() - startedAt > longestWaitMs) return delivery
    await sleep(200)
  }
}
