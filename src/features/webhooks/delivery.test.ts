import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startWorker } from '#app/worker.ts'
import type { NameResolver } from '#infra/http-client/outbound-client.ts'
import { type Receiver, startReceiver } from '#tests/harness/receiver.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { deliver } from './delivery.ts'
import { emitEvent } from './service.ts'

/** No worker here: each test makes the attempts itself, when it wants, and sees what is queued for later. */
let it: TestApp
let receiver: Receiver
let projectId: string
let ahead = 0
beforeAll(async () => {
  const clock = { now: () => new Date(Date.now() + ahead) }
  it = await createTestApp({ settings: { webhookAllowPrivate: true }, clock })
})
afterAll(() => it.close())
beforeEach(async () => {
  ahead = 0
  receiver = await startReceiver()
  projectId = (await it.call('POST', '/v1/projects', { body: { name: 'Docs', source } })).body.id
})
afterEach(() => receiver.close())

const source = { provider: 'github', repository: 'acme/docs' }
const never = new AbortController().signal
const address = (id: string, project = projectId) => `/v1/projects/${project}/webhooks/${id}`

interface Made {
  id: string
  secret: string
}

async function createWebhook(app = it, project = projectId): Promise<Made> {
  const { body } = await app.call('POST', `/v1/projects/${project}/webhooks`, { body: { url: receiver.url } })
  return body
}

/** One event of the project. Returns the id of its delivery to this webhook. */
async function emit(endpointId: string, data: object = { id: 'job_1' }): Promise<string> {
  const { db } = it.services
  await db.transaction().execute((tx) => emitEvent(it.services, tx, { projectId, event: 'job.completed', data }))
  const [delivery] = (await it.call('GET', `${address(endpointId)}/deliveries`)).body.deliveries
  return delivery.id
}

interface Queued {
  data: { deliveryId: string; attempt: number; retriesLeft: number }
  delaySeconds: number
  priority: number
}

/** What the queue has for a delivery, in the order in which it was sent. */
async function queued(deliveryId: string, { services } = it): Promise<Queued[]> {
  const { rows } = await sql<Queued>`
    select data, priority, round(extract(epoch from start_after - created_on))::int as "delaySeconds" from pgboss.job
    where name = 'webhooks.deliver' and data->>'deliveryId' = ${deliveryId}
    order by created_on, (data->>'attempt')::int`.execute(services.db)
  return rows
}

/** Makes the attempt that was queued last, as if its time had come. */
async function attempt(deliveryId: string, app = it): Promise<void> {
  const { data } = (await queued(deliveryId, app)).at(-1)!
  await deliver(app.services, { ...data, signal: never })
}

async function rowOf(deliveryId: string, { services } = it) {
  const found = services.db.selectFrom('webhookDeliveries').selectAll().where('id', '=', deliveryId)
  return await found.executeTakeFirstOrThrow()
}

describe('a delivery', () => {
  test('is one signed request with the event as it was written down', async () => {
    const { id, secret } = await createWebhook()
    const deliveryId = await emit(id, { id: 'job_1', title: 'Grüße, “Welt” 🚀' })
    await attempt(deliveryId)
    const [request, ...more] = receiver.received
    expect(more).toEqual([])
    const { method, headers, body } = request!
    expect(method).toBe('POST')
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Docent\/\d+\.\d+\.\d+/),
      'webhook-id': deliveryId,
    })
    expect(body).toBe((await rowOf(deliveryId)).body)
    expect(new Webhook(secret).verify(body, headers)).toEqual({
      type: 'job.completed',
      timestamp: expect.stringMatching(/Z$/),
      data: { id: 'job_1', title: 'Grüße, “Welt” 🚀' },
    })
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const signed = `${deliveryId}.${headers['webhook-timestamp']}.${body}`
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
    const shown = await it.call('GET', `${address(id)}/deliveries/${deliveryId}`)
    expect(shown.body).toMatchObject({ state: 'delivered', attempts: 1, responseStatus: 204, error: null })
    expect(Date.parse(shown.body.lastAttemptAt)).toBeGreaterThan(Date.now() - 60_000)
    expect((await queued(deliveryId)).length).toBe(1)
  })

  test.each([200, 201, 202, 299])('is delivered with the answer %i', async (status) => {
    receiver.onRequest((response) => response.writeHead(status).end('thanks'))
    const deliveryId = await emit((await createWebhook()).id)
    await attempt(deliveryId)
    expect(await rowOf(deliveryId)).toMatchObject({ state: 'delivered', responseStatus: status, error: null })
  })

  test.each([400, 401, 404, 409, 429, 500, 503])('is tried again after the answer %i', async (status) => {
    receiver.onRequest((response) => response.writeHead(status).end('no'))
    const deliveryId = await emit((await createWebhook()).id)
    await attempt(deliveryId)
    const error = `Answered ${status}: no`
    expect(await rowOf(deliveryId)).toMatchObject({ state: 'pending', attempts: 1, responseStatus: status, error })
    expect((await queued(deliveryId)).at(-1)).toEqual({
      data: { deliveryId, attempt: 2, retriesLeft: 6 },
      delaySeconds: 5,
      priority: -1,
    })
  })

  test('is tried eight times over ten hours under one id, and has then failed', async () => {
    receiver.onRequest((response) => response.writeHead(500).end())
    const deliveryId = await emit((await createWebhook()).id)
    for (let count = 1; count <= 8; count++) {
      await attempt(deliveryId)
      const state = count < 8 ? 'pending' : 'failed'
      expect(await rowOf(deliveryId)).toMatchObject({ state, attempts: count, error: 'Answered 500.' })
    }
    const delays = (await queued(deliveryId)).map(({ delaySeconds }) => delaySeconds)
    expect(delays).toEqual([0, 5, 30, 300, 1800, 3600, 10_800, 21_600])
    // The longer somebody fails, the more others go first.
    const priorities = (await queued(deliveryId)).map(({ priority }) => priority)
    expect(priorities).toEqual([0, -1, -2, -3, -4, -5, -6, -7])
    expect(receiver.received.length).toBe(8)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([deliveryId]))
  })

  test('that got through in the end forgets the failures before', async () => {
    receiver.onRequest((response) => response.writeHead(503).end('later'))
    const { id, secret } = await createWebhook()
    const deliveryId = await emit(id)
    await attempt(deliveryId)
    receiver.onRequest((response) => response.writeHead(200).end())
    ahead = 100_000
    await attempt(deliveryId)
    expect(await rowOf(deliveryId)).toMatchObject({ state: 'delivered', attempts: 2, responseStatus: 200, error: null })
    const [first, second] = receiver.received
    expect(second!.body).toBe(first!.body)
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
    // Signed anew, or the receiver would take it for an old request that somebody plays back.
    expect(second!.headers['webhook-timestamp']).not.toBe(first!.headers['webhook-timestamp'])
    for (const { body, headers } of receiver.received) expect(new Webhook(secret).verify(body, headers)).toBeDefined()
  })

  test.each([
    ['120', 120],
    ['3', 5],
    ['soon', 5],
    ['-100', 5],
    [new Date(Date.now() + 3_600_000).toUTCString(), 3600],
    [new Date(Date.now() - 3_600_000).toUTCString(), 5],
    ['999999999', 86_400],
  ])('waits as long as the receiver asks with Retry-After: %s', async (retryAfter, seconds) => {
    receiver.onRequest((response) => response.writeHead(429, { 'retry-after': retryAfter }).end())
    const deliveryId = await emit((await createWebhook()).id)
    await attempt(deliveryId)
    const { delaySeconds } = (await queued(deliveryId)).at(-1)!
    expect(Math.abs(delaySeconds - seconds)).toBeLessThan(60)
    expect(delaySeconds).toBeGreaterThanOrEqual(5)
  })

  test.each([301, 302, 303, 307, 308])('is not carried along by a redirect (%i), and says so', async (status) => {
    const location = `${receiver.url}/elsewhere`
    receiver.onRequest((response) => response.writeHead(status, { location }).end())
    const deliveryId = await emit((await createWebhook()).id)
    await attempt(deliveryId)
    expect(receiver.received.length).toBe(1)
    const row = await rowOf(deliveryId)
    expect(row).toMatchObject({ state: 'pending', responseStatus: status })
    expect(row.error).toContain(`a redirect to ${location}. Redirects are not followed`)
  })

  test('to a receiver that is not there is tried again', async () => {
    const deliveryId = await emit((await createWebhook()).id)
    await receiver.close()
    await attempt(deliveryId)
    const row = await rowOf(deliveryId)
    expect(row).toMatchObject({ state: 'pending', attempts: 1, responseStatus: null })
    expect(row.error).toContain('ECONNREFUSED')
  })

  test('keeps what a hostile receiver says as a short line of plain text', async () => {
    const hostile = Buffer.concat([
      Buffer.from('\u001b[2J\0 drop\r\ntable \u202e <b> \u2028'),
      Buffer.from([0xff, 0xfe, 0xc0]),
      Buffer.alloc(5_000_000, 'ä'),
    ])
    receiver.onRequest((response) => response.writeHead(500, { 'content-encoding': 'gzip' }).end(hostile))
    const { id } = await createWebhook()
    const deliveryId = await emit(id)
    await attempt(deliveryId)
    const { error } = (await it.call('GET', `${address(id)}/deliveries/${deliveryId}`)).body
    expect(error).toMatch(/^Answered 500: \[2J drop table <b> /)
    expect(error).not.toMatch(/\p{C}/u)
    expect(error.length).toBeLessThan(600)
  })

  test('of a job that runs twice is sent once, as long as the first one was written down', async () => {
    receiver.onRequest((response) => response.writeHead(500).end())
    const deliveryId = await emit((await createWebhook()).id)
    const [first] = await queued(deliveryId)
    for (let count = 0; count < 3; count++) await deliver(it.services, { ...first!.data, signal: never })
    expect(receiver.received.length).toBe(1)
    expect((await queued(deliveryId)).length).toBe(2)
  })

  test('of a job that runs twice at once is written down once', async () => {
    receiver.onRequest((response) => setTimeout(() => response.writeHead(500).end(), 50))
    const deliveryId = await emit((await createWebhook()).id)
    const [first] = await queued(deliveryId)
    await Promise.all([1, 2, 3].map(() => deliver(it.services, { ...first!.data, signal: never })))
    expect(await rowOf(deliveryId)).toMatchObject({ attempts: 1, state: 'pending' })
    expect((await queued(deliveryId)).length).toBe(2)
  })

  test('that is interrupted because another worker has it is not written down', async () => {
    const stop = new AbortController()
    receiver.onRequest(() => stop.abort())
    const deliveryId = await emit((await createWebhook()).id)
    const [first] = await queued(deliveryId)
    const interrupted = deliver(it.services, { ...first!.data, signal: stop.signal })
    await expect(interrupted).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await rowOf(deliveryId)).toMatchObject({ attempts: 0, state: 'pending', lastAttemptAt: null })
  })

  test('whose webhook was deleted, with its project or alone, is not sent', async () => {
    const { id } = await createWebhook()
    const deliveryId = await emit(id)
    const [first] = await queued(deliveryId)
    await it.call('DELETE', address(id))
    await deliver(it.services, { ...first!.data, signal: never })
    expect(receiver.received).toEqual([])
  })

  test('whose secret does not open fails and tells nothing of it', async () => {
    const [{ id, secret }, other] = [await createWebhook(), await createWebhook()]
    const { db } = it.services
    const foreign = db.selectFrom('webhookEndpoints').select('sealedSecret').where('id', '=', other.id)
    const { sealedSecret } = await foreign.executeTakeFirstOrThrow()
    await db.updateTable('webhookEndpoints').set({ sealedSecret }).where('id', '=', id).execute()
    const deliveryId = await emit(id)
    await attempt(deliveryId)
    expect(receiver.received).toEqual([])
    expect(await rowOf(deliveryId)).toMatchObject({ state: 'failed', error: expect.stringContaining('DOCENT_SECRET') })
    expect(it.logged.join('')).not.toContain(secret)
  })

  test('goes to where the webhook points now, and is signed with both secrets for a day', async () => {
    receiver.onRequest((response) => response.writeHead(500).end())
    const { id, secret } = await createWebhook()
    const deliveryId = await emit(id)
    await attempt(deliveryId)
    const renewed = (await it.call('POST', `${address(id)}/secret`)).body.secret
    await it.call('PATCH', address(id), { body: { url: `${receiver.url}/moved` } })
    await attempt(deliveryId)
    const { path, body, headers } = receiver.received[1]!
    expect(path).toBe('/moved')
    for (const one of [secret, renewed]) expect(new Webhook(one).verify(body, headers)).toBeDefined()
    ahead = 25 * 3_600_000
    await attempt(deliveryId)
    expect(receiver.received[2]!.headers['webhook-signature']!.split(' ').length).toBe(1)
  })
})

describe('a receiver that answers 410', () => {
  test('is not called any more: the webhook is disabled, and what waits fails', async () => {
    receiver.onRequest((response) => response.writeHead(410).end('gone fishing'))
    const { id } = await createWebhook()
    const waiting = await emit(id)
    const deliveryId = await emit(id)
    await attempt(deliveryId)
    expect(await rowOf(deliveryId)).toMatchObject({
      state: 'failed',
      attempts: 1,
      responseStatus: 410,
      error: 'Answered 410: gone fishing The webhook is disabled now.',
    })
    expect((await it.call('GET', address(id))).body.enabled).toBe(false)
    const { records } = (await it.call('GET', '/v1/audit?limit=5')).body
    expect(records).toContainEqual(
      expect.objectContaining({
        action: 'webhook.disable',
        target: id,
        actor: { kind: 'system', id: null, name: 'docent' },
        details: { reason: 'answered 410', deliveryId },
      }),
    )
    await attempt(waiting)
    expect(await rowOf(waiting)).toMatchObject({ state: 'failed', attempts: 0, error: 'The webhook is disabled.' })
    expect(receiver.received.length).toBe(1)
  })
})

describe('sending a delivery again', () => {
  test('gives one that failed all attempts anew, under its old id', async () => {
    receiver.onRequest((response) => response.writeHead(500).end())
    const { id } = await createWebhook()
    const deliveryId = await emit(id)
    for (let count = 1; count <= 8; count++) await attempt(deliveryId)
    const { status, body } = await it.call('POST', `${address(id)}/deliveries/${deliveryId}/retry`)
    expect([status, body]).toEqual([202, expect.objectContaining({ id: deliveryId, state: 'pending', attempts: 8 })])
    await attempt(deliveryId)
    expect(await rowOf(deliveryId)).toMatchObject({ state: 'pending', attempts: 9 })
    receiver.onRequest((response) => response.writeHead(200).end())
    await attempt(deliveryId)
    expect(await rowOf(deliveryId)).toMatchObject({ state: 'delivered', attempts: 10 })
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([deliveryId]))
  })

  test('that still waits sends it now, and the later job does nothing', async () => {
    receiver.onRequest((response) => response.writeHead(500).end())
    const { id } = await createWebhook()
    const deliveryId = await emit(id)
    await attempt(deliveryId)
    const later = (await queued(deliveryId)).at(-1)!
    receiver.onRequest((response) => response.writeHead(200).end())
    await it.call('POST', `${address(id)}/deliveries/${deliveryId}/retry`)
    await attempt(deliveryId)
    await deliver(it.services, { ...later.data, signal: never })
    expect(await rowOf(deliveryId)).toMatchObject({ state: 'delivered', attempts: 2 })
    expect(receiver.received.length).toBe(2)
  })
})

test('a test event is tried once', async () => {
  receiver.onRequest((response) => response.writeHead(500).end())
  const { id } = await createWebhook()
  const { body } = await it.call('POST', `${address(id)}/test`)
  await attempt(body.id)
  expect(await rowOf(body.id)).toMatchObject({ state: 'failed', attempts: 1, event: 'webhook.test' })
  const sent = JSON.parse(receiver.received[0]!.body)
  expect(sent).toMatchObject({ type: 'webhook.test', data: { projectId, webhookId: id } })
})

describe('where private addresses are refused', () => {
  let guarded: TestApp
  let project: string
  const names: Record<string, string[]> = {}
  const resolveName: NameResolver = async (hostname) =>
    (names[hostname] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  beforeAll(async () => {
    guarded = await createTestApp({ resolveName })
    project = (await guarded.call('POST', '/v1/projects', { body: { name: 'Docs', source } })).body.id
  })
  afterAll(() => guarded.close())

  /** A webhook as an earlier setting, or an earlier answer of its name server, allowed it. */
  async function attemptOn(url: string) {
    const { db } = guarded.services
    const body = { url: 'https://example.com/' }
    const { body: webhook } = await guarded.call('POST', `/v1/projects/${project}/webhooks`, { body })
    await db.updateTable('webhookEndpoints').set({ url }).where('id', '=', webhook.id).execute()
    const { body: delivery } = await guarded.call('POST', `${address(webhook.id, project)}/test`)
    await attempt(delivery.id, guarded)
    return await rowOf(delivery.id, guarded)
  }

  test.each([
    ['127.0.0.1', undefined],
    ['localhost', undefined],
    ['rebound.example.com', ['127.0.0.1']],
    ['mixed.example.com', ['93.184.216.34', '127.0.0.1']],
    ['mapped.example.com', ['::ffff:127.0.0.1']],
  ])('%s is not called (%j)', async (host, addresses) => {
    if (addresses) names[host] = addresses
    const row = await attemptOn(`http://${host}:${receiver.port}/`)
    expect(row).toMatchObject({ state: 'failed', attempts: 1, responseStatus: null })
    expect(row.error).toMatch(/private address|expected a public address/)
    expect(row.error).not.toContain('127.0.0.1')
    expect(receiver.connections()).toBe(0)
  })
})

describe('with a worker', () => {
  let own: TestApp
  let project: string
  beforeAll(async () => {
    own = await createTestApp({ settings: { webhookAllowPrivate: true } })
    await startWorker(own.services)
    project = (await own.call('POST', '/v1/projects', { body: { name: 'Docs', source } })).body.id
  })
  afterAll(() => own.close())

  const emitHere = (data: object) =>
    own.services.db
      .transaction()
      .execute((tx) => emitEvent(own.services, tx, { projectId: project, event: 'job.failed', data }))

  const statesOf = async (id: string) => {
    const { body } = await own.call('GET', `${address(id, project)}/deliveries`)
    return body.deliveries.map(({ state }: { state: string }) => state)
  }

  test('events go out by themselves, again after a failure, and past a receiver that hangs', async () => {
    const hanging = await startReceiver()
    hanging.onRequest(() => {})
    const { body: stuck } = await own.call('POST', `/v1/projects/${project}/webhooks`, { body: { url: hanging.url } })
    const { id } = await createWebhook(own, project)
    let refused = 0
    receiver.onRequest((response) => response.writeHead(refused++ === 0 ? 500 : 200).end())
    const startedAt = performance.now()
    await emitHere({ number: 1 })
    await emitHere({ number: 2 })
    await vi.waitFor(async () => expect(await statesOf(id)).toEqual(['delivered', 'delivered']), 20_000)
    expect(receiver.received.length).toBe(3)
    // The second attempt comes after its wait, not at once.
    expect(performance.now() - startedAt).toBeGreaterThan(4_500)
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(2)
    expect(await statesOf(stuck.id)).toEqual(['pending', 'pending'])
    await own.call('DELETE', address(stuck.id, project))
    await hanging.close()
    expect(own.logged.filter((line) => /"level":"(error|fatal)"/.test(line))).toEqual([])
  })

  test('nothing is sent for a transaction that is rolled back', async () => {
    const { id } = await createWebhook(own, project)
    const failing = own.services.db.transaction().execute(async (tx) => {
      await emitEvent(own.services, tx, { projectId: project, event: 'job.failed', data: { number: 'rolled back' } })
      throw new Error('on purpose')
    })
    await expect(failing).rejects.toThrow('on purpose')
    await emitHere({ number: 'committed' })
    await vi.waitFor(async () => expect(await statesOf(id)).toEqual(['delivered']), 10_000)
    await sleep(100)
    const numbers = receiver.received.map(({ body }) => JSON.parse(body).data.number)
    expect(new Set(numbers)).toEqual(new Set(['committed']))
  })
})
