import type { Clock } from '#base/clock.ts'
import { DocentError } from '#base/errors.ts'
import { isId, newId } from '#base/ids.ts'
import { type Caller, recordAudit } from '#features/accounts/service.ts'
import { getProject, lockProject } from '#features/projects/service.ts'
import type { Config } from '#infra/config/settings.ts'
import type { SecretBox } from '#infra/data/secret-box.ts'
import type { Db, Tx } from '#infra/db/schema.ts'
import { type Page, toPage } from '#infra/http/schema.ts'
import type { OutboundClient } from '#infra/http-client/outbound-client.ts'
import type { Queue } from '#infra/queue/queue.ts'
import { deliverWebhook, retryDelaysSeconds } from './jobs.ts'
import {
  type Delivery,
  type DeliveryDetails,
  type DeliveryState,
  type NewWebhook,
  testEvent,
  type Webhook,
  type WebhookChange,
  type WebhookEvent,
  type WebhookWithSecret,
} from './schema.ts'
import { newSecret, sealSecret } from './signature.ts'
import * as store from './store.ts'

export type { WebhookEvent } from './schema.ts'

export interface WebhooksDeps {
  db: Db
  clock: Clock
  queue: Queue
  config: Pick<Config, 'baseUrl' | 'model'>
  secretBox: SecretBox
  outbound: OutboundClient
}

const mostWebhooks = 20
const retentionDays = 30

/** The webhook of a project, as a caller names it. */
interface Named {
  projectId: string
  webhookId: string
  by: Caller
}

/**
 * Tells the webhooks of a project that something happened, in the transaction in which it happens: so nothing is told
 * that did not happen, and nothing that happened is left untold.
 */
export async function emitEvent(
  deps: Pick<WebhooksDeps, 'queue' | 'clock'>,
  tx: Tx,
  { projectId, event, data }: { projectId: string; event: WebhookEvent; data: object },
): Promise<void> {
  for (const endpointId of await store.lockSubscribers(tx, { projectId, event })) {
    await startDelivery(deps, tx, { endpointId, event, data, retriesLeft: retryDelaysSeconds.length })
  }
}

async function startDelivery(
  { queue, clock }: Pick<WebhooksDeps, 'queue' | 'clock'>,
  tx: Tx,
  delivery: { endpointId: string; event: WebhookEvent | typeof testEvent; data: object; retriesLeft: number },
): Promise<store.DeliveryRow> {
  const { endpointId, event, data, retriesLeft } = delivery
  const body = JSON.stringify({ type: event, timestamp: clock.now().toISOString(), data })
  const row = await store.insertDelivery(tx, { id: newId('dlv'), endpointId, event, body, state: 'pending' })
  await queue.send(deliverWebhook, { deliveryId: row.id, attempt: 1, retriesLeft }, { tx })
  return row
}

export async function createWebhook(
  deps: WebhooksDeps,
  { projectId, by, ...input }: NewWebhook & { projectId: string; by: Caller },
): Promise<WebhookWithSecret> {
  const url = checkedUrl(deps, input.url)
  const id = newId('whk')
  const secret = newSecret()
  const row = await deps.db.transaction().execute(async (tx) => {
    await getProject({ ...deps, db: tx }, { id: projectId, by })
    // Deleted by somebody else since we looked.
    if (!(await lockProject(tx, projectId))) await getProject({ ...deps, db: tx }, { id: projectId, by })
    if ((await store.countEndpoints(tx, projectId)) >= mostWebhooks) {
      const message = `A project has at most ${mostWebhooks} webhooks. Delete one first.`
      throw new DocentError('conflict', 'webhook.too_many', message)
    }
    const created = await store.insertEndpoint(tx, {
      id,
      projectId,
      url: url.href,
      events: [...new Set(input.events)],
      sealedSecret: sealSecret(deps.secretBox, { webhookId: id, secret, now: deps.clock.now() }),
    })
    await recordAudit(tx, { by, action: 'webhook.create', target: id, details: { projectId, origin: url.origin } })
    return created
  })
  return { ...toWebhook(row), secret }
}

export async function listWebhooks(
  deps: WebhooksDeps,
  { projectId, by, page }: { projectId: string; by: Caller; page: Page },
): Promise<{ webhooks: Webhook[]; hasMore: boolean }> {
  await getProject(deps, { id: projectId, by })
  const { rows, hasMore } = toPage(await store.listEndpoints(deps.db, { projectId, page }), page)
  return { webhooks: rows.map(toWebhook), hasMore }
}

/** Throws `not_found`, for a webhook of another project or organization too. */
export async function getWebhook(deps: WebhooksDeps, named: Named): Promise<Webhook> {
  return toWebhook(await getEndpoint(deps, named))
}

export async function changeWebhook(
  deps: WebhooksDeps,
  { change, ...named }: Named & { change: WebhookChange },
): Promise<Webhook> {
  const url = change.url === undefined ? undefined : checkedUrl(deps, change.url)
  const row = await deps.db.transaction().execute(async (tx) => {
    const current = await lockEndpoint(deps, tx, named)
    const { events = current.events, enabled = current.enabled } = change
    const changed = await store.updateEndpoint(tx, current.id, {
      url: url?.href ?? current.url,
      events: [...new Set(events)],
      enabled,
    })
    const details = { projectId: named.projectId, changed: Object.keys(change) }
    await recordAudit(tx, { by: named.by, action: 'webhook.change', target: current.id, details })
    return changed
  })
  return toWebhook(row)
}

/** Deletes the webhook with its deliveries; what waits to be sent is not sent any more. */
export async function deleteWebhook(deps: WebhooksDeps, named: Named): Promise<void> {
  const { projectId, webhookId, by } = named
  await deps.db.transaction().execute(async (tx) => {
    await lockEndpoint(deps, tx, named)
    await store.deleteEndpoint(tx, { id: webhookId, projectId })
    await recordAudit(tx, { by, action: 'webhook.delete', target: webhookId, details: { projectId } })
  })
}

/** A new secret. The one before signs along for a day. */
export async function rotateSecret(deps: WebhooksDeps, named: Named): Promise<WebhookWithSecret> {
  const secret = newSecret()
  const row = await deps.db.transaction().execute(async (tx) => {
    const { id, sealedSecret: replaces } = await lockEndpoint(deps, tx, named)
    const sealedSecret = sealSecret(deps.secretBox, { webhookId: id, secret, replaces, now: deps.clock.now() })
    const details = { projectId: named.projectId }
    await recordAudit(tx, { by: named.by, action: 'webhook.rotate_secret', target: id, details })
    return await store.updateEndpoint(tx, id, { sealedSecret })
  })
  return { ...toWebhook(row), secret }
}

/** Sends a test event, once: whoever asks for it looks at the outcome and asks again. */
export async function testWebhook(deps: WebhooksDeps, named: Named): Promise<Delivery> {
  const { projectId, webhookId, by } = named
  const row = await deps.db.transaction().execute(async (tx) => {
    checkEnabled(await lockEndpoint(deps, tx, named))
    await recordAudit(tx, { by, action: 'webhook.test', target: webhookId, details: { projectId } })
    const data = { projectId, webhookId }
    return await startDelivery(deps, tx, { endpointId: webhookId, event: testEvent, data, retriesLeft: 0 })
  })
  return toDelivery(row)
}

export async function listDeliveries(
  deps: WebhooksDeps,
  { state, page, ...named }: Named & { state: DeliveryState | undefined; page: Page },
): Promise<{ deliveries: Delivery[]; hasMore: boolean }> {
  const { id: endpointId } = await getEndpoint(deps, named)
  const { rows, hasMore } = toPage(await store.listDeliveries(deps.db, { endpointId, state, page }), page)
  return { deliveries: rows.map(toDelivery), hasMore }
}

export async function getDelivery(
  deps: WebhooksDeps,
  { deliveryId, ...named }: Named & { deliveryId: string },
): Promise<DeliveryDetails> {
  const { id: endpointId } = await getEndpoint(deps, named)
  const row = isId('dlv', deliveryId) ? await store.findDelivery(deps.db, { id: deliveryId, endpointId }) : undefined
  if (!row) throw deliveryNotFound()
  return { ...toDelivery(row), body: row.body }
}

/** Sends a delivery again at once, with all the attempts of a new one and under its old id. */
export async function retryDelivery(
  deps: WebhooksDeps,
  { deliveryId, ...named }: Named & { deliveryId: string },
): Promise<Delivery> {
  const row = await deps.db.transaction().execute(async (tx) => {
    const endpoint = await lockEndpoint(deps, tx, named)
    checkEnabled(endpoint)
    const reopened = isId('dlv', deliveryId)
      ? await store.reopenDelivery(tx, { id: deliveryId, endpointId: endpoint.id })
      : undefined
    if (!reopened) throw deliveryNotFound()
    const details = { projectId: named.projectId, deliveryId }
    await recordAudit(tx, { by: named.by, action: 'webhook.retry', target: endpoint.id, details })
    const next = { attempt: reopened.attempts + 1, retriesLeft: retryDelaysSeconds.length }
    await deps.queue.send(deliverWebhook, { deliveryId, ...next }, { tx })
    return reopened
  })
  return toDelivery(row)
}

export async function pruneDeliveries({ db, clock }: Pick<WebhooksDeps, 'db' | 'clock'>): Promise<void> {
  await store.deleteDeliveriesBefore(db, new Date(clock.now().getTime() - retentionDays * 86_400_000))
}

/** The project is looked for first: its absence has its own words, and another organization's is absent. */
async function getEndpoint(deps: WebhooksDeps, { projectId, webhookId, by }: Named): Promise<store.EndpointRow> {
  await getProject(deps, { id: projectId, by })
  const row = isId('whk', webhookId) ? await store.findEndpoint(deps.db, { id: webhookId, projectId }) : undefined
  if (!row) throw webhookNotFound()
  return row
}

async function lockEndpoint(deps: WebhooksDeps, tx: Tx, named: Named): Promise<store.EndpointRow> {
  const { projectId, webhookId, by } = named
  await getProject({ ...deps, db: tx }, { id: projectId, by })
  const row = isId('whk', webhookId) ? await store.lockEndpoint(tx, { id: webhookId, projectId }) : undefined
  if (!row) throw webhookNotFound()
  return row
}

/** As the standard parser understands it, which is also how it will be called: 0x7f.1 is 127.0.0.1. */
function checkedUrl({ outbound }: Pick<WebhooksDeps, 'outbound'>, text: string): URL {
  const url = new URL(text)
  // No part of a request.
  url.hash = ''
  const message = outbound.refusalOf(url)
  if (message === null) return url
  throw new DocentError('invalid', 'request.invalid', `url: ${message}.`, { details: [{ path: 'url', message }] })
}

function checkEnabled({ enabled }: store.EndpointRow): void {
  if (enabled) return
  throw new DocentError('conflict', 'webhook.disabled', 'The webhook is disabled. Set enabled to true first.')
}

function toWebhook(row: store.EndpointRow): Webhook {
  return {
    id: row.id,
    url: row.url,
    events: row.events as WebhookEvent[],
    enabled: row.enabled,
    createdAt: row.createdAt.toISOString(),
  }
}

function toDelivery(row: store.DeliveryRow): Delivery {
  return {
    id: row.id,
    event: row.event as Delivery['event'],
    state: row.state as DeliveryState,
    attempts: row.attempts,
    responseStatus: row.responseStatus,
    error: row.error,
    createdAt: row.createdAt.toISOString(),
    lastAttemptAt: row.lastAttemptAt?.toISOString() ?? null,
  }
}

function webhookNotFound(): DocentError {
  return new DocentError('not_found', 'webhook.not_found', 'There is no such webhook.')
}

function deliveryNotFound(): DocentError {
  return new DocentError('not_found', 'delivery.not_found', 'There is no such delivery.')
}
