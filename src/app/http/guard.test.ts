import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId, randomBase62 } from '#base/ids.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { testAdminKey } from '#tests/harness/test-config.ts'

const clock = { at: Date.now(), now: () => new Date(clock.at) }

let it: TestApp
beforeAll(async () => {
  it = await createTestApp({ clock })
})
afterAll(() => it.close())

async function createKey(input: object = {}): Promise<{ id: string; key: string }> {
  const { status, body } = await it.call('POST', '/v1/keys', { body: { name: 'a key', ...input } })
  expect(status).toBe(201)
  return body
}

const randomKey = () => `docent_${randomBase62(43)}`

describe('a key', () => {
  test.each([
    ['none', {}, 'auth.missing_key'],
    ['an empty one', { authorization: '' }, 'auth.missing_key'],
    ['no word before it', { authorization: testAdminKey }, 'auth.missing_key'],
    ['another scheme', { authorization: `Basic ${testAdminKey}` }, 'auth.missing_key'],
    ['the scheme alone', { authorization: 'Bearer' }, 'auth.missing_key'],
    ['the scheme and a space', { authorization: 'Bearer ' }, 'auth.missing_key'],
    ['two words', { authorization: `Bearer ${testAdminKey} x` }, 'auth.missing_key'],
    ['another header', { 'x-api-key': testAdminKey }, 'auth.missing_key'],
    ['a random one', { authorization: `Bearer ${randomKey()}` }, 'auth.unknown_key'],
    ['one character less', { authorization: `Bearer ${testAdminKey.slice(0, -1)}` }, 'auth.unknown_key'],
    ['one character more', { authorization: `Bearer ${testAdminKey}x` }, 'auth.unknown_key'],
    ['small letters', { authorization: `Bearer ${testAdminKey.toLowerCase()}` }, 'auth.unknown_key'],
    ['no prefix', { authorization: `Bearer ${testAdminKey.slice(7)}` }, 'auth.unknown_key'],
    ['quotes', { authorization: `Bearer "${testAdminKey}"` }, 'auth.unknown_key'],
    ['a very long one', { authorization: `Bearer docent_${'a'.repeat(10_000)}` }, 'auth.unknown_key'],
    ['a key in the query only', {}, 'auth.missing_key', `?key=${testAdminKey}&access_token=${testAdminKey}`],
  ] as [string, Record<string, string>, string, string?][])(
    '%s is a 401, whatever is asked',
    async (_name, headers, code, query = '') => {
      const calls = [
        it.call('GET', `/v1/projects${query}`, { key: null, headers }),
        it.call('GET', `/v1/projects/${newId('prj')}${query}`, { key: null, headers }),
        it.call('DELETE', `/v1/keys/${newId('key')}${query}`, { key: null, headers }),
        // The key is looked at before the body is read.
        it.call('POST', `/v1/projects${query}`, {
          key: null,
          headers: { ...headers, 'content-type': 'text/plain' },
          body: '{',
        }),
      ]
      for (const answer of await Promise.all(calls)) {
        expect(answer.status).toBe(401)
        expect(answer.headers['www-authenticate']).toBe('Bearer')
        expect(answer.body).toEqual({ error: expect.any(String), code })
      }
    },
  )

  test.each(['Bearer ', 'bearer ', 'BEARER ', 'Bearer   '])('is read after "%s"', async (scheme) => {
    const headers = { authorization: `${scheme}${testAdminKey}` }
    expect((await it.call('GET', '/v1/projects', { key: null, headers })).status).toBe(200)
  })

  test('that was revoked is a 401', async () => {
    const { id, key } = await createKey()
    expect((await it.call('GET', '/v1/projects', { key })).status).toBe(200)
    expect((await it.call('DELETE', `/v1/keys/${id}`)).status).toBe(204)
    const answer = await it.call('GET', '/v1/projects', { key })
    expect(answer.status).toBe(401)
    expect(answer.headers['www-authenticate']).toBe('Bearer')
    expect(answer.body.code).toBe('auth.unknown_key')
  })

  test('works until the moment it expires, and is a 401 from then on', async () => {
    const { key } = await createKey({ expiresAt: new Date(clock.at + 60_000).toISOString() })
    clock.at += 59_999
    expect((await it.call('GET', '/v1/projects', { key })).status).toBe(200)
    clock.at += 1
    const answer = await it.call('GET', '/v1/projects', { key })
    expect(answer.status).toBe(401)
    expect(answer.headers['www-authenticate']).toBe('Bearer')
    expect(answer.body.code).toBe('auth.expired_key')
  })
})

describe('scopes', () => {
  test('a read key may GET, and nothing else', async () => {
    const { key } = await createKey({ scopes: ['read'] })
    const { body: project } = await it.call('POST', '/v1/projects', { body: { name: 'Scoped' } })
    for (const url of ['/v1/projects', `/v1/projects/${project.id}`, '/v1/keys', '/v1/audit']) {
      expect((await it.call('GET', url, { key })).status).toBe(200)
    }
    const refused = [
      it.call('POST', '/v1/projects', { key, body: { name: 'x' } }),
      it.call('PATCH', `/v1/projects/${project.id}`, { key, body: { name: 'x' } }),
      it.call('DELETE', `/v1/projects/${project.id}`, { key }),
      it.call('POST', '/v1/keys', { key, body: { name: 'x' } }),
      it.call('DELETE', `/v1/keys/${newId('key')}`, { key }),
      it.call('DELETE', `/v1/projects/${newId('prj')}`, { key }),
    ]
    for (const answer of await Promise.all(refused)) {
      expect(answer.status).toBe(403)
      expect(answer.body).toEqual({ error: expect.stringContaining('write'), code: 'auth.scope_missing' })
    }
    expect((await it.call('GET', `/v1/projects/${project.id}`)).body).toEqual(project)
  })

  test('write includes read', async () => {
    const { key } = await createKey({ scopes: ['write'] })
    expect((await it.call('GET', '/v1/projects', { key })).status).toBe(200)
    expect((await it.call('DELETE', `/v1/projects/${newId('prj')}`, { key })).status).toBe(404)
  })
})

describe('allowed addresses', () => {
  test.each([
    [['192.0.2.7'], '192.0.2.7', 200],
    [['192.0.2.7'], '192.0.2.8', 403],
    [['192.0.2.7'], '::ffff:192.0.2.7', 200],
    [['::ffff:192.0.2.7'], '192.0.2.7', 200],
    [['10.0.0.0/8'], '10.255.255.255', 200],
    [['10.0.0.0/8'], '::ffff:10.1.2.3', 200],
    [['10.0.0.0/8'], '11.0.0.0', 403],
    [['10.1.2.3/8'], '10.9.9.9', 200],
    [['10.0.0.0/8', '192.0.2.7'], '192.0.2.7', 200],
    [['2001:db8::/32'], '2001:db8:1::1', 200],
    [['2001:db8::/32'], '2001:db9::1', 403],
    [['2001:DB8:0:0::1'], '2001:db8::1', 200],
    [['0.0.0.0/0'], '203.0.113.9', 200],
    [['0.0.0.0/0'], '2001:db8::1', 403],
    [['::/0'], '203.0.113.9', 403],
    [[], '203.0.113.9', 200],
  ])('%j makes a call from %s a %i', async (allowedAddresses, remoteAddress, status) => {
    const { key } = await createKey({ allowedAddresses })
    const answer = await it.call('GET', '/v1/projects', { key, remoteAddress })
    expect(answer.status).toBe(status)
    if (status === 403) expect(answer.body).toEqual({ error: expect.any(String), code: 'auth.address_not_allowed' })
  })

  test('X-Forwarded-For is not believed from just anybody', async () => {
    const { key } = await createKey({ allowedAddresses: ['192.0.2.7'] })
    const headers = { 'x-forwarded-for': '192.0.2.7', forwarded: 'for=192.0.2.7', 'x-real-ip': '192.0.2.7' }
    expect((await it.call('GET', '/v1/projects', { key, headers, remoteAddress: '10.0.0.1' })).status).toBe(403)
  })

  test('X-Forwarded-For is believed from a trusted proxy, as far as the chain is trusted', async () => {
    const proxied = await createTestApp({ settings: { trustedProxies: '10.0.0.0/8' } })
    const { body } = await proxied.call('POST', '/v1/keys', { body: { name: 'x', allowedAddresses: ['192.0.2.7'] } })
    const statusOf = async (forwardedFor: string, remoteAddress: string) => {
      const headers = { 'x-forwarded-for': forwardedFor }
      return (await proxied.call('GET', '/v1/projects', { key: body.key, headers, remoteAddress })).status
    }
    expect(await statusOf('192.0.2.7', '10.0.0.1')).toBe(200)
    expect(await statusOf('192.0.2.7, 10.9.9.9', '10.0.0.1')).toBe(200)
    expect(await statusOf('192.0.2.7, 203.0.113.5', '10.0.0.1')).toBe(403)
    expect(await statusOf('192.0.2.7', '203.0.113.5')).toBe(403)
    expect(await statusOf('garbage', '10.0.0.1')).toBe(403)
    expect(await statusOf('', '10.0.0.1')).toBe(403)
    await proxied.close()
  })
})

describe('what belongs to another organization', () => {
  test('is a 404 with the very bytes that an unknown id gets', async () => {
    const other = await it.createOrganization('Other')
    const { body: project } = await it.call('POST', '/v1/projects', { key: other.key, body: { name: 'Theirs' } })
    const { body: key } = await it.call('POST', '/v1/keys', { key: other.key, body: { name: 'theirs' } })
    const pairs = [
      ['GET', `/v1/projects/${project.id}`, `/v1/projects/${newId('prj')}`, undefined],
      ['PATCH', `/v1/projects/${project.id}`, `/v1/projects/${newId('prj')}`, { name: 'Mine' }],
      ['PATCH', `/v1/projects/${project.id}`, `/v1/projects/${newId('prj')}`, { source: { token: 'x' } }],
      ['DELETE', `/v1/projects/${project.id}`, `/v1/projects/${newId('prj')}`, undefined],
      ['DELETE', `/v1/keys/${key.id}`, `/v1/keys/${newId('key')}`, undefined],
    ] as const
    for (const [method, theirs, unknown, body] of pairs) {
      const answers = [await it.call(method, theirs, { body }), await it.call(method, unknown, { body })]
      const [one, two] = answers.map(({ status, text, headers }) => {
        // The id is new for each request, and the counts of the limit go down.
        const same = Object.entries(headers).filter(([name]) => !/^(x-request-id|ratelimit.*|date)$/.test(name))
        return { status, text, headers: Object.fromEntries(same) }
      })
      expect(one).toEqual(two)
      expect(one!.status).toBe(404)
    }
    expect((await it.call('GET', `/v1/projects/${project.id}`, { key: other.key })).body).toEqual(project)
    expect((await it.call('GET', '/v1/projects', { key: key.key })).status).toBe(200)
  })

  test('is not there for organizations themselves: their routes are for the local socket', async () => {
    for (const key of [testAdminKey, null]) {
      const answers = [
        await it.call('GET', '/v1/organizations', { key, headers: { 'docent-organization': 'other' } }),
        await it.call('POST', '/v1/organizations', { key, body: { name: 'Mine' } }),
      ]
      for (const answer of answers) {
        expect(answer.status).toBe(403)
        expect(answer.body).toEqual({ error: expect.any(String), code: 'auth.local_only' })
      }
    }
  })

  test('is not reached by the header that the local operator chooses an organization with', async () => {
    const other = await it.createOrganization('Chosen')
    const { body } = await it.call('GET', '/v1/keys', { headers: { 'docent-organization': other.id } })
    expect(body).toEqual((await it.call('GET', '/v1/keys')).body)
  })
})

describe('limits', () => {
  const limit = 5
  let floods = 0
  let limited: TestApp
  beforeAll(async () => {
    limited = await createTestApp({ settings: { rateLimitPerMinute: limit }, clock })
  })
  afterAll(() => limited.close())

  async function repeat<T>(times: number, work: () => Promise<T>): Promise<T[]> {
    const results: T[] = []
    for (let time = 0; time < times; time++) results.push(await work())
    return results
  }

  test('a key has so many requests a minute; then 429 says when to come back', async () => {
    // A whole minute ahead, so that the window has a known length.
    clock.at = Math.ceil(clock.at / 60_000) * 60_000 + 10_000
    const { key } = await limited.createOrganization('Busy')
    const answers = await repeat(limit + 1, () => limited.call('GET', '/v1/projects', { key }))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429])
    expect(answers.map(({ headers }) => headers['ratelimit-remaining'])).toEqual(['4', '3', '2', '1', '0', '0'])
    const refused = answers.at(-1)!
    expect(refused.body).toEqual({ error: expect.any(String), code: 'limits.too_many_requests' })
    expect(refused.headers).toMatchObject({
      'retry-after': '50',
      ratelimit: '"default";r=0;t=50',
      'ratelimit-policy': '"default";q=5;w=60',
      'ratelimit-limit': '5',
      'ratelimit-reset': '50',
    })
    // Nobody else is held up, and in the next minute the key works again.
    const other = await limited.createOrganization('Calm')
    expect((await limited.call('GET', '/v1/projects', { key: other.key })).status).toBe(200)
    clock.at += 50_000
    expect((await limited.call('GET', '/v1/projects', { key })).status).toBe(200)
  })

  test.each([
    ['without a key', '/v1/projects', () => null, 401],
    ['with bad keys', '/v1/projects', randomKey, 401],
    ['with things that are no keys', '/v1/projects', () => 'x', 401],
    ['with bad keys for the metrics', '/metrics', randomKey, 401],
    ['to routes that do not exist', '/nothing', () => testAdminKey, 404],
    ['to public pages', '/openapi.json', () => null, 200],
  ])('a flood %s is limited by address', async (_name, url, keyOf, status) => {
    const remoteAddress = `198.51.100.${++floods}`
    const call = () => limited.call('GET', url, { key: keyOf(), remoteAddress })
    const answers = await repeat(limit + 3, call)
    expect(answers.map((answer) => answer.status)).toEqual([...Array(limit).fill(status), 429, 429, 429])
    expect(answers.at(-1)!.headers).toHaveProperty('retry-after')
    expect((await limited.call('GET', url, { key: keyOf(), remoteAddress: `192.0.2.${floods}` })).status).toBe(status)
  })

  test('a flood of bad keys does not hold up a good one from the same address, even one never seen before', async () => {
    const remoteAddress = '203.0.113.1'
    const known = await limited.createOrganization('Known')
    const unseen = await limited.createOrganization('Unseen')
    expect((await limited.call('GET', '/v1/projects', { key: known.key, remoteAddress })).status).toBe(200)
    const bad = () => limited.call('GET', '/v1/projects', { key: randomKey(), remoteAddress })
    const flood = await Promise.all(Array.from({ length: 50 }, bad))
    expect(flood.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(50 - limit)
    expect(flood.every(({ status }) => status === 401 || status === 429)).toBe(true)
    for (const { key } of [known, unseen]) {
      expect((await limited.call('GET', '/v1/projects', { key, remoteAddress })).status).toBe(200)
    }
    expect((await bad()).status).toBe(429)
  })

  test('an IPv6 subscriber cannot multiply by changing the lower half of its address', async () => {
    let host = 0
    const call = () => limited.call('GET', '/v1/projects', { key: null, remoteAddress: `2001:db8:1:2::${++host}` })
    const answers = await repeat(limit + 1, call)
    expect(answers.at(-1)!.status).toBe(429)
    const neighbour = await limited.call('GET', '/v1/projects', { key: null, remoteAddress: '2001:db8:1:3::1' })
    expect(neighbour.status).toBe(401)
  })

  test('probes are never limited', async () => {
    for (const url of ['/healthz', '/readyz']) {
      const answers = await repeat(limit * 3, () =>
        limited.call('GET', url, { key: null, remoteAddress: '192.0.2.99' }),
      )
      expect(answers.every(({ status }) => status === 200)).toBe(true)
    }
  })
})
