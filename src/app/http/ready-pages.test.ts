import { type IncomingMessage, request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createSiteStage, type SiteStage } from '#tests/harness/site-stage.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { until } from '#tests/harness/until.ts'

const domain = 'docs.ready.example'
const words = 'Open port 4000 for the zebra. '.repeat(100)
const files = {
  'docs.json': JSON.stringify({ name: 'Ready', navigation: { pages: ['index', 'guides/setup', 'elsewhere'] } }),
  'index.mdx': '---\ntitle: Welcome\n---\n\nHello.\n',
  'guides/setup.mdx': `---\ntitle: Set up\n---\n\n## Ports\n\n${words}\n`,
  // More than is sent in one piece.
  'large.mdx': `---\ntitle: Large\nnoindex: true\n---\n\n${`${words}\n\n`.repeat(20)}`,
  'elsewhere.mdx': '---\ntitle: Elsewhere\nurl: https://example.com\n---\n',
}

let it: TestApp
let stage: SiteStage
let address: string
/** What came over the network and was left to the routes, by request id. */
const routed = new Set<string>()
beforeAll(async () => {
  it = await createTestApp({ worker: true, clock: { now: () => new Date('2026-07-01T12:00:00Z') } })
  stage = await createSiteStage(it, 'Ready docs')
  stage.commit(files)
  await stage.open()
  address = await it.app.listen({ host: '127.0.0.1', port: 0 })
  await it.call('POST', `/v1/projects/${stage.id}/domains`, { body: { name: domain } })
  it.app.server.on('request', (incoming: IncomingMessage) => {
    // Fastify leaves this on what it takes.
    if ('originalUrl' in incoming) routed.add(String(incoming.headers['x-request-id']))
  })
})
afterAll(() => it.close())

interface Reading {
  method?: 'GET' | 'HEAD' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
}

interface Seen {
  status: number
  headers: Record<string, unknown>
  body: Buffer
  isReady: boolean
}

let lastId = 0

/** Over the network, where finished pages come before all routes. */
async function read({ method = 'GET', path, headers = {}, body }: Reading): Promise<Seen> {
  const id = `ready-${++lastId}`
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(`${address}${path}`, { method, headers: { 'x-request-id': id, ...headers } }, resolve)
    sent.on('error', reject).end(body)
  })
  const pieces: Buffer[] = []
  for await (const piece of answer) pieces.push(piece)
  expect(answer.headers['x-request-id']).toBe(id)
  return {
    status: answer.statusCode!,
    headers: comparable(answer.headers),
    body: Buffer.concat(pieces),
    isReady: !routed.has(id),
  }
}

/** Past the network, by the routes. */
async function readByRoute({ method = 'GET', path, headers = {} }: Reading): Promise<Omit<Seen, 'isReady'>> {
  const answer = await it.app.inject({ method, url: path, headers })
  return { status: answer.statusCode, headers: comparable(answer.headers), body: answer.rawPayload }
}

function comparable(headers: Record<string, unknown>): Record<string, unknown> {
  const { date, connection, 'keep-alive': kept, 'x-request-id': id, ...rest } = headers
  expect(id).toBeTruthy()
  return rest
}

/** Both ways in the same moment: which site is live is asked anew each half second, and that is for the routes. */
async function readBoth(reading: Reading) {
  return await until(async () => {
    const byRoute = await readByRoute(reading)
    const { isReady, ...ready } = await read(reading)
    return isReady && { ready, byRoute }
  })
}

const atSite = (path: string) => `/sites/${stage.slug}${path}`
const encodings = ['gzip, deflate, br, zstd', 'gzip', 'identity', 'br;q=0.1, gzip;q=0.2']

describe('a page that is finished', () => {
  const readings: [string, () => Reading][] = [
    ['as HTML', () => ({ path: atSite('/guides/setup') })],
    ['at the root', () => ({ path: atSite('/') })],
    ['with a query', () => ({ path: atSite('/guides/setup?utm_source=x&y=%zz') })],
    ['that is large', () => ({ path: atSite('/large') })],
    ['as Markdown', () => ({ path: atSite('/guides/setup.md') })],
    [
      'as Markdown that was negotiated',
      () => ({ path: atSite('/guides/setup'), headers: { accept: 'text/markdown' } }),
    ],
    ['at a domain of its own', () => ({ path: '/guides/setup', headers: { host: domain } })],
    [
      'at a domain with a port',
      () => ({ path: '/guides/setup.md', headers: { host: `${domain.toUpperCase()}:8080` } }),
    ],
  ]
  test.each(readings)('%s is answered before the routes, and as they would, in every encoding', async (_name, of) => {
    for (const encoding of encodings) {
      const reading = of()
      const headers = { ...reading.headers, 'accept-encoding': encoding }
      const { ready, byRoute } = await readBoth({ ...reading, headers })
      expect(ready).toEqual(byRoute)
      expect(ready.status).toBe(200)
      expect(decoded(ready)).toMatch(/zebra|Hello/)
    }
  })

  test.each(readings)('%s is not sent again to those who have it', async (_name, of) => {
    const reading = of()
    const { etag } = (await readByRoute(reading)).headers
    for (const known of [String(etag), '*', `"other", ${etag}`]) {
      const headers = { ...reading.headers, 'if-none-match': known, 'accept-encoding': 'br' }
      const { ready, byRoute } = await readBoth({ ...reading, headers })
      expect(ready).toEqual(byRoute)
      expect([ready.status, ready.body.length]).toEqual([304, 0])
    }
  })

  test('has security headers, its links and the id of its request', async () => {
    const { ready } = await readBoth({ path: atSite('/large') })
    expect(ready.headers).toMatchObject({
      'content-security-policy': expect.stringContaining("script-src 'self'"),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex',
      vary: 'Accept, Accept-Encoding',
      link: expect.stringContaining('rel="canonical"'),
    })
  })

  test('keeps the order of requests that come one right after the other', async () => {
    const paths = ['/guides/setup', '/large', '/nothing', '/guides/setup.md', '/', '/llms.txt']
    const wanted = await Promise.all(paths.map(async (path) => (await readByRoute({ path: atSite(path) })).status))
    for (let round = 0; round < 5; round++) {
      const statuses = await Promise.all(paths.map(async (path) => (await read({ path: atSite(path) })).status))
      expect(statuses).toEqual(wanted)
    }
  })

  test('is shown anew as soon as another edition is live', async () => {
    await readBoth({ path: atSite('/') })
    await stage.push({ 'index.mdx': '---\ntitle: Welcome\n---\n\nHello again.\n' })
    await until(async () => decoded(await read({ path: atSite('/') })).includes('Hello again.'))
    const { ready } = await readBoth({ path: atSite('/') })
    expect(decoded(ready)).toContain('Hello again.')
  })
})

describe('what a page that is finished leaves behind', () => {
  const series = async () => {
    const { text } = await it.call('GET', '/metrics', { key: null })
    const start = 'docent_http_request_duration_seconds_count{method="GET",route="/sites/:slug/*",status="200"}'
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(start))
        ?.split(' ')
        .at(-1),
    )
  }
  const linesAbout = (path: string) =>
    it.logged
      .map((line) => JSON.parse(line))
      .filter(({ msg, path: own }) => msg === 'http.request' && own === path)
      .map(({ time, requestId, durationMs, ...line }) => line)

  test('is the same line in the log as a route writes, and the same series of metrics', async () => {
    const path = atSite('/guides/setup')
    const before = { lines: linesAbout(path).length, measured: await series() }
    await readBoth({ path: `${path}?secret=1` })
    await vi.waitFor(async () => {
      const lines = linesAbout(path)
      const line = { level: 'debug', method: 'GET', path, status: 200, msg: 'http.request' }
      expect(lines.length - before.lines).toBeGreaterThanOrEqual(2)
      expect(new Set(lines.map((one) => JSON.stringify(one))).size).toBeLessThanOrEqual(2)
      expect(lines.at(-1)).toEqual(line)
      expect((await series()) - before.measured).toBe(lines.length - before.lines)
    })
  })

  test('is a view, as by a route', async () => {
    const chrome =
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
    const headers = { 'user-agent': chrome, accept: 'text/html,*/*;q=0.8', 'accept-language': 'en' }
    const views = async () => {
      await it.services.intake.drain()
      const { body } = await it.call('GET', `/v1/analytics/${stage.id}/views?dateFrom=2026-07-01`)
      const row = body.views.find(({ path }: { path: string }) => path === '/large')
      return row ? row.human + row.ai : 0
    }
    const before = await views()
    const answers: Seen[] = []
    while (answers.filter(({ isReady }) => isReady).length < 3) {
      answers.push(await read({ path: atSite('/large'), headers }))
    }
    await read({ path: atSite('/large'), headers, method: 'HEAD' })
    expect(await views()).toBe(before + answers.length)
  })
})

describe('left to the routes is', () => {
  test.each<[string, () => Reading]>([
    ['a question without a body', () => ({ method: 'HEAD', path: atSite('/guides/setup') })],
    ['what is no question', () => ({ method: 'POST', path: atSite('/guides/setup'), body: 'x' })],
    [
      'a page that is asked for with a body',
      () => ({ path: atSite('/guides/setup'), headers: { 'content-length': '0' } }),
    ],
    ['a page under another of its names', () => ({ path: atSite('/guides/setup/') })],
    ['a page that is a link', () => ({ path: atSite('/elsewhere') })],
    ['a preview', () => ({ path: `/previews/${stage.slug}/main/guides/setup` })],
    ['what Docent serves in a site', () => ({ path: atSite('/_docent/search?q=zebra') })],
    ['a list for agents', () => ({ path: atSite('/llms.txt') })],
    ['what is not there', () => ({ path: atSite('/nothing') })],
    ['a site that is not there', () => ({ path: '/sites/nobody/guides/setup' })],
    ['the name of a domain that is not one of ours', () => ({ path: '/guides/setup', headers: { host: 'x.example' } })],
    ['a site under the name of another domain', () => ({ path: atSite('/guides/setup'), headers: { host: domain } })],
    ['the API', () => ({ path: '/v1/projects' })],
  ])('%s', async (_name, of) => {
    for (let round = 0; round < 3; round++) {
      await read({ path: atSite('/guides/setup') })
      expect((await read(of())).isReady).toBe(false)
    }
  })
})

function decoded({ headers, body }: Pick<Seen, 'headers' | 'body'>): string {
  const coding = headers['content-encoding']
  return String(coding === 'br' ? brotliDecompressSync(body) : coding === 'gzip' ? gunzipSync(body) : body)
}
