import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'

// Not the built-in host: making a repository takes longer than all the rest.
const source = { provider: 'github', repository: 'acme/docs' }

let it: TestApp
beforeAll(async () => {
  it = await createTestApp()
})
afterAll(() => it.close())

async function createProject(): Promise<string> {
  return (await it.call('POST', '/v1/projects', { body: { name: 'Docs', source } })).body.id
}
const settingsOf = (projectId: string) => `/v1/analytics/${projectId}/settings`
const defaults = { aiTraffic: 'all', visitorIds: 'stable', retentionDays: null, origins: [], rules: [] }

test('a project starts with the defaults', async () => {
  const answer = await it.call('GET', settingsOf(await createProject()))
  expect(answer).toMatchObject({ status: 200, body: defaults })
})

test('only what is given changes, and stays changed', async () => {
  const url = settingsOf(await createProject())
  const first = { aiTraffic: 'direct', retentionDays: 90, origins: ['https://docs.example.com'] }
  expect(await it.call('PATCH', url, { body: first })).toMatchObject({ status: 200, body: { ...defaults, ...first } })
  const rules = [
    { networks: ['10.0.0.0/8', '2001:db8::/32', '192.0.2.1'], category: 'bot', client: 'Monitor' },
    { userAgent: 'acme-agent', path: '/internal', category: 'agent' },
  ]
  const second = { visitorIds: 'daily', rules }
  expect((await it.call('PATCH', url, { body: second })).body).toEqual({ ...defaults, ...first, ...second })
  expect((await it.call('PATCH', url, { body: {} })).body).toEqual({ ...defaults, ...first, ...second })
  const third = { retentionDays: null, origins: [] }
  expect((await it.call('PATCH', url, { body: third })).body).toEqual({ ...defaults, ...first, ...second, ...third })
  expect((await it.call('GET', url)).body).toEqual({ ...defaults, ...first, ...second, ...third })
})

test('of two changes at once neither undoes the other', async () => {
  const url = settingsOf(await createProject())
  const changes = [
    { aiTraffic: 'direct' },
    { visitorIds: 'monthly' },
    { retentionDays: 7 },
    { origins: ['http://localhost:3000'] },
  ]
  await Promise.all(changes.map((body) => it.call('PATCH', url, { body })))
  expect((await it.call('GET', url)).body).toEqual(Object.assign({}, defaults, ...changes))
})

test('a change is on record', async () => {
  const projectId = await createProject()
  await it.call('PATCH', settingsOf(projectId), { body: { aiTraffic: 'direct', retentionDays: 30 } })
  const { records } = (await it.call('GET', '/v1/audit?limit=5')).body
  const record = {
    action: 'analytics.change_settings',
    target: projectId,
    details: { changed: ['aiTraffic', 'retentionDays'] },
  }
  expect(records).toContainEqual(expect.objectContaining(record))
})

test.each([
  ['https://docs.example.com', 'https://docs.example.com'],
  ['HTTPS://Docs.Example.com/', 'https://docs.example.com'],
  ['https://docs.example.com:443', 'https://docs.example.com'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['https://dócs.example', 'https://xn--dcs-gna.example'],
])('the origin %s is kept as browsers send it: %s', async (origin, kept) => {
  const url = settingsOf(await createProject())
  expect((await it.call('PATCH', url, { body: { origins: [origin, origin] } })).body.origins).toEqual([kept])
})

describe('a wrong value is refused with its field', () => {
  test.each<[string, unknown]>([
    ['aiTraffic', { aiTraffic: 'some' }],
    ['visitorIds', { visitorIds: 'weekly' }],
    ['retentionDays', { retentionDays: 0 }],
    ['retentionDays', { retentionDays: 3651 }],
    ['retentionDays', { retentionDays: 1.5 }],
    ['retentionDays', { retentionDays: '30' }],
    ['origins', { origins: 'https://docs.example.com' }],
    ['origins', { origins: Array.from({ length: 51 }, (_, number) => `https://d${number}.example.com`) }],
    ['origins.0', { origins: ['docs.example.com'] }],
    ['origins.0', { origins: ['https://docs.example.com/path'] }],
    ['origins.0', { origins: ['https://user@docs.example.com'] }],
    ['origins.0', { origins: ['https://docs.example.com?x'] }],
    ['origins.0', { origins: ['ftp://docs.example.com'] }],
    ['origins.0', { origins: ['null'] }],
    ['origins.0', { origins: ['*'] }],
    ['origins.0', { origins: ['https://*.example.com'] }],
    ['origins.0', { origins: [`https://${'a'.repeat(300)}.com`] }],
    ['rules', { rules: Array(101).fill({ path: '/', category: 'bot' }) }],
    ['rules.0', { rules: [{ category: 'bot' }] }],
    ['rules.0.category', { rules: [{ path: '/' }] }],
    ['rules.0.category', { rules: [{ path: '/', category: 'robot' }] }],
    ['rules.0.path', { rules: [{ path: 'internal', category: 'bot' }] }],
    ['rules.0.userAgent', { rules: [{ userAgent: '', category: 'bot' }] }],
    ['rules.0.userAgent', { rules: [{ userAgent: 'a\0b', category: 'bot' }] }],
    ['rules.0.userAgent', { rules: [{ userAgent: 'a'.repeat(501), category: 'bot' }] }],
    ['rules.0.client', { rules: [{ path: '/', category: 'bot', client: 'a'.repeat(101) }] }],
    [
      'rules.1.networks.0',
      {
        rules: [
          { path: '/', category: 'bot' },
          { networks: ['10.0.0.0/33'], category: 'bot' },
        ],
      },
    ],
    ['rules.0.networks.0', { rules: [{ networks: ['10.1'], category: 'bot' }] }],
    ['rules.0.networks', { rules: [{ networks: [], category: 'bot' }] }],
  ])('%s', async (path, body) => {
    const projectId = await sharedProject
    const { status, body: answer } = await it.call('PATCH', settingsOf(projectId), { body })
    expect({ status, code: answer.code }).toEqual({ status: 400, code: 'request.invalid' })
    expect(answer.details.map((detail: { path: string }) => detail.path)).toContain(path)
    expect(answer.error).toContain(path)
    expect((await it.call('GET', settingsOf(projectId))).body).toEqual(defaults)
  })
  let sharedProject: Promise<string>
  beforeAll(() => {
    sharedProject = createProject()
  })
})

test('an unknown project and one of another organization are not found, in the same words', async () => {
  const other = await it.createOrganization('Other')
  const projectId = await createProject()
  const before = (await it.call('GET', settingsOf(projectId))).body
  for (const method of ['GET', 'PATCH'] as const) {
    const options = method === 'PATCH' ? { body: { aiTraffic: 'direct' } } : {}
    const answers = [
      await it.call(method, settingsOf(projectId), { key: other.key, ...options }),
      await it.call(method, settingsOf('prj_0000000000000000000000'), options),
      await it.call(method, settingsOf('nonsense'), options),
    ]
    for (const { status, body } of answers) {
      expect({ status, body }).toEqual({
        status: 404,
        body: { error: 'There is no such project.', code: 'project.not_found' },
      })
    }
  }
  expect((await it.call('GET', settingsOf(projectId))).body).toEqual(before)
})

test('a key that may only read changes nothing', async () => {
  const { key } = await it.createOrganization('Readers', ['read'])
  const answer = await it.call('PATCH', settingsOf('prj_0000000000000000000000'), { key, body: {} })
  expect(answer).toMatchObject({ status: 403, body: { code: 'auth.scope_missing' } })
})
