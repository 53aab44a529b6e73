import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let it: TestApp
let projectId: string
beforeAll(async () => {
  it = await createTestApp()
})
afterAll(() => it.close())
beforeEach(async () => {
  const source = { provider: 'github', repository: 'acme/docs' }
  projectId = (await it.call('POST', '/v1/projects', { body: { name: 'Docs', source } })).body.id
})

const forget = (who: unknown, key?: string) =>
  it.call('POST', `/v1/analytics/${projectId}/forget`, { body: who, ...(key ? { key } : {}) })
const totals = async () => (await it.call('GET', `/v1/analytics/${projectId}/views`)).body.totals.total

async function send(...events: object[]): Promise<void> {
  const { status, text } = await it.call('POST', `/v1/analytics/${projectId}/events`, { body: { events } })
  expect(status, text).toBe(202)
}

test('a visitor is forgotten by the id of their events, and nobody else is', async () => {
  await send({ path: '/a', visitorId: 'u1' }, { path: '/b', visitorId: 'u1' }, { path: '/a', visitorId: 'u2' })
  expect((await forget({ visitorId: 'u1' })).body).toEqual({ views: 2 })
  expect(await totals()).toBe(1)
  expect((await forget({ visitorId: 'u1' })).body).toEqual({ views: 0 })
})

test('a visitor is forgotten by address and user agent', async () => {
  await send(
    { path: '/a', ip: '203.0.113.7', userAgent: browser },
    { path: '/a', ip: '203.0.113.8', userAgent: browser },
    { path: '/a', ip: '2001:db8::1', userAgent: browser },
  )
  expect((await forget({ ip: '203.0.113.7', userAgent: browser })).body).toEqual({ views: 1 })
  // Any address of the same /64 is the same visitor.
  expect((await forget({ ip: '2001:0db8::ffff', userAgent: browser })).body).toEqual({ views: 1 })
  expect(await totals()).toBe(1)
})

test('a visitor whose id changed with the days is forgotten as far as the secrets are there', async () => {
  await it.call('PATCH', `/v1/analytics/${projectId}/settings`, { body: { visitorIds: 'daily' } })
  const day = (age: number) => new Date(Date.now() - age * 86_400_000).toISOString()
  await send(...[0, 1, 2].map((age) => ({ path: '/a', visitorId: 'u1', timestamp: day(age) })))
  expect((await forget({ visitorId: 'u1' })).body).toEqual({ views: 3 })
})

test('a visitor is forgotten by their id in an export', async () => {
  await send({ path: '/a', visitorId: 'u1' }, { path: '/a', visitorId: 'u2' })
  const { text } = await it.call('GET', `/v1/analytics/${projectId}/export`)
  const { visitor } = JSON.parse(text.split('\n')[0]!)
  expect((await forget({ visitor: visitor.toUpperCase() })).body).toEqual({ views: 1 })
  expect(await totals()).toBe(1)
})

test('the audit says that it was done and how they were named, and nothing of who it was', async () => {
  await send({ path: '/a', ip: '203.0.113.7', userAgent: browser })
  await forget({ ip: '203.0.113.7', userAgent: browser })
  const records = await it.services.db.selectFrom('auditRecords').selectAll().where('target', '=', projectId).execute()
  const record = records.find(({ action }) => action === 'analytics.forget_visitor')
  expect(record?.details).toEqual({ namedBy: ['ip', 'userAgent'] })
  const written = JSON.stringify([records, it.logged])
  expect(written).not.toContain('203.0.113.7')
  expect(written).not.toContain('Firefox')
})

const anyOne = 'expected {visitorId}, {visitor} (16 hex digits), or {ip, userAgent}.'

test.each([
  ['nothing', {}, anyOne],
  ['null', null, anyOne],
  ['a list', [], anyOne],
  ['an empty id', { visitorId: '' }, 'visitorId: expected 1 to 256 characters.'],
  ['a number', { visitorId: 1 }, anyOne],
  ['too few digits', { visitor: '1' }, 'visitor: expected 16 hex digits.'],
  ['another digit', { visitor: '0123456789abcdeg' }, 'visitor: expected 16 hex digits.'],
  ['an address alone', { ip: '203.0.113.7' }, anyOne],
  ['a user agent alone', { userAgent: browser }, anyOne],
  ['no address', { ip: '203.0.113.999', userAgent: browser }, 'ip: expected an IPv4 or IPv6 address.'],
  ['what only looks like one', { ip: '1.2.3', userAgent: browser }, 'ip: expected an IPv4 or IPv6 address.'],
  ['a long text', { ip: '203.0.113.7', userAgent: 'x'.repeat(8193) }, 'userAgent: expected at most 8192 characters.'],
  ['two at once', { visitorId: 'u1', visitor: '0123456789abcdef' }, anyOne],
  ['something else beside', { visitorId: 'u1', other: 1 }, anyOne],
])('%s names nobody, and is refused', async (_name, who, sentence) => {
  const { status, body } = await forget(who)
  expect([status, body.code, body.error]).toEqual([400, 'request.invalid', sentence])
})

test('nobody forgets visitors of another organization', async () => {
  await send({ path: '/a', visitorId: 'u1' })
  const { key } = await it.createOrganization('Other')
  expect((await forget({ visitorId: 'u1' }, key)).status).toBe(404)
  const reader = await it.createOrganization('Reader', ['read'])
  expect((await forget({ visitorId: 'u1' }, reader.key)).status).toBe(403)
  expect(await totals()).toBe(1)
})
