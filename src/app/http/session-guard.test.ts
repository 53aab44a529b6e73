import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMember, createOwner, type Person } from '#tests/harness/person.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { testAdminKey } from '#tests/harness/test-config.ts'

let it: TestApp
let owner: Person
let viewer: Person
let project: { id: string; slug: string }
beforeAll(async () => {
  it = await createTestApp({ settings: { rateLimitPerMinute: 1_000 }, worker: true })
  owner = await createOwner(it)
  viewer = await createMember(it, 'viewer')
  project = (await owner.call('POST', '/v1/projects', { body: { name: 'Ours' } })).body
})
afterAll(() => it.close())

describe('a session instead of a key', () => {
  test('is an actor of its own, in what it does and in the audit', async () => {
    const { body } = await owner.call('GET', '/v1/audit?limit=1')
    expect(body.records[0]).toMatchObject({
      action: 'project.create',
      target: project.id,
      actor: { kind: 'user', id: owner.id, name: 'Ana' },
    })
  })

  test('reaches its own organization only', async () => {
    const { key } = await it.createOrganization('Elsewhere')
    const { body } = await it.call('POST', '/v1/projects', { key, body: { name: 'Theirs' } })
    expect((await owner.call('GET', `/v1/projects/${body.id}`)).status).toBe(404)
  })

  test('gives way to a key in the same request', async () => {
    const { key } = await it.createOrganization('Keyed')
    const headers = { authorization: `Bearer ${key}` }
    expect((await owner.call('GET', '/v1/projects', { headers })).body.projects).toEqual([])
    // A bad key is not made good by a session, and a good one needs no page of ours.
    expect(
      (await owner.call('GET', '/v1/projects', { headers: { authorization: 'Bearer docent_nonsense' } })).status,
    ).toBe(401)
    const cross = { authorization: `Bearer ${testAdminKey}`, 'sec-fetch-site': 'cross-site' }
    expect((await viewer.call('POST', '/v1/keys', { headers: cross, body: { name: 'x' } })).status).toBe(201)
  })

  test('is counted by person', async () => {
    const first = await viewer.call('GET', '/v1/projects')
    const second = await viewer.call('GET', '/v1/projects')
    const left = ({ headers }: typeof first) => Number(headers['ratelimit-remaining'])
    expect(left(second)).toBe(left(first) - 1)
    expect(left(await owner.call('GET', '/v1/projects'))).not.toBe(left(second) - 1)
  })
})

describe('where a request with a cookie comes from', () => {
  const host = 'docs.internal:4400'
  const cases: [string, Record<string, string>, boolean][] = [
    ['a page of ours', { 'sec-fetch-site': 'same-origin' }, true],
    ['a page of ours, by its origin', { origin: 'http://docs.internal:4400' }, true],
    ['the configured address', { origin: 'http://127.0.0.1:4400' }, true],
    [
      'an address that somebody typed, of ours',
      { 'sec-fetch-site': 'none', origin: 'http://docs.internal:4400' },
      true,
    ],
    ['another site', { 'sec-fetch-site': 'cross-site' }, false],
    [
      'another site that says it is ours',
      { 'sec-fetch-site': 'cross-site', origin: 'http://docs.internal:4400' },
      false,
    ],
    ['a neighbour of our domain', { 'sec-fetch-site': 'same-site', origin: 'http://x.internal' }, false],
    ['another port', { origin: 'http://docs.internal:9999' }, false],
    ['a frame without an origin', { origin: 'null' }, false],
    ['an address that somebody typed', { 'sec-fetch-site': 'none' }, false],
    ['nobody knows', {}, false],
  ]
  test.each(cases)('%s: %j may change something: %s', async (_where, headers, isTaken) => {
    const send = { key: null, headers: { cookie: owner.cookie, host, ...headers }, body: { name: 'x' } }
    const { status, body } = await it.call('POST', '/v1/keys', send)
    expect([status, body.code]).toEqual(isTaken ? [201, undefined] : [403, 'auth.cross_site'])
    // Reading changes nothing, and the browser keeps the answer from other sites by itself.
    expect((await it.call('GET', '/v1/keys', { key: null, headers: send.headers })).status).toBe(200)
  })

  test('matters for signing out too', async () => {
    const headers = { cookie: owner.cookie, 'sec-fetch-site': 'cross-site' }
    expect((await it.call('DELETE', '/v1/session', { key: null, headers })).body.code).toBe('auth.cross_site')
    expect((await owner.call('GET', '/v1/projects')).status).toBe(200)
  })
})

describe('a viewer', () => {
  test('can change nothing: every operation of the API that could is refused, in words that say why', async () => {
    const { paths } = (await it.call('GET', '/openapi.json', { key: null })).body
    const own = ['signIn', 'signOut', 'setUp', 'lookUpInvitation', 'acceptInvitation', 'choosePassword']
    const ownThings = ['revokeSession', 'changeAccount']
    // Asks, with a body for the question.
    const reading = ['explainRequest']
    let count = 0
    for (const [path, methods] of Object.entries<Record<string, { operationId: string }>>(paths)) {
      for (const [method, { operationId }] of Object.entries(methods)) {
        if (['get', 'head'].includes(method) || [...own, ...ownThings, ...reading].includes(operationId)) continue
        count++
        const url = path.replace('{projectId}', project.id).replaceAll(/\{\w+\}/g, 'x')
        const { status, body } = await viewer.call(method.toUpperCase() as 'POST', url, { body: {} })
        expect([operationId, status, body.code]).toEqual([operationId, 403, 'auth.role_missing'])
        expect(body.error).toContain('Your role in Default is viewer')
      }
    }
    expect(count).toBeGreaterThan(25)
  })

  test('sees what there is', async () => {
    for (const path of ['/v1/projects', '/v1/keys', '/v1/members', '/v1/audit', `/v2/agent/${project.id}/jobs`]) {
      expect([path, (await viewer.call('GET', path)).status]).toEqual([path, 200])
    }
  })
})

describe('the pages of a pull request', () => {
  // Not from this machine, where they are readable without anything.
  const remoteAddress = '203.0.113.5'
  async function openPull(): Promise<string> {
    const body = { prompt: `add page p${Date.now()} titled "T"` }
    const { body: job } = await owner.call('POST', `/v2/agent/${project.id}/job`, { body })
    for (;;) {
      const { body: now } = await owner.call('GET', `/v2/agent/${project.id}/job/${job.id}`)
      if (now.status !== 'active') return new URL(now.prLink).pathname
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }

  test('open with a session, and are merged by a form on them', async () => {
    const path = await openPull()
    expect((await it.call('GET', path, { key: null, remoteAddress })).status).toBe(401)
    expect((await viewer.call('GET', path, { remoteAddress })).status).toBe(200)
    const shown = await owner.call('GET', path, { remoteAddress })
    expect([shown.status, shown.text]).toEqual([200, expect.stringContaining('/merge')])
    const [, head] = /name="head" value="(\w+)"/.exec(shown.text)!
    const merge = (by: Person, headers: Record<string, string>) =>
      by.call('POST', `${path}/merge`, { remoteAddress, headers: { ...form, ...headers }, body: `head=${head}` })
    expect((await merge(owner, { 'sec-fetch-site': 'cross-site' })).body.code).toBe('auth.cross_site')
    expect((await merge(viewer, {})).body.code).toBe('auth.role_missing')
    const merged = await merge(owner, {})
    expect([merged.status, merged.headers.location]).toEqual([303, path])
    expect((await owner.call('GET', path, { remoteAddress })).text).toContain('Ana')
  })
})
