import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db, Tx, WebhookDeliveriesTable, WebhookEndpointsTable } from '#infra/db/schema.ts'
import type { Page } from '#infra/http/schema.ts'

export type EndpointRow = Selectable<WebhookEndpointsTable>
export type DeliveryRow = Selectable<WebhookDeliveriesTable>

export async function countEndpoints(tx: Tx, projectId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('webhookEndpoints')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('projectId', '=', projectId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertEndpoint(tx: Tx, row: Insertable<WebhookEndpointsTable>): Promise<EndpointRow> {
  return await tx.insertInto('webhookEndpoints').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function findEndpoint(
  db: Db | Tx,
  { id, projectId }: { id: string; projectId: string },
): Promise<EndpointRow | undefined> {
  return await db
    .selectFrom('webhookEndpoints')
    .selectAll()
    .where('id', '=', id)
    .where('projectId', '=', projectId)
    .executeTakeFirst()
}

/** The same, and nobody else changes or deletes it before this transaction ends. Events may go on referring to it. */
export async function lockEndpoint(
  tx: Tx,
  { id, projectId }: { id: string; projectId: string },
): Promise<EndpointRow | undefined> {
  return await tx
    .selectFrom('webhookEndpoints')
    .selectAll()
    .where('id', '=', id)
    .where('projectId', '=', projectId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function listEndpoints(
  db: Db,
  { projectId, page }: { projectId: string; page: Page },
): Promise<EndpointRow[]> {
  return await db
    .selectFrom('webhookEndpoints')
    .selectAll()
    .where('projectId', '=', projectId)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(page.limit + 1)
    .offset(page.offset)
    .execute()
}

/** Ids of the endpoints that an event goes to. They stay until this transaction ends, so that deliveries can refer to them. */
export async function lockSubscribers(
  tx: Tx,
  { projectId, event }: { projectId: string; event: string },
): Promise<string[]> {
  const rows = await tx
    .selectFrom('webhookEndpoints')
    .select('id')
    .where('projectId', '=', projectId)
    .where('enabled', '=', true)
    .where(sql<boolean>`${event} = any(events)`)
    .orderBy('id')
    .forKeyShare()
    .execute()
  return rows.map(({ id }) => id)
}

export async function updateEndpoint(
  tx: Tx,
  id: string,
  change: Updateable<WebhookEndpointsTable>,
): Promise<EndpointRow> {
  return await tx
    .updateTable('webhookEndpoints')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Disables an endpoint; false when it was disabled already, or is gone. */
export async function disableEndpoint(tx: Tx, id: string): Promise<boolean> {
  const row = await tx
    .updateTable('webhookEndpoints')
    .set({ enabled: false })
    .where('id', '=', id)
    .where('enabled', '=', true)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteEndpoint(
  tx: Tx,
  { id, projectId }: { id: string; projectId: string },
): Promise<EndpointRow | undefined> {
  return await tx
    .deleteFrom('webhookEndpoints')
    .where('id', '=', id)
    .where('projectId', '=', projectId)
    .returningAll()
    .executeTakeFirst()
}

export async function insertDelivery(tx: Tx, row: Insertable<WebhookDeliveriesTable>): Promise<DeliveryRow> {
  return await tx.insertInto('webhookDeliveries').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function findDelivery(
  db: Db | Tx,
  { id, endpointId }: { id: string; endpointId: string },
): Promise<DeliveryRow | undefined> {
  return await db
    .selectFrom('webhookDeliveries')
    .selectAll()
    .where('id', '=', id)
    .where('endpointId', '=', endpointId)
    .executeTakeFirst()
}

/** Newest first. */
export async function listDeliveries(
  db: Db,
  { endpointId, state, page }: { endpointId: string; state: string | undefined; page: Page },
): Promise<DeliveryRow[]> {
  return await db
    .selectFrom('webhookDeliveries')
    .selectAll()
    .where('endpointId', '=', endpointId)
    .$if(state !== undefined, (query) => query.where('state', '=', state!))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .offset(page.offset)
    .execute()
}

/** A delivery with all that sending it takes. */
export type Sendable = Pick<DeliveryRow, 'id' | 'endpointId' | 'event' | 'body' | 'state' | 'attempts'> &
  Pick<EndpointRow, 'url' | 'sealedSecret' | 'enabled'> & { organizationId: string }

export async function findSendable(db: Db, id: string): Promise<Sendable | undefined> {
  return await db
    .selectFrom('webhookDeliveries as delivery')
    .innerJoin('webhookEndpoints as endpoint', 'endpoint.id', 'delivery.endpointId')
    .innerJoin('projects as project', 'project.id', 'endpoint.projectId')
    .select([
      'delivery.id',
      'delivery.endpointId',
      'delivery.event',
      'delivery.body',
      'delivery.state',
      'delivery.attempts',
      'endpoint.url',
      'endpoint.sealedSecret',
      'endpoint.enabled',
      'project.organizationId',
    ])
    .where('delivery.id', '=', id)
    .executeTakeFirst()
}

/**
 * Writes down how a pending delivery stands now, if `attempts` is still what it was; else somebody else has made the same
 * attempt, and this returns false.
 */
export async function updatePending(
  tx: Tx,
  { id, attempts, change }: { id: string; attempts: number; change: Updateable<WebhookDeliveriesTable> },
): Promise<boolean> {
  const row = await tx
    .updateTable('webhookDeliveries')
    .set(change)
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .where('attempts', '=', attempts)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Makes a delivery pending again, whatever it was. */
export async function reopenDelivery(
  tx: Tx,
  { id, endpointId }: { id: string; endpointId: string },
): Promise<DeliveryRow | undefined> {
  return await tx
    .updateTable('webhookDeliveries')
    .set({ state: 'pending' })
    .where('id', '=', id)
    .where('endpointId', '=', endpointId)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteDeliveriesBefore(db: Db, moment: Date): Promise<void> {
  await db.deleteFrom('webhookDeliveries').where('createdAt', '<', moment).execute()
}
