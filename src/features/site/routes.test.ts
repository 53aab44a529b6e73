import { request } from 'node:http'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSiteStage, type SiteStage } from '#tests/harness/site-stage.ts'
import { type CallOptions, createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { until } from '#tests/harness/until.ts'

const domain = 'docs.acme.example'
const files = {
  'docs.json': JSON.stringify({
    name: 'Acme',
    navigation: { groups: [{ group: 'Start', pages: ['index', 'guides/setup'] }] },
    redirects: [{ source: '/old', destination: '/guides/setup' }],
  }),
  'index.mdx': '---\ntitle: Welcome\ndescription: The first page.\n---\n\nHello. See [setup](/guides/setup).\n',
  'guides/setup.mdx':
    '---\ntitle: Set up\n---\n\n## Ports\n\nOpen port 4000 for the zebra.\n\n```js\nconst a = 1\n```\n',
  'picture.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
}

let it: TestApp
let stage: SiteStage
let other: SiteStage
let address: string
let now = Date.parse('2026-06-01T12:00:00Z')
beforeAll(async () => {
  it = await createTestApp({ clock: { now: () => new Date(now) } })
  stage = await createSiteStage(it, 'Acme docs')
  other = await createSiteStage(it, 'Other')
  // The first reader has it published.
  other.commit({ 'secret.svg': '<svg/>', 'index.mdx': 'Other words.' })
  stage.commit(files)
  address = await it.app.listen({ host: '127.0.0.1', port: 0 })
  await it.call('POST', `/v1/projects/${stage.id}/domains`, { body: { name: domain } })
})
afterAll(() => it.close())

const read = (path: string, options: CallOptions = {}) =>
  it.call('GET', `/sites/${stage.slug}${path}`, { key: null, ...options })
const atDomain = (path: string, options: CallOptions = {}) =>
  it.call('GET', path, { key: null, ...options, headers: { host: domain, ...options.headers } })

/** As it is written: what tests call with otherwise resolves dots by itself. */
const readRaw = (path: string) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request(address, { path: `/sites/${stage.slug}${path}` }, async (answer) => {
      const pieces: Buffer[] = []
      for await (const piece of answer) pieces.push(piece)
      resolve({ status: answer.statusCode!, text: String(Buffer.concat(pieces)) })
    })
    sent.on('error', reject).end()
  })

describe('a site under its name', () => {
  test('is read by anybody', async () => {
    const { status, headers, text } = await read('/guides/setup')
    expect(status, text).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(text).toContain('zebra')
    expect(headers['x-request-id']).toBeTruthy()
    expect(headers['set-cookie']).toBeUndefined()
  })

  test('without its slash is sent to the one with it', async () => {
    const { status, headers } = await it.call('GET', `/sites/${stage.slug}?x=1`, { key: null })
    expect([status, headers.location]).toEqual([308, `/sites/${stage.slug}/?x=1`])
  })

  test('that is not there is a page that says so', async () => {
    const { status, headers, text } = await it.call('GET', '/sites/nobody/', { key: null })
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(text).toContain('There is no site')
  })

  test('is answered to HEAD without a body', async () => {
    const { status, headers, text } = await it.call('HEAD', `/sites/${stage.slug}/guides/setup`, { key: null })
    expect([status, text]).toEqual([200, ''])
    expect(Number(headers['content-length'])).toBeGreaterThan(1000)
  })

  test('has only its own files', async () => {
    expect((await it.call('GET', `/sites/${other.slug}/secret.svg`, { key: null })).status).toBe(200)
    expect((await read('/secret.svg')).status).toBe(404)
    for (const up of ['/../', '/..%2f', '/%2e%2e/', '/..%5c', '/..\\', '/%252e%252e/']) {
      expect((await readRaw(`${up}${other.slug}/secret.svg`)).status, up).toBe(404)
    }
  })

  test.each([
    '/../../v1/projects',
    '/%2e%2e/%2e%2e/v1/projects',
    '/..%5c..%5cx',
    '//evil.example/..',
    '/a%00',
    '/%252e%252e/docs.json',
    '/docs.json',
    '/.git/config',
  ])('%s is not found', async (path) => {
    const { status, text } = await readRaw(path)
    expect(status).toBe(404)
    expect(text).not.toContain('"navigation"')
  })

  test('has no path of ten thousand letters', async () => {
    expect((await read(`/${'x'.repeat(10_000)}`)).status).toBe(404)
  })

  test('is not counted against the limit of requests, but search and feedback have limits of their own', async () => {
    for (let index = 0; index < 700; index++) {
      const { status, headers } = await read('/', { remoteAddress: '198.51.100.1' })
      if (status !== 200 || headers['ratelimit-limit']) expect([index, status, headers['ratelimit-limit']]).toBeNull()
    }
    const statuses = new Set<number>()
    for (let index = 0; index < 300; index++) {
      statuses.add((await read('/_docent/search?q=zebra', { remoteAddress: '198.51.100.1' })).status)
    }
    expect([...statuses]).toEqual([200, 429])
    expect((await read('/_docent/search?q=zebra', { remoteAddress: '198.51.100.2' })).status).toBe(200)
    // It is the same, however its address is written.
    for (const path of ['/%5Fdocent/search', '//_docent/search', '/_docent//%73earch', '/_docent/search/']) {
      expect([path, (await read(`${path}?q=zebra`, { remoteAddress: '198.51.100.1' })).status]).toEqual([path, 429])
    }
  })

  test('is told of at debug only', async () => {
    await read('/guides/setup?logged')
    const lines = it.logged
      .filter((line) => line.includes(`/sites/${stage.slug}/guides/setup`))
      .map((line) => JSON.parse(line))
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) expect(line.level).toBe('debug')
  })
})

describe('a domain of its own', () => {
  test('shows the site at its root', async () => {
    await until(async () => (await atDomain('/')).status === 200, { withinMs: 5000, waitingFor: 'the domain' })
    const { text, headers } = await atDomain('/')
    expect(text).toContain('href="/guides/setup"')
    expect(headers.link).toContain(`//${domain}`)
    expect((await atDomain('/guides/setup.md')).text).toContain(`//${domain}`)
    expect((await atDomain('/old')).headers.location).toBe('/guides/setup')
  })

  test('is found however the name is written', async () => {
    for (const host of ['DOCS.acme.EXAMPLE', `${domain}:8080`, `${domain}.`]) {
      expect((await atDomain('/guides/setup', { headers: { host } })).status).toBe(200)
    }
  })

  test.each([
    '/v1/projects',
    '/healthz',
    '/metrics',
    '/reference',
    '/openapi.json',
    '/git/x/pulls',
    `/sites/x/`,
    '/readyz',
  ])('has no %s of the server', async (path) => {
    const { status, headers, body } = await it.call('GET', path, { headers: { host: domain } })
    expect(status).toBe(404)
    expect(headers['content-type']).toMatch(/^text\/(?:html|plain)/)
    expect(body).toBeNull()
  })

  test('takes no changes, whatever key comes with them', async () => {
    const { status } = await it.call('POST', '/v1/projects', { headers: { host: domain }, body: { name: 'x' } })
    expect(status).toBe(405)
  })

  test('changes nothing for other names, which are answered as ever', async () => {
    const unknown = await it.call('GET', '/v1/projects', { headers: { host: 'unknown.example' } })
    expect(unknown.status).toBe(200)
    expect((await it.call('GET', '/guides/setup', { key: null, headers: { host: 'unknown.example' } })).status).toBe(
      404,
    )
  })

  test('cannot be asked for by an address of its own, nor does any answer name one', async () => {
    for (const path of [`/domain-/${domain}/`, `/domain/${domain}/`, `/${domain}/guides/setup`]) {
      expect((await it.call('GET', path, { key: null })).status).toBe(404)
    }
    const answers = [
      // A method that no route of a site has.
      await it.call('PROPFIND', '/', { key: null, headers: { host: domain } }),
      await atDomain('/nothing'),
      await atDomain('/'),
      await atDomain('/%zz'),
      await atDomain('/guides/setup/'),
    ]
    for (const { text, headers } of answers) expect(text + JSON.stringify(headers)).not.toMatch(/domain-[0-9a-f]{8}/)
    expect(it.logged.join('')).not.toMatch(/domain-[0-9a-f]{8}/)
  })
})

describe('a preview', () => {
  let preview: { url: string; shareUrl: string }
  beforeAll(async () => {
    stage.commit({ 'index.mdx': '---\ntitle: Draft\n---\n\nNot yet.\n' }, { branch: 'a/draft' })
    preview = (await it.call('POST', `/v1/projects/${stage.id}/previews`, { body: { ref: 'a/draft' } })).body
  })
  const pathOf = (url: string) => url.slice(url.indexOf('/previews/'))

  test('is for keys of the organization', async () => {
    const { status, text, headers } = await it.call('GET', pathOf(preview.url))
    expect(status, text).toBe(200)
    expect(text).toContain('Not yet.')
    expect(headers).toMatchObject({
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    })
    const { key } = await it.createOrganization('Elsewhere')
    expect((await it.call('GET', pathOf(preview.url), { key })).status).toBe(404)
  })

  test('asks a browser for a key', async () => {
    const options = { key: null, remoteAddress: '198.51.100.7' }
    const { status, headers } = await it.call('GET', pathOf(preview.url), options)
    expect([status, headers['www-authenticate']]).toEqual([401, 'Basic realm="Docent"'])
  })

  test('is shown to readers at this machine under its own name', async () => {
    expect((await it.call('GET', pathOf(preview.url), { key: null, headers: { host: 'localhost:4000' } })).status).toBe(
      200,
    )
    expect((await it.call('GET', pathOf(preview.url), { key: null, headers: { host: 'evil.example' } })).status).toBe(
      401,
    )
  })

  test('is shown to everybody with a signed link, and to nobody with a changed one', async () => {
    const options = { key: null, remoteAddress: '198.51.100.7' }
    const shared = pathOf(preview.shareUrl)
    const { status, text } = await it.call('GET', shared, options)
    expect(status, text).toBe(200)
    expect(text).toContain('Not yet.')
    const changed = shared.replace(/.\/$/, (end) => (end === 'A/' ? 'B/' : 'A/'))
    expect((await it.call('GET', changed, options)).status).toBe(404)
    expect((await it.call('GET', shared.replace('a~draft', 'main'), options)).status).toBe(404)
    now += 8 * 24 * 3_600_000
    expect((await it.call('GET', shared, options)).status).toBe(404)
    now -= 8 * 24 * 3_600_000
  })

  test('that there is none of is told as a page that says what to do', async () => {
    const saysFor = async (path: string) => {
      const { status, headers, text } = await it.call('GET', path)
      expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
      return text
    }
    expect(await saysFor(`/previews/${stage.slug}/no~such~branch/`)).toContain('~ stands for /')
    expect(await saysFor(pathOf(preview.shareUrl).replace('@1', '@2'))).toContain('Ask whoever sent it for a new one')
    expect(await saysFor('/sites/no-such-site/')).toContain('There is no site at this address')
    await it.call('PATCH', `/v1/projects/${other.id}`, { body: { source: { docsPath: 'handbook' } } })
    expect(await saysFor(`/previews/${other.slug}/main/`)).toContain('no folder handbook')
  })

  test('leaves no signature in the log', async () => {
    await it.call('GET', pathOf(preview.shareUrl), { key: null })
    const [, signature] = /@\d+-([\w-]{43})/.exec(preview.shareUrl)!
    expect(it.logged.join('\n')).toContain('a~draft@')
    expect(it.logged.join('\n')).not.toContain(signature)
  })
})

describe('what readers do', () => {
  const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
  const person = (address: string) => ({
    remoteAddress: address,
    headers: { 'user-agent': chrome, accept: 'text/html,*/*;q=0.8', 'accept-language': 'en' },
  })
  const views = async (): Promise<Record<string, number>> => {
    await it.services.intake.drain()
    const { body } = await it.call('GET', `/v1/analytics/${stage.id}/views?dateFrom=2026-07-01`)
    return Object.fromEntries(
      body.views.map((row: { path: string; human: number; ai: number }) => [row.path, row.human + row.ai]),
    )
  }

  test('is counted once a page, however it was read, and never what is no page', async () => {
    now = Date.parse('2026-07-01T12:00:00Z')
    const first = await read('/guides/setup', person('203.0.113.1'))
    const asked = person('203.0.113.1')
    const again = await read('/guides/setup', {
      ...asked,
      headers: { ...asked.headers, 'if-none-match': String(first.headers.etag) },
    })
    expect(again.status).toBe(304)
    await read('/guides/setup.md', person('203.0.113.1'))
    await read('/', person('203.0.113.1'))
    await atDomain('/guides/setup', person('203.0.113.1'))
    for (const path of [
      '/llms.txt',
      '/llms-full.txt',
      '/sitemap.xml',
      '/nothing',
      '/old',
      '/guides/setup/',
      '/picture.svg',
      '/_docent/search?q=x',
    ]) {
      await read(path, person('203.0.113.1'))
    }
    await it.call('HEAD', `/sites/${stage.slug}/guides/setup`, { key: null, ...person('203.0.113.1') })
    await it.call('GET', `/previews/${stage.slug}/main/guides/setup`, person('203.0.113.1'))
    expect(await views()).toEqual({ '/guides/setup': 4, '/': 1 })
    const { body } = await it.call('GET', `/v1/analytics/${stage.id}/visitors?dateFrom=2026-07-01`)
    expect(body.totals.total ?? body.totals).toBeTruthy()
    const rows = Object.fromEntries(body.visitors.map((row: { path: string; total: number }) => [row.path, row.total]))
    expect(rows).toEqual({ '/guides/setup': 1, '/': 1 })
  })

  test('searches and clicks are exported', async () => {
    const typed = await read('/_docent/search?q=zeb')
    expect(typed.body.searchId).toBeNull()
    const { body } = await read('/_docent/search?q=zebra&final=1')
    expect(body.hits[0]).toMatchObject({ route: '/guides/setup', title: 'Set up' })
    expect(body.searchId).toMatch(/^sch_/)
    const click = { searchId: body.searchId, path: '/guides/setup' }
    const answer = await it.call('POST', `/sites/${stage.slug}/_docent/click`, { key: null, body: click })
    expect(answer.status).toBe(204)
    const { body: searches } = await it.call('GET', `/v1/analytics/${stage.id}/searches`)
    expect(searches.searches).toMatchObject([
      { searchQuery: 'zebra', hits: 1, ctr: 1, topClickedPage: '/guides/setup' },
    ])
  })

  test('feedback is exported', async () => {
    const body = { path: '/guides/setup', helpful: false, comment: 'Which one?' }
    const { status, text, headers } = await it.call('POST', `/sites/${stage.slug}/_docent/feedback`, {
      key: null,
      body,
    })
    expect([status, text, headers['set-cookie']]).toEqual([204, '', undefined])
    const { body: exported } = await it.call('GET', `/v1/analytics/${stage.id}/feedback`)
    expect(exported.feedback).toMatchObject([{ path: '/guides/setup', comment: 'Which one?', helpful: false }])
  })

  test('too long a body is refused', async () => {
    const body = { path: '/', helpful: true, comment: 'x'.repeat(100_000) }
    expect((await it.call('POST', `/sites/${stage.slug}/_docent/feedback`, { key: null, body })).status).toBe(413)
  })
})

test('an agent reads the site by the Model Context Protocol', async () => {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${address}/sites/${stage.slug}/mcp`)))
  expect(client.getInstructions()).toContain('Acme')
  await client.ping()
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['search', 'read_page'])
  const text = async (name: string, args: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: args })
    return { text: (content as { text: string }[])[0]!.text, isError }
  }
  expect((await text('search', { query: 'zebra' })).text).toContain('/guides/setup.md')
  const page = await text('read_page', { path: '/guides/setup' })
  expect(page).toMatchObject({ isError: false, text: expect.stringContaining('# Set up') })
  expect(page.text).toContain('```js\nconst a = 1\n```')
  expect((await text('read_page', { path: '/guides/setpu' })).isError).toBe(true)
  await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toThrow(/no such tool/)
  await client.close()
})
