import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'

const source = { provider: 'github', repository: 'acme/docs' }
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let it: TestApp
let projectId: string
beforeAll(async () => {
  it = await createTestApp()
  projectId = (await it.call('POST', '/v1/projects', { body: { name: 'Docs', source } })).body.id
  const rules = [
    { userAgent: 'acme-monitor', category: 'bot', client: 'our monitor' },
    { networks: ['198.51.100.0/24'], path: '/internal', category: 'agent', client: 'our agent' },
  ]
  await it.call('PATCH', `/v1/analytics/${projectId}/settings`, { body: { rules } })
})
afterAll(() => it.close())

const explain = (body: unknown, options: { key?: string } = {}) =>
  it.call('POST', `/v1/analytics/${projectId}/explain`, { body, ...options })

test.each<[object, object]>([
  [{ userAgent: firefox }, { category: 'human', client: null, reason: 'a browser', countsAs: 'human' }],
  [
    { userAgent: firefox, accept: null, acceptLanguage: '' },
    { category: 'unknown', countsAs: null },
  ],
  [
    { userAgent: 'GPTBot/1.2' },
    {
      category: 'training',
      client: 'GPTBot',
      verification: 'claimed',
      countsAs: 'ai',
      reason: 'user agent list: GPTBot',
    },
  ],
  [
    { userAgent: 'axios/1.8.4', accept: 'text/markdown, text/html, */*' },
    { category: 'agent', client: 'Claude Code' },
  ],
  [
    { userAgent: 'ACME-Monitor/1' },
    { category: 'bot', client: 'our monitor', reason: 'project rule 1', countsAs: null },
  ],
  [
    { userAgent: firefox, ip: '198.51.100.7', path: '/internal/x' },
    { category: 'agent', client: 'our agent', reason: 'project rule 2', countsAs: 'ai' },
  ],
  [{ userAgent: firefox, ip: '198.51.100.7' }, { category: 'human' }],
  [{}, { category: 'unknown', reason: 'no user agent' }],
])('%j is %j', async (request, expected) => {
  const { status, body } = await explain(request)
  expect([status, body]).toEqual([200, expect.objectContaining(expected)])
  const deciding = body.rules.filter(({ decides }: { decides: boolean }) => decides)
  expect(deciding).toEqual([expect.objectContaining({ category: body.category, says: body.reason })])
  expect(body.rules.map(({ rule }: { rule: string }) => rule)).toEqual([
    'the project’s own rules',
    'Web Bot Auth signature',
    'user-agent lists',
    'Markdown preference',
    'published address ranges',
    'HTTP libraries',
    'browser evidence',
  ])
})

test('what counts as AI is what the project says', async () => {
  const url = `/v1/analytics/${projectId}/settings`
  await it.call('PATCH', url, { body: { aiTraffic: 'direct' } })
  expect((await explain({ userAgent: 'GPTBot/1.2' })).body).toMatchObject({ category: 'training', countsAs: null })
  await it.call('PATCH', url, { body: { aiTraffic: 'all' } })
})

test('a key that may only read may ask, and nothing is counted', async () => {
  const { secret } = (await it.call('POST', '/v1/keys', { body: { name: 'reader', scopes: ['read'] } })).body
  expect((await explain({ userAgent: firefox }, { key: secret })).status).toBe(200)
  expect((await it.call('GET', `/v1/analytics/${projectId}/views`)).body.totals.total).toBe(0)
})

test.each<[string, object]>([
  ['ip', { ip: '1.2.3' }],
  ['path', { path: 'guide' }],
  ['userAgent', { userAgent: 'x'.repeat(8193) }],
  ['accept', { accept: 1 }],
])('a wrong %s is refused with its name', async (name, request) => {
  const { status, body } = await explain(request)
  expect([status, body.details?.[0].path]).toEqual([400, name])
})

test('a project of somebody else is none', async () => {
  const { key } = await it.createOrganization('Other')
  const { status, body } = await explain({ userAgent: firefox }, { key })
  expect([status, body.code]).toEqual([404, 'project.not_found'])
})
