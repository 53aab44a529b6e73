import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sweepAnalytics } from '#features/analytics/service.ts'
import { readExport } from '#tests/harness/read-export.ts'
import { type ServerProcess, startServerProcess } from '#tests/harness/server-process.ts'
import { createTestApp } from '#tests/harness/test-app.ts'
import { createTestDatabase, type TestDatabase } from '#tests/harness/test-database.ts'

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'

/** What people and machines did on three days of March. */
const events = [
  { timestamp: '2026-03-01T00:00:00Z', path: '/', visitorId: 'ann', id: 'e1' },
  { timestamp: '2026-03-01T23:59:59.999Z', path: '/guide/?utm_source=mail#top', visitorId: 'ann', id: 'e2' },
  { timestamp: '2026-03-02T01:00:00+01:00', path: '/guide.md', ip: '203.0.113.9', userAgent: chrome, id: 'e3' },
  { timestamp: '2026-03-02T12:00:00Z', path: '/guide', visitorId: 'bot', userAgent: 'claude-code/2.1', id: 'e4' },
  { timestamp: '2026-03-02T12:00:01Z', path: '/guide', visitorId: 'ann', category: 'assistant', id: 'e5' },
  { timestamp: '2026-03-03T08:00:00Z', path: '/api/ünï', ip: '198.51.100.1', userAgent: 'GPTBot/1.2', id: 'e6' },
  { timestamp: '2026-03-03T09:00:00Z', path: '/api/ünï', ip: '198.51.100.1', userAgent: 'Googlebot/2.1', id: 'e7' },
]

let database: TestDatabase
let server: ServerProcess
let base: string
beforeAll(async () => {
  database = await createTestDatabase()
  server = await startServerProcess(database.settings)
  const project = (await call('POST', '/v1/projects', { name: 'Widgets' })) as { id: string }
  base = `/v1/analytics/${project.id}`
  expect(await call('POST', `${base}/events`, { events })).toEqual({ accepted: 7, skipped: {} })
})
afterAll(async () => {
  await server.end('SIGTERM')
  await database.delete()
})

async function call(method: string, path: string, body?: object, key?: string): Promise<unknown> {
  const headers = body === undefined ? {} : { 'content-type': 'application/json' }
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }), ...(key && { key }) }
  const answer = await server.fetch(path, init)
  const text = await answer.text()
  expect(answer.status, `${method} ${path}: ${text}`).toBeLessThan(300)
  return text === '' ? null : JSON.parse(text)
}

const get = (path: string) => call('GET', base + path)

describe('who read the docs', () => {
  const whole = {
    totals: { human: 2, ai: 3, total: 4 },
    visitors: [
      { path: '/guide', human: 2, ai: 2, total: 3 },
      { path: '/', human: 1, ai: 0, total: 1 },
      { path: '/api/ünï', human: 0, ai: 1, total: 1 },
    ],
    hasMore: false,
  }

  test('is counted by page and for the site, a reader who came as both once', async () => {
    expect(await get('/visitors')).toEqual(whole)
  })

  test('is the same after the same events came again', async () => {
    expect(await call('POST', `${base}/events`, { events })).toMatchObject({ accepted: 7 })
    expect(await get('/visitors')).toEqual(whole)
  })

  test.each([
    ['a day', '?dateFrom=2026-03-02&dateTo=2026-03-03', { human: 1, ai: 2, total: 3 }],
    ['up to a day', '?dateTo=2026-03-02', { human: 1, ai: 0, total: 1 }],
    ['from an instant', '?dateFrom=2026-03-02T12:00:00Z', { human: 0, ai: 3, total: 3 }],
    ['up to that instant', '?dateTo=2026-03-02T12:00:00Z', { human: 2, ai: 0, total: 2 }],
    ['an instant with an offset', '?dateTo=2026-03-02T01:00:00%2B01:00', { human: 1, ai: 0, total: 1 }],
    ['days without a view', '?dateFrom=2025-01-01&dateTo=2025-02-01', { human: 0, ai: 0, total: 0 }],
  ])('in a range: %s', async (_range, query, totals) => {
    expect(await get(`/visitors${query}`)).toMatchObject({ totals })
  })

  test('comes in pages', async () => {
    const rows = []
    for (let offset = 0; ; offset++) {
      const page = (await get(`/visitors?limit=1&offset=${offset}`)) as typeof whole
      expect(page.totals).toEqual(whole.totals)
      rows.push(...page.visitors)
      if (!page.hasMore) break
    }
    expect(rows).toEqual(whole.visitors)
    expect(await get('/visitors?offset=3')).toEqual({ ...whole, visitors: [] })
  })

  test.each(['limit=0', 'limit=251', 'limit=x', 'offset=-1', 'dateFrom=2026-02-30', 'dateTo=yesterday'])(
    'cannot be asked for with %s',
    async (query) => {
      const answer = await server.fetch(`${base}/visitors?${query}`)
      expect(answer.status).toBe(400)
      const [name] = query.split('=')
      expect(await answer.json()).toMatchObject({
        code: 'request.invalid',
        error: expect.stringContaining(name!),
        details: [expect.objectContaining({ path: name })],
      })
    },
  )

  test('comes as CSV too', async () => {
    const answer = await server.fetch(`${base}/visitors`, { headers: { accept: 'text/csv' } })
    expect(answer.headers.get('content-type')).toMatch(/^text\/csv/)
    expect((await answer.text()).trim().split(/\r?\n/)).toEqual([
      'path,human,ai,total',
      '/guide,2,2,3',
      '/,1,0,1',
      '/api/ünï,0,1,1',
    ])
  })

  test('also as views, by AI client, and over time', async () => {
    expect(await get('/views')).toMatchObject({ totals: { human: 3, ai: 3, total: 6 } })
    expect(await get('/agents')).toMatchObject({
      totals: { visitors: 3, views: 3 },
      agents: expect.arrayContaining([
        expect.objectContaining({ client: 'Claude Code', category: 'agent', visitors: 1, views: 1 }),
        expect.objectContaining({ client: 'GPTBot', category: 'training', visitors: 1, views: 1 }),
      ]),
    })
    const { timeseries } = (await get('/timeseries?interval=day')) as { timeseries: { start: string; views: object }[] }
    expect(timeseries.map(({ start, views }) => [start.slice(0, 10), views])).toEqual([
      ['2026-03-01', { human: 2, ai: 0, total: 2 }],
      ['2026-03-02', { human: 1, ai: 2, total: 3 }],
      ['2026-03-03', { human: 0, ai: 1, total: 1 }],
    ])
  })

  test.each(['jsonl', 'parquet'] as const)('leaves as %s, each view once, without any address', async (format) => {
    const answer = await server.fetch(`${base}/export?format=${format}`)
    const file = Buffer.from(await answer.arrayBuffer())
    const rows = await readExport(format, Readable.from([file]))
    expect(rows.map((row) => [row.path, row.category])).toEqual([
      ['/', 'human'],
      ['/guide', 'human'],
      ['/guide', 'human'],
      ['/guide', 'agent'],
      ['/guide', 'assistant'],
      ['/api/ünï', 'training'],
      ['/api/ünï', 'bot'],
    ])
    expect(file.toString('latin1')).not.toMatch(/203\.0\.113|198\.51\.100/)
  })
})

describe('what a project can decide', () => {
  test('only assistants and agents are AI, and its own rules come first', async () => {
    const project = (await call('POST', '/v1/projects', { name: 'Settings' })) as { id: string }
    const own = `/v1/analytics/${project.id}`
    await call('PATCH', `${own}/settings`, {
      aiTraffic: 'direct',
      rules: [{ userAgent: 'acme-monitor', category: 'bot' }],
    })
    await call('POST', `${own}/events`, {
      events: [
        { path: '/a', ip: '198.51.100.1', userAgent: 'GPTBot/1.2' },
        { path: '/a', ip: '198.51.100.2', userAgent: `${chrome} Acme-Monitor` },
        { path: '/a', ip: '198.51.100.3', userAgent: 'claude-code/2.1' },
      ],
    })
    expect(await call('GET', `${own}/visitors`)).toMatchObject({ totals: { human: 0, ai: 1, total: 1 } })
    await call('PATCH', `${own}/settings`, { aiTraffic: 'all' })
    expect(await call('GET', `${own}/visitors`)).toMatchObject({ totals: { human: 0, ai: 2, total: 2 } })
  })

  test('a visitor is forgotten, by id or by address, and others stay', async () => {
    const project = (await call('POST', '/v1/projects', { name: 'Forgetting' })) as { id: string }
    const own = `/v1/analytics/${project.id}`
    const address = { ip: '203.0.113.9', userAgent: chrome }
    await call('POST', `${own}/events`, {
      events: [
        { path: '/a', visitorId: 'ann' },
        { path: '/b', visitorId: 'ann' },
        { path: '/a', ...address },
        { path: '/a', visitorId: 'ben' },
      ],
    })
    expect(await call('POST', `${own}/forget`, { visitorId: 'ann' })).toEqual({ views: 2 })
    expect(await call('POST', `${own}/forget`, address)).toEqual({ views: 1 })
    expect(await call('POST', `${own}/forget`, { visitorId: 'ann' })).toEqual({ views: 0 })
    expect(await call('GET', `${own}/visitors`)).toEqual({
      totals: { human: 1, ai: 0, total: 1 },
      visitors: [{ path: '/a', human: 1, ai: 0, total: 1 }],
      hasMore: false,
    })
  })
})

describe('who may ask', () => {
  test('nobody without a key, and a key that may only read sends nothing', async () => {
    for (const path of ['visitors', 'views', 'agents', 'timeseries', 'export', 'settings']) {
      expect((await server.fetch(`${base}/${path}`, { key: null })).status).toBe(401)
    }
    const { key } = (await call('POST', '/v1/keys', { name: 'reports', scopes: ['read'] })) as { key: string }
    expect((await server.fetch(`${base}/visitors`, { key })).status).toBe(200)
    const headers = { 'content-type': 'application/json' }
    for (const [path, body] of [
      ['events', { events: [{ path: '/a', visitorId: 'eve' }] }],
      ['forget', { visitorId: 'ann' }],
    ] as const) {
      const init = { method: 'POST', headers, body: JSON.stringify(body), key }
      expect((await server.fetch(`${base}/${path}`, init)).status).toBe(403)
    }
    expect(await get('/views')).toMatchObject({ totals: { total: 6 } })
  })

  test('nobody about a project of others, or one that is deleted, whose views then go too', async () => {
    const app = await createTestApp()
    try {
      const { body: project } = await app.call('POST', '/v1/projects', { body: { name: 'Gone' } })
      const own = `/v1/analytics/${project.id}`
      const sent = await app.call('POST', `${own}/events`, { body: { events: [{ path: '/a', visitorId: 'ann' }] } })
      expect(sent.status).toBe(202)
      const others = await app.createOrganization('Others')
      const reads = ['visitors', 'views', 'agents', 'timeseries', 'export', 'settings']
      for (const path of reads) {
        expect((await app.call('GET', `${own}/${path}`, { key: others.key })).status, path).toBe(404)
      }
      await sweepAnalytics(app.services)
      expect((await app.call('GET', `${own}/visitors`)).body.totals.total).toBe(1)

      expect((await app.call('DELETE', `/v1/projects/${project.id}`)).status).toBe(204)
      for (const path of reads) expect((await app.call('GET', `${own}/${path}`)).status, path).toBe(404)
      await sweepAnalytics(app.services)
      expect(await app.services.events.listProjects()).toEqual([])
    } finally {
      await app.close()
    }
  })
})
