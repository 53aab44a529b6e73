import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import type { DeliveryState, WebhookEvent } from './schema.ts'
import { emitEvent, pruneDeliveries } from './service.ts'

let it: TestApp
let projectId: string
beforeAll(async () => {
  it = await createTestApp()
})
afterAll(() => it.close())
beforeEach(async () => {
  projectId = await createProject()
})

const url = 'https://example.com/hooks'

async function createProject(key?: string): Promise<string> {
  const body = { name: 'Docs', source: { provider: 'github', repository: 'acme/docs' } }
  const project = await it.call('POST', '/v1/projects', { body, ...(key ? { key } : {}) })
  return project.body.id
}

const address = (id = projectId) => `/v1/projects/${id}/webhooks`

async function create(input: object = {}) {
  const { status, body, text } = await it.call('POST', address(), { body: { url, ...input } })
  expect(status, text).toBe(201)
  return body
}

const rowOf = (id: string) =>
  it.services.db.selectFrom('webhookEndpoints').selectAll().where('id', '=', id).executeTakeFirst()

async function audited(target: string) {
  const { body } = await it.call('GET', '/v1/audit?limit=250')
  const records = body.records.filter((record: { target: string }) => record.target === target)
  return records.map(({ action, details }: { action: string; details: object }) => [action, details]).reverse()
}

const emit = (event: WebhookEvent, data: object = { id: 'job_1' }) =>
  it.services.db.transaction().execute((tx) => emitEvent(it.services, tx, { projectId, event, data }))

const deliveriesOf = (endpointId: string) =>
  it.services.db
    .selectFrom('webhookDeliveries')
    .selectAll()
    .where('endpointId', '=', endpointId)
    .orderBy('createdAt')
    .execute()

describe('creating a webhook', () => {
  test('shows its secret this once', async () => {
    const { status, body } = await it.call('POST', address(), { body: { url, events: ['job.failed', 'job.failed'] } })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^whk_[0-9A-Za-z]{22}$/),
      url,
      events: ['job.failed'],
      enabled: true,
      createdAt: expect.stringMatching(/Z$/),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    })
    const { secret, ...shown } = body
    expect((await it.call('GET', `${address()}/${body.id}`)).body).toEqual(shown)
    expect((await it.call('GET', address())).body).toEqual({ webhooks: [shown], hasMore: false })
    expect(JSON.stringify(await rowOf(body.id))).not.toContain(secret)
    expect(it.logged.join('')).not.toContain(secret)
    expect(JSON.stringify(await audited(body.id))).not.toContain(secret)
  })

  test('without events asks for all', async () => {
    const all = ['job.completed', 'job.failed', 'job.archived', 'site.published', 'site.failed']
    expect((await create()).events).toEqual(all)
  })

  test('keeps the URL as it will be called, without a fragment', async () => {
    const webhook = await create({ url: 'HTTPS://EXAMPLE.com:443/a b?x=1#part' })
    expect(webhook.url).toBe('https://example.com/a%20b?x=1')
  })

  test.each([
    ['url', {}],
    ['url', { url: '' }],
    ['url', { url: 'example.com' }],
    ['url', { url: 'ftp://example.com/' }],
    ['url', { url: 'javascript:alert(1)' }],
    ['url', { url: 'https://me:pass@example.com/' }],
    ['url', { url: 'https://me@example.com/' }],
    ['url', { url: 'https://example.com/\0' }],
    ['url', { url: 'http://localhost/' }],
    ['url', { url: 'http://127.0.0.1:4400/' }],
    ['url', { url: 'http://2130706433/' }],
    ['url', { url: 'http://0x7f.1/' }],
    ['url', { url: 'http://169.254.169.254/latest/meta-data/' }],
    ['url', { url: 'https://[::1]/' }],
    ['url', { url: 'https://[::ffff:10.0.0.1]/' }],
    ['url', { url: 'https://metadata.google.internal/' }],
    ['events', { url, events: [] }],
    ['events.0', { url, events: ['webhook.test'] }],
    ['events', { url, events: 'job.failed' }],
    ['events', { url, events: null }],
  ])('is refused for its %s: %j', async (path, body) => {
    const answer = await it.call('POST', address(), { body })
    expect(answer).toMatchObject({ status: 400, body: { code: 'request.invalid' } })
    expect(answer.body.details[0].path).toBe(path)
    expect((await it.call('GET', address())).body.webhooks).toEqual([])
  })

  test('is refused for a URL of more than 2000 characters', async () => {
    const body = { url: `https://example.com/${'x'.repeat(1981)}` }
    expect((await it.call('POST', address(), { body })).status).toBe(400)
    expect((await it.call('POST', address(), { body: { url: body.url.slice(0, -1) } })).status).toBe(201)
  })

  test('is refused after the twentieth of a project, also for those that come at once', async () => {
    for (let count = 0; count < 18; count++) await create()
    const answers = await Promise.all(Array.from({ length: 5 }, () => it.call('POST', address(), { body: { url } })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409])
    expect(answers.find(({ status }) => status === 409)!.body.code).toBe('webhook.too_many')
    expect((await it.call('GET', address())).body.webhooks.length).toBe(20)
    const page = await it.call('GET', `${address()}?limit=5&offset=14`)
    expect(page.body).toMatchObject({ webhooks: { length: 5 }, hasMore: true })
  })
})

describe('changing a webhook', () => {
  test('changes what is given', async () => {
    const { id, secret: _, ...made } = await create()
    const change = (body: object) => it.call('PATCH', `${address()}/${id}`, { body })
    expect((await change({ enabled: false })).body).toEqual({ id, ...made, enabled: false })
    expect((await change({ events: ['job.archived'] })).body).toMatchObject({
      enabled: false,
      events: ['job.archived'],
    })
    const moved = await change({ url: 'https://example.org/', enabled: true })
    expect(moved).toMatchObject({ status: 200, body: { url: 'https://example.org/', enabled: true } })
    expect((await change({})).body).toEqual(moved.body)
    expect((await audited(id)).map(([action]: [string]) => action)).toEqual([
      'webhook.create',
      ...Array(4).fill('webhook.change'),
    ])
  })

  test.each([{ url: 'http://10.0.0.1/' }, { url: null }, { events: [] }, { enabled: 'no' }, { enabled: null }])(
    'to %j is refused',
    async (body) => {
      const { id } = await create()
      expect((await it.call('PATCH', `${address()}/${id}`, { body })).status).toBe(400)
      expect(await rowOf(id)).toMatchObject({ url, enabled: true, events: { length: 5 } })
    },
  )

  test('gives it a new secret on request, shown once', async () => {
    const { id, secret: first } = await create()
    const sealed = (await rowOf(id))!.sealedSecret
    const { status, body } = await it.call('POST', `${address()}/${id}/secret`)
    expect([status, body]).toEqual([200, expect.objectContaining({ id, secret: expect.stringMatching(/^whsec_/) })])
    expect(body.secret).not.toBe(first)
    expect((await rowOf(id))!.sealedSecret).not.toBe(sealed)
    expect((await it.call('GET', `${address()}/${id}`)).body).not.toHaveProperty('secret')
    expect(await audited(id)).toContainEqual(['webhook.rotate_secret', { projectId }])
    expect(it.logged.join('')).not.toContain(body.secret)
  })

  test('by deleting it takes its deliveries along', async () => {
    const { id } = await create()
    await emit('job.completed')
    expect((await it.call('DELETE', `${address()}/${id}`)).status).toBe(204)
    expect((await it.call('DELETE', `${address()}/${id}`)).status).toBe(404)
    expect(await rowOf(id)).toBeUndefined()
    expect(await deliveriesOf(id)).toEqual([])
    expect(await audited(id)).toContainEqual(['webhook.delete', { projectId }])
  })

  test('goes with its project', async () => {
    const { id } = await create()
    await it.call('DELETE', `/v1/projects/${projectId}`)
    expect(await rowOf(id)).toBeUndefined()
  })
})

describe('an event', () => {
  test('goes to the enabled webhooks of its project that ask for it, in one form', async () => {
    const all = await create()
    const failures = await create({ events: ['job.failed'] })
    const off = await create()
    await it.call('PATCH', `${address()}/${off.id}`, { body: { enabled: false } })
    await emit('job.completed', { id: 'job_1', title: 'Ä \0 \ud800 “x”' })
    expect(await deliveriesOf(failures.id)).toEqual([])
    expect(await deliveriesOf(off.id)).toEqual([])
    const [delivery, ...more] = await deliveriesOf(all.id)
    expect(more).toEqual([])
    expect(delivery).toMatchObject({ event: 'job.completed', state: 'pending', attempts: 0, error: null })
    expect(JSON.parse(delivery!.body)).toEqual({
      type: 'job.completed',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: { id: 'job_1', title: 'Ä \0 \ud800 “x”' },
    })
    await emit('job.failed')
    expect((await deliveriesOf(failures.id)).length).toBe(1)
  })

  test('of a transaction that is rolled back is neither written nor sent', async () => {
    const { id } = await create()
    const failing = it.services.db.transaction().execute(async (tx) => {
      await emitEvent(it.services, tx, { projectId, event: 'job.completed', data: {} })
      throw new Error('on purpose')
    })
    await expect(failing).rejects.toThrow('on purpose')
    expect(await deliveriesOf(id)).toEqual([])
  })

  test('of a project without webhooks does nothing', async () => {
    await emit('job.archived')
    expect((await it.call('GET', address())).body.webhooks).toEqual([])
  })
})

describe('the deliveries of a webhook', () => {
  async function seed(endpointId: string, states: DeliveryState[]) {
    for (const [index, state] of states.entries()) {
      await it.services.db
        .insertInto('webhookDeliveries')
        .values({
          id: newId('dlv'),
          endpointId,
          event: 'job.failed',
          body: '{}',
          state,
          createdAt: new Date(Date.now() - 40 * 86_400_000 + index * 86_400_000),
        })
        .execute()
    }
  }
  // biome-ignore lint/suspicious/noExplicitAny: of the answer, only this is looked at.
  const states = ({ body }: any) => body.deliveries.map(({ state }: { state: string }) => state)

  test('are listed newest first, a page at a time, and by state', async () => {
    const { id } = await create()
    await seed(id, ['delivered', 'failed', 'pending', 'failed'])
    const list = (query = '') => it.call('GET', `${address()}/${id}/deliveries${query}`)
    const all = await list()
    expect(states(all)).toEqual(['failed', 'pending', 'failed', 'delivered'])
    expect(all.body.hasMore).toBe(false)
    expect(all.body.deliveries[0]).toEqual({
      id: expect.stringMatching(/^dlv_/),
      event: 'job.failed',
      state: 'failed',
      attempts: 0,
      responseStatus: null,
      error: null,
      createdAt: expect.any(String),
      lastAttemptAt: null,
    })
    const page = await list('?limit=2&offset=1')
    expect([states(page), page.body.hasMore]).toEqual([['pending', 'failed'], true])
    expect(states(await list('?state=failed'))).toEqual(['failed', 'failed'])
    expect((await list('?state=lost')).status).toBe(400)
    const one = await it.call('GET', `${address()}/${id}/deliveries/${all.body.deliveries[1].id}`)
    const { body, ...delivery } = one.body
    expect(delivery).toEqual(all.body.deliveries[1])
    expect(body).toBe('{}')
  })

  test('are forgotten after 30 days', async () => {
    const { id } = await create()
    await seed(id, Array(15).fill('delivered'))
    await pruneDeliveries(it.services)
    // Gone are those of 40 to 30 days ago; the last of them was made a moment more than 30 days ago.
    const left = await deliveriesOf(id)
    expect(left.length).toBe(4)
    expect(left[0]!.createdAt.getTime()).toBeGreaterThan(Date.now() - 30 * 86_400_000)
  })

  test('are made by asking for a test, and again by asking for another try, unless it is disabled', async () => {
    const { id } = await create({ events: ['job.archived'] })
    const made = await it.call('POST', `${address()}/${id}/test`)
    expect(made).toMatchObject({ status: 202, body: { event: 'webhook.test', state: 'pending', attempts: 0 } })
    const again = await it.call('POST', `${address()}/${id}/deliveries/${made.body.id}/retry`)
    expect([again.status, again.body]).toEqual([202, made.body])
    await it.call('PATCH', `${address()}/${id}`, { body: { enabled: false } })
    for (const path of ['test', `deliveries/${made.body.id}/retry`]) {
      const refused = await it.call('POST', `${address()}/${id}/${path}`)
      expect(refused).toMatchObject({ status: 409, body: { code: 'webhook.disabled' } })
    }
    expect(await audited(id)).toEqual([
      ['webhook.create', expect.anything()],
      ['webhook.test', { projectId }],
      ['webhook.retry', { projectId, deliveryId: made.body.id }],
      ['webhook.change', expect.anything()],
    ])
  })
})

describe('what is not there', () => {
  test.each(['prj_x', 'prj_0123456789abcdefghijkl', 'prj_%00', 'none'])('a project %s', async (id) => {
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['POST', '', { url }],
      ['PATCH', '/whk_0123456789abcdefghijkl', {}],
    ] as const) {
      const answer = await it.call(method, address(id) + path, { body })
      expect(answer).toMatchObject({ status: 404, body: { error: 'There is no such project.' } })
    }
  })

  test.each(['whk_x', 'whk_0123456789abcdefghijkl', 'whk_%00', 'none'])('a webhook %s', async (id) => {
    const deliveries = 'deliveries/dlv_0123456789abcdefghijkl'
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', {}],
      ['DELETE', '', undefined],
      ['POST', '/secret', undefined],
      ['POST', '/test', undefined],
      ['GET', '/deliveries', undefined],
      ['GET', `/${deliveries}`, undefined],
      ['POST', `/${deliveries}/retry`, undefined],
    ] as const) {
      const answer = await it.call(method, `${address()}/${id}${path}`, { body })
      expect(answer).toMatchObject({ status: 404, body: { error: 'There is no such webhook.' } })
    }
  })

  test('a delivery, also one of another webhook', async () => {
    const [{ id }, other] = [await create(), await create({ events: ['job.failed'] })]
    await emit('job.failed')
    const [theirs] = await deliveriesOf(other.id)
    for (const delivery of ['dlv_x', 'dlv_%00', newId('dlv'), theirs!.id]) {
      for (const answer of [
        await it.call('GET', `${address()}/${id}/deliveries/${delivery}`),
        await it.call('POST', `${address()}/${id}/deliveries/${delivery}/retry`),
      ]) {
        expect(answer).toMatchObject({ status: 404, body: { error: 'There is no such delivery.' } })
      }
    }
  })
})

test('another organization, or a project beside it, sees and changes nothing', async () => {
  const { id } = await create()
  await emit('job.failed')
  const [delivery] = await deliveriesOf(id)
  const { key } = await it.createOrganization('Others')
  const [theirs, beside] = [await createProject(key), await createProject()]
  const paths = ['', '/deliveries', `/deliveries/${delivery!.id}`]
  for (const path of paths) {
    const foreign = await it.call('GET', `${address()}/${id}${path}`, { key })
    expect(foreign).toMatchObject({ status: 404, body: { code: 'project.not_found' } })
    for (const [project, owner] of [
      [theirs, { key }],
      [beside, {}],
    ] as const) {
      const wrong = await it.call('GET', `${address(project)}/${id}${path}`, owner)
      expect(wrong).toMatchObject({ status: 404, body: { code: 'webhook.not_found' } })
    }
  }
  for (const [method, path, body] of [
    ['PATCH', '', { enabled: false }],
    ['DELETE', '', undefined],
    ['POST', '/secret', undefined],
    ['POST', '/test', undefined],
    ['POST', `/deliveries/${delivery!.id}/retry`, undefined],
  ] as const) {
    expect((await it.call(method, `${address()}/${id}${path}`, { key, body })).status).toBe(404)
    expect((await it.call(method, `${address(theirs)}/${id}${path}`, { key, body })).status).toBe(404)
  }
  expect((await it.call('GET', address(), { key })).status).toBe(404)
  expect((await it.call('POST', address(), { key, body: { url } })).status).toBe(404)
  expect((await it.call('GET', address(theirs), { key })).body.webhooks).toEqual([])
  expect(await rowOf(id)).toMatchObject({ enabled: true })
  expect(await deliveriesOf(id)).toEqual([delivery])
})

test('a key that may only read changes nothing', async () => {
  const { id } = await create()
  const { body } = await it.call('POST', '/v1/keys', { body: { name: 'reader', scopes: ['read'] } })
  expect((await it.call('GET', `${address()}/${id}`, { key: body.key })).status).toBe(200)
  for (const path of ['', `/${id}/secret`, `/${id}/test`]) {
    expect((await it.call('POST', address() + path, { key: body.key, body: { url } })).status).toBe(403)
  }
})
