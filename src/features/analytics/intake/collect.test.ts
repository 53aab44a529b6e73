import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'

const origin = 'https://docs.example.com'
const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'

// Not the built-in host: making a repository takes longer than all the rest.
const source = { provider: 'github', repository: 'acme/docs' }

let it: TestApp
beforeAll(async () => {
  it = await createTestApp({ settings: { trustedProxies: '10.0.0.0/8', baseUrl: 'https://docent.example.com' } })
})
afterAll(() => it.close())

async function createProject(): Promise<string> {
  const { id } = (await it.call('POST', '/v1/projects', { body: { name: 'Docs', source } })).body
  await it.call('PATCH', `/v1/analytics/${id}/settings`, { body: { origins: [origin, 'http://localhost:3000'] } })
  return id
}

interface Sent {
  body?: unknown
  headers?: Record<string, string>
  from?: string
}

/** As `sendBeacon` sends it. */
async function beacon(id: string, { body = { path: '/guide' }, headers = {}, from = '203.0.113.9' }: Sent = {}) {
  return await it.call('POST', `/v1/analytics/${id}/collect`, {
    key: null,
    remoteAddress: from,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'text/plain;charset=UTF-8', origin, 'user-agent': chrome, ...headers },
  })
}
const totalsOf = async (id: string) => (await it.call('GET', `/v1/analytics/${id}/visitors`)).body.totals

describe('a beacon', () => {
  test('is a view, durable when it is answered', async () => {
    const id = await createProject()
    const answer = await beacon(id, { body: { path: '/guide/', referrer: 'https://www.google.com/?q=x' } })
    expect(answer).toMatchObject({
      status: 204,
      text: '',
      headers: { 'access-control-allow-origin': origin, vary: 'origin' },
    })
    await beacon(id, { body: { url: `${origin}/guide#x` } })
    await beacon(id, { from: '203.0.113.10' })
    await beacon(id, { headers: { 'user-agent': 'Mozilla/5.0 (compatible; GPTBot/1.2)' } })
    expect((await it.call('GET', `/v1/analytics/${id}/views`)).body).toMatchObject({
      totals: { human: 3, ai: 1, total: 4 },
      views: [{ path: '/guide', total: 4 }],
    })
    expect(await totalsOf(id)).toEqual({ human: 2, ai: 1, total: 3 })
  })

  test('is by whoever the trusted proxy names', async () => {
    const id = await createProject()
    await beacon(id, { from: '10.0.0.1', headers: { 'x-forwarded-for': '203.0.113.9' } })
    await beacon(id, { from: '10.0.0.1', headers: { 'x-forwarded-for': '203.0.113.10' } })
    await beacon(id, { from: '203.0.113.9', headers: { 'x-forwarded-for': '203.0.113.99' } })
    expect((await totalsOf(id)).total).toBe(2)
  })

  test.each([origin, 'http://localhost:3000', 'https://docent.example.com'])('may come from %s', async (own) => {
    const id = await createProject()
    const answer = await beacon(id, { headers: { origin: own } })
    expect(answer).toMatchObject({ status: 204, headers: { 'access-control-allow-origin': own } })
    expect((await totalsOf(id)).total).toBe(1)
  })

  test.each([
    'https://evil.example.com',
    'http://docs.example.com',
    'https://docs.example.com.evil.com',
    'https://docs.example.com:8443',
    'null',
    '',
  ])('from %j is refused', async (foreign) => {
    const id = await createProject()
    const answer = await beacon(id, { headers: { origin: foreign } })
    expect(answer).toMatchObject({ status: 403, body: { code: 'analytics.origin_not_allowed' } })
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    expect((await totalsOf(id)).total).toBe(0)
  })

  test.each([{ dnt: '1' }, { 'sec-gpc': '1' }])(
    'of somebody who does not want to be counted (%j) leaves nothing',
    async (headers) => {
      const id = await createProject()
      expect((await beacon(id, { headers: headers as never })).status).toBe(204)
      expect((await totalsOf(id)).total).toBe(0)
    },
  )

  test('of no page is answered alike and not counted', async () => {
    const id = await createProject()
    expect((await beacon(id, { body: { path: '/app.js' } })).status).toBe(204)
    expect((await totalsOf(id)).total).toBe(0)
  })

  test.each([
    '',
    'null',
    '[]',
    '{}',
    '{"path":""}',
    '{"path":1}',
    '{"path":"/","referrer":7}',
    'not json',
    '{"path":"/"',
  ])('of %j is refused', async (body) => {
    const id = await createProject()
    expect((await beacon(id, { body })).status).toBe(400)
    expect((await totalsOf(id)).total).toBe(0)
  })

  test('has at most 4 kB', async () => {
    const id = await createProject()
    const answer = await beacon(id, { body: { path: '/', referrer: 'x'.repeat(4096) } })
    expect(answer).toMatchObject({
      status: 413,
      body: { error: 'The body is larger than this endpoint takes (4 KiB).' },
    })
  })

  test.each(['prj_0000000000000000000000', 'nonsense', '%00'])(
    'for the unknown project %s is not found',
    async (id) => {
      const { status, body } = await beacon(id)
      expect({ status, body }).toEqual({
        status: 404,
        body: { error: 'There is no such project.', code: 'project.not_found' },
      })
    },
  )

  test('past the limit of its address is refused', async () => {
    const limited = await createTestApp({ settings: { rateLimitPerMinute: 5 } })
    try {
      const statuses: number[] = []
      for (let number = 0; number < 8; number++) {
        const url = '/v1/analytics/prj_0000000000000000000000/collect'
        const headers = { 'content-type': 'text/plain', origin }
        statuses.push((await limited.call('POST', url, { key: null, body: '{"path":"/"}', headers })).status)
      }
      expect(statuses.slice(-2)).toEqual([429, 429])
    } finally {
      await limited.close()
    }
  })
})

describe('the script', () => {
  const get = (headers: Record<string, string> = {}) => it.app.inject({ url: '/analytics.js', headers })

  test('is there for every site, compressed where that is understood', async () => {
    const plain = await get()
    expect(plain.statusCode).toBe(200)
    expect(plain.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'cache-control': expect.stringContaining('max-age=86400'),
    })
    expect(plain.headers['content-encoding']).toBeUndefined()
    const compressed = await get({ 'accept-encoding': 'gzip, deflate, br' })
    expect(compressed.headers['content-encoding']).toBe('gzip')
    expect(compressed.rawPayload.length).toBeLessThan(1000)
    expect(gunzipSync(compressed.rawPayload)).toEqual(plain.rawPayload)
    expect((await get({ 'accept-encoding': 'br, gzip;q=0' })).headers['content-encoding']).toBeUndefined()
  })

  test('is not sent again to who has it', async () => {
    const etag = (await get()).headers.etag as string
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const answer = await get({ 'if-none-match': known })
      expect({ status: answer.statusCode, body: answer.payload }).toEqual({ status: 304, body: '' })
    }
    expect((await get({ 'if-none-match': '"other"' })).statusCode).toBe(200)
  })
})
