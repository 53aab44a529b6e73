import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '#base/log.ts'
import type { NewFeedback } from '#features/analytics/service.ts'
import { anyPath } from '#tests/harness/path-arbitrary.ts'
import { standInEdition } from '#tests/harness/stand-in-edition.ts'
import { handleSiteRequest } from './handle-site-request.ts'
import type { ReaderRecords, ServeDeps } from './serve-deps.ts'
import type { ServedSite, SiteAnswer, SiteRequest } from './served-site.ts'
import { createShelf } from './shelf.ts'

const png = Buffer.from('89504e470d0a1a0a', 'hex')
const files = {
  'docs.json': JSON.stringify({
    name: 'Acme',
    description: 'How Acme works.',
    navigation: { groups: [{ group: 'Start', pages: ['index', 'guides/setup', 'guides/index', 'été', 'elsewhere'] }] },
    redirects: [
      { source: '/old', destination: '/guides/setup' },
      { source: '/chain', destination: '/old' },
      { source: '/loop', destination: '/pool' },
      { source: '/pool', destination: '/loop' },
      { source: '/out', destination: 'https://example.com/there' },
      { source: '/script', destination: 'javascript:alert(1)' },
      { source: '/wild/:rest*', destination: '/:rest*' },
      { source: '/anchor', destination: '/guides/setup#ports' },
      { source: '/guides/setup', destination: '/never' },
    ],
  }),
  'index.mdx':
    '---\ntitle: Welcome\ndescription: The first page.\n---\nHello. See [setup](/guides/setup#ports) and [there](https://example.com/?a=1&b=2).',
  'guides/setup.mdx': `---\ntitle: Set up\n---\nInstall it. ${'Long enough to be worth compressing. '.repeat(80)}[Home](../index) [pic](/logo.png) [bad](javascript:alert(1))`,
  'guides/index.mdx': '---\ntitle: Guides\n---\nAll guides.',
  'été.mdx': '---\ntitle: Été\n---\nChaud.',
  'elsewhere.mdx': '---\ntitle: Elsewhere\nurl: https://example.com/app\n---\n',
  'drafts/secret.mdx': '---\ntitle: Hidden\nhidden: true\n---\nNot listed.',
  'diagram.mdx': '---\ntitle: Diagram\n---\nmermaid',
  'logo.png': png,
  'logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  'run.js': 'alert(1)',
  'big.json': JSON.stringify({ words: 'word '.repeat(1000) }),
  'video.mp4': Buffer.from('0123456789'),
}

let edition: Awaited<ReturnType<typeof standInEdition>>
let deps: ServeDeps
const recorded: unknown[] = []
const records: ReaderRecords = {
  search: async (input) => {
    recorded.push(['search', input.query])
    return 'sch_1'
  },
  click: async ({ searchId, path }) => void recorded.push(['click', searchId, path]),
  feedback: async ({ path, said }: { path: string; said: NewFeedback }) => void recorded.push(['feedback', path, said]),
}
beforeAll(async () => {
  edition = await standInEdition(files, { updatedAt: new Date('2026-05-01T00:00:00Z') })
})
beforeEach(() => {
  recorded.length = 0
  edition.renders = 0
  const log = createLog({ level: 'error', format: 'json', destination: { write: () => {} } })
  deps = {
    renderer: { highlight: async (blocks) => blocks.map(({ text }) => text) },
    shelf: createShelf(),
    log,
    records,
  }
})

const siteAt = (change: Partial<ServedSite> = {}): ServedSite => ({
  projectId: edition.projectId,
  name: 'Project',
  edition,
  base: '/sites/acme',
  origin: 'https://docent.example',
  kind: 'live',
  editUrl: () => null,
  ...change,
})

type Asked = Partial<SiteRequest> & { site?: Partial<ServedSite> }

async function ask(path: string, { site, ...request }: Asked = {}): Promise<SiteAnswer & { text: string }> {
  const [bare = '', search = ''] = path.split('?')
  const whole: SiteRequest = {
    method: 'GET',
    path: bare,
    query: new URLSearchParams(search),
    headers: {},
    body: undefined,
    ...request,
  }
  const answer = await handleSiteRequest(deps, siteAt(site), whole)
  const { body } = answer
  let text = ''
  if (typeof body === 'string' || Buffer.isBuffer(body)) text = String(body)
  else if (body !== null) for await (const piece of body) text += piece
  return { ...answer, text }
}

const post = (path: string, body: unknown, headers: SiteRequest['headers'] = {}) =>
  ask(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  })

describe('a page', () => {
  test('is HTML with its links under the address of the site, and is counted by its route', async () => {
    const { status, headers, text, view } = await ask('/guides/setup')
    expect(status).toBe(200)
    expect(view).toBe('/guides/setup')
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(text).toContain('href="/sites/acme/"')
    expect(text).toContain('href="/sites/acme/logo.png"')
    expect(text).not.toContain('javascript:')
    expect(headers.vary).toBe('Accept, Accept-Encoding')
    expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate')
    expect(headers['content-security-policy']).toContain("script-src 'self'")
    expect(headers['content-security-policy']).not.toContain('unsafe-inline')
  })

  test('says in headers where its other forms and the lists are', async () => {
    const { headers } = await ask('/guides/setup')
    expect(headers.link).toBe(
      [
        '<https://docent.example/sites/acme/guides/setup>; rel="canonical"',
        '<https://docent.example/sites/acme/guides/setup.md>; rel="alternate"; type="text/markdown"',
        '<https://docent.example/sites/acme/llms.txt>; rel="llms-txt"',
        '<https://docent.example/sites/acme/sitemap.xml>; rel="sitemap"',
      ].join(', '),
    )
  })

  test('at a domain of its own stands at the root', async () => {
    const { text, headers } = await ask('/', { site: { base: '', origin: 'https://docs.acme.example' } })
    expect(text).toContain('href="/guides/setup#ports"')
    expect(headers.link).toContain('<https://docs.acme.example/>; rel="canonical"')
  })

  test('with a diagram may have styles of its own, but no scripts', async () => {
    const { headers } = await ask('/diagram')
    expect(headers['content-security-policy']).toContain("style-src 'self' 'unsafe-inline'")
    expect(headers['content-security-policy']).toContain("script-src 'self';")
  })

  test('is rendered once, however many ask for it at once and after', async () => {
    await Promise.all([ask('/guides/setup'), ask('/guides/setup'), ask('/guides/setup')])
    await ask('/guides/setup')
    expect(edition.renders).toBe(1)
  })

  test('is rendered again for another address and another edition', async () => {
    await ask('/')
    await ask('/', { site: { base: '' } })
    const next = await standInEdition({ ...files, 'index.mdx': 'New words.' }, { id: 'edition-2' })
    const { text } = await ask('/', { site: { edition: next } })
    expect(text).toContain('New words.')
    expect((await ask('/')).text).toContain('Hello.')
  })

  test('is made anew once its date is known, and not before', async () => {
    const dates: { at: Date | null } = { at: null }
    const site = { edition: { ...edition, updatedAt: () => dates.at } }
    const before = edition.renders
    await ask('/', { site })
    await ask('/', { site })
    expect(edition.renders - before).toBe(1)
    dates.at = new Date('2026-05-01T00:00:00Z')
    await ask('/', { site })
    await ask('/', { site })
    expect(edition.renders - before).toBe(2)
  })

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('is sent compressed by %s to clients that take it', async (encoding, decode) => {
    const plain = await ask('/guides/setup')
    const { headers, body } = await ask('/guides/setup', { headers: { 'accept-encoding': encoding } })
    expect(headers['content-encoding']).toBe(encoding)
    expect(headers['content-length']).toBe(String((body as Buffer).length))
    expect(String(decode(body as Buffer))).toBe(plain.text)
    expect((body as Buffer).length).toBeLessThan(plain.text.length)
  })

  test('that the client has already is not sent again, and is a view all the same', async () => {
    const { headers } = await ask('/guides/setup')
    const again = await ask('/guides/setup', { headers: { 'if-none-match': headers.etag! } })
    expect(again).toMatchObject({ status: 304, body: null, view: '/guides/setup' })
    expect(again.headers.etag).toBe(headers.etag)
  })

  test('has other tags as HTML and as Markdown', async () => {
    const html = await ask('/guides/setup')
    const markdown = await ask('/guides/setup.md')
    expect(html.headers.etag).not.toBe(markdown.headers.etag)
  })

  test('of a name that is not ASCII is found as browsers write it', async () => {
    const { status, headers } = await ask('/%C3%A9t%C3%A9')
    expect(status).toBe(200)
    expect(headers.link).toContain('/sites/acme/%C3%A9t%C3%A9>; rel="canonical"')
  })

  test('that is only a link leads there', async () => {
    const { status, headers } = await ask('/elsewhere')
    expect([status, headers.location]).toEqual([307, 'https://example.com/app'])
  })

  test('that is hidden can be read, and says that it is not to be listed', async () => {
    const { status, headers } = await ask('/drafts/secret')
    expect([status, headers['x-robots-tag']]).toEqual([200, 'noindex'])
  })
})

describe('Markdown', () => {
  const markdown = 'text/markdown; charset=utf-8'

  test('is at the address with .md, with whole links to other Markdown, and where the index is', async () => {
    const { headers, text, view } = await ask('/index.md')
    expect(headers['content-type']).toBe(markdown)
    expect(headers.vary).toBe('Accept-Encoding')
    expect(view).toBe('/')
    expect(text).toBe(
      [
        '> Documentation index: https://docent.example/sites/acme/llms.txt',
        '# Welcome',
        'The first page.',
        'Source: https://docent.example/sites/acme/',
        'Hello. See [setup](https://docent.example/sites/acme/guides/setup.md#ports) and [there](https://example.com/?a=1&b=2).\n',
      ].join('\n\n'),
    )
  })

  test.each([
    ['/guides/setup.md', {}, '/guides/setup'],
    ['/guides/setup.mdx', {}, '/guides/setup'],
    ['/guides.md', {}, '/guides'],
    ['/guides/index.md', {}, '/guides'],
    ['/guides/setup', { accept: 'text/markdown' }, '/guides/setup'],
    ['/', { accept: 'text/markdown, text/html, */*' }, '/'],
  ])('%s %o is that of %s', async (path, headers, route) => {
    const answer = await ask(path, { headers })
    expect(answer).toMatchObject({ status: 200, view: route })
    expect(answer.headers['content-type']).toBe(markdown)
  })

  test('at the address of the HTML varies by what is accepted', async () => {
    const { headers } = await ask('/', { headers: { accept: 'text/markdown' } })
    expect(headers.vary).toBe('Accept, Accept-Encoding')
  })
})

describe('other names of a page lead to the one', () => {
  test.each([
    ['/guides/setup/', '/sites/acme/guides/setup'],
    ['/guides/setup/?a=1', '/sites/acme/guides/setup?a=1'],
    ['//guides///setup', '/sites/acme/guides/setup'],
    ['/guides/index', '/sites/acme/guides'],
    ['/index', '/sites/acme/'],
    ['/index.html', '/sites/acme/'],
    ['/guides/setup.html', '/sites/acme/guides/setup'],
    ['/old', '/sites/acme/guides/setup'],
    ['/old/', '/sites/acme/guides/setup'],
    ['/old?a=1', '/sites/acme/guides/setup?a=1'],
    ['/chain', '/sites/acme/guides/setup'],
    ['/anchor?a=1', '/sites/acme/guides/setup?a=1#ports'],
    ['/out', 'https://example.com/there'],
    ['/wild/guides', '/sites/acme/guides'],
  ])('%s is sent to %s', async (path, location) => {
    const { status, headers } = await ask(path)
    expect([status, headers.location]).toEqual([308, location])
  })

  test('a redirect does not hide a page', async () => {
    expect((await ask('/guides/setup')).status).toBe(200)
  })

  test.each(['/loop', '/script'])('%s leads nowhere, and is not found', async (path) => {
    const { status, headers } = await ask(path)
    expect([status, headers.location]).toEqual([404, undefined])
  })

  test.each([
    '/wild//evil.example',
    '/wild/%2fevil.example',
    '/wild/\\evil.example',
    '//evil.example/',
    '/wild/%5cevil.example',
  ])('%s leads to no other host, also where the site is at the root of one', async (path) => {
    const { headers } = await ask(path, { site: { base: '' } })
    expect(headers.location ?? '/').toMatch(/^\/(?![/\\])/)
  })
})

describe('what is not there', () => {
  test('is a 404 with pages of a similar name', async () => {
    const { status, text, view, headers } = await ask('/guide/setpu')
    expect([status, view]).toEqual([404, null])
    expect(headers['content-type']).toMatch(/html/)
    expect(text).toContain('href="/sites/acme/guides/setup"')
  })

  test('is told as Markdown to those who want it', async () => {
    const { status, headers, text } = await ask('/guides/setop', { headers: { accept: 'text/markdown' } })
    expect(status).toBe(404)
    expect(headers['content-type']).toMatch(/^text\/markdown/)
    expect(text).toContain('(https://docent.example/sites/acme/guides/setup.md)')
    expect(text).toContain('https://docent.example/sites/acme/llms.txt')
  })

  test('is a word where a picture is missing, and a page where somebody looks for it', async () => {
    expect((await ask('/nothing.png', { headers: { accept: 'image/*,*/*;q=0.8' } })).text).toBe('Not found.\n')
    expect((await ask('/nothing.png', { headers: { accept: 'text/html' } })).text).toContain('<main')
  })

  test.each([
    '/%2e%2e/%2e%2e/etc/passwd',
    '/..%2f..%2fetc/passwd',
    '/..%5c..%5cetc',
    '/%252e%252e/docs.json',
    '/a%00.png',
    '/\\..\\x',
    '/docs.json',
    '/index.mdx/x',
    '/guides/setup.mdx.png',
    '/_docent/../docs.json',
    '/_docent/nothing.js',
    '/_docent/%2e%2e/docs.json',
    '/__proto__',
    '/constructor',
    `/${'x'.repeat(10_000)}`,
    `/${'a/'.repeat(1000)}`,
  ])('%s', async (path) => {
    const { status, text } = await ask(path)
    expect(status).toBe(404)
    expect(text.length).toBeLessThan(30_000)
    expect(text).not.toContain('"navigation"')
  })
})

describe('a file of the repository', () => {
  test('is sent as what it is, with a tag', async () => {
    const { status, headers, body, view } = await ask('/logo.png')
    expect([status, headers['content-type'], view]).toEqual([200, 'image/png', null])
    expect(body).toEqual(png)
    expect(headers['x-content-type-options']).toBe('nosniff')
    const again = await ask('/logo.png', { headers: { 'if-none-match': headers.etag! } })
    expect([again.status, again.body]).toEqual([304, null])
  })

  test('that could run scripts is kept from it', async () => {
    const svg = await ask('/logo.svg')
    expect(svg.headers['content-type']).toBe('image/svg+xml')
    expect(svg.headers['content-security-policy']).toMatch(/default-src 'none'.*sandbox$/)
    const script = await ask('/run.js')
    expect(script.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(script.headers['x-content-type-options']).toBe('nosniff')
  })

  test('that is text is compressed for those who take it', async () => {
    const { headers, body } = await ask('/big.json', { headers: { 'accept-encoding': 'gzip' } })
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
    expect(String(gunzipSync(body as Buffer))).toBe(files['big.json'])
    expect((await ask('/big.json', { headers: { 'if-none-match': headers.etag! } })).status).toBe(304)
  })

  test.each([
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=4-', 206, '456789', 'bytes 4-9/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
    ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=5-2', 200, '0123456789', undefined],
    ['bytes=0-1,3-4', 200, '0123456789', undefined],
    ['bytes=-', 200, '0123456789', undefined],
    ['lines=0-1', 200, '0123456789', undefined],
    [`bytes=0-${'9'.repeat(400)}`, 200, '0123456789', undefined],
  ])('%s: %d', async (range, status, text, contentRange) => {
    const answer = await ask('/video.mp4', { headers: { range } })
    expect([answer.status, answer.text, answer.headers['content-range']]).toEqual([status, text, contentRange])
    expect(answer.headers['content-type']).toBe(status === 416 ? undefined : 'video/mp4')
  })

  test('that changed meanwhile is sent whole', async () => {
    const { headers } = await ask('/video.mp4')
    const part = await ask('/video.mp4', { headers: { range: 'bytes=0-1', 'if-range': headers.etag! } })
    expect(part.status).toBe(206)
    const whole = await ask('/video.mp4', { headers: { range: 'bytes=0-1', 'if-range': '"other"' } })
    expect(whole.status).toBe(200)
  })
})

describe('a draft', () => {
  test.each(['/', '/index.md', '/logo.png', '/nothing', '/old', '/llms.txt'])(
    'keeps %s to those who see it',
    async (path) => {
      const { headers } = await ask(path, { site: { kind: 'preview', base: '/previews/acme/main' } })
      expect(headers['cache-control']).toBe('private, no-store')
      expect(headers['x-robots-tag']).toBe('noindex')
      expect(headers['referrer-policy']).toBe('no-referrer')
    },
  )

  test('asks programs to leave it alone', async () => {
    expect((await ask('/robots.txt', { site: { kind: 'preview' } })).text).toContain('Disallow: /\n')
  })

  test('records nothing', async () => {
    await ask('/_docent/search?q=setup&final=1', { site: { kind: 'preview' } })
    expect(recorded).toEqual([])
  })
})

describe('search', () => {
  const search = async (query: string) => JSON.parse((await ask(`/_docent/search?${query}`)).text)

  test('answers with what was found, and records nothing while somebody types', async () => {
    const { searchId, hits } = await search('q=install')
    expect(searchId).toBeNull()
    expect(hits.map(({ route }: { route: string }) => route)).toEqual(['/guides/setup'])
    expect(recorded).toEqual([])
  })

  test('records what somebody ended at', async () => {
    expect((await search('q=install&final=1')).searchId).toBe('sch_1')
    expect(recorded).toEqual([['search', 'install']])
  })

  test.each(['', 'q=', 'q=%20', `q=${'x'.repeat(5000)}`])('%j finds nothing', async (query) => {
    expect((await search(query)).hits).toEqual([])
  })

  test('records a click, and the search with it where that was not recorded', async () => {
    expect((await post('/_docent/click', { searchId: 'sch_9', path: '/guides/setup' })).status).toBe(204)
    expect((await post('/_docent/click', { searchId: null, query: 'install', path: '/guides/setup#x' })).status).toBe(
      204,
    )
    expect(recorded).toEqual([
      ['click', 'sch_9', '/guides/setup'],
      ['search', 'install'],
      ['click', 'sch_1', '/guides/setup'],
    ])
  })
})

describe('feedback', () => {
  test('is recorded for the page it is about', async () => {
    const { status } = await post('/_docent/feedback', {
      path: '/guides/setup/',
      helpful: false,
      comment: ' Which port? ',
    })
    expect(status).toBe(204)
    expect(recorded).toEqual([['feedback', '/guides/setup', { helpful: false, comment: 'Which port?', contact: null }]])
  })

  test('is taken from a beacon too, which calls it text', async () => {
    const { status } = await post(
      '/_docent/feedback',
      { path: '/', helpful: true },
      { 'content-type': 'text/plain;charset=UTF-8' },
    )
    expect(status).toBe(204)
    expect(recorded).toHaveLength(1)
  })

  test.each<[string, unknown, SiteRequest['headers'], number]>([
    ['of no page', { path: '/nothing', helpful: true }, {}, 404],
    ['without an answer', { path: '/' }, {}, 400],
    ['that is no JSON', '{', {}, 400],
    ['with a comment of a book', { path: '/', helpful: true, comment: 'x'.repeat(6000) }, {}, 400],
    ['as a form', { path: '/', helpful: true }, { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['from a page elsewhere', { path: '/', helpful: true }, { origin: 'https://evil.example' }, 403],
    [
      'from elsewhere under our own name',
      { path: '/', helpful: true },
      { origin: 'https://evil.example', host: 'evil.example' },
      403,
    ],
    ['from a frame without origin', { path: '/', helpful: true }, { origin: 'null' }, 403],
    ['across sites', { path: '/', helpful: true }, { 'sec-fetch-site': 'cross-site' }, 403],
  ])('%s is refused', async (_name, body, headers, expected) => {
    const { status, text } = await post('/_docent/feedback', body, headers)
    expect([status, typeof JSON.parse(text).error]).toEqual([expected, 'string'])
    expect(recorded).toEqual([])
  })

  test('is taken from the site itself, and at this machine', async () => {
    const body = { path: '/', helpful: true }
    const own = await post('/_docent/feedback', body, { origin: 'https://docent.example' })
    const here = await post('/_docent/feedback', body, { origin: 'http://localhost:4000', host: 'localhost:4000' })
    expect([own.status, here.status]).toEqual([204, 204])
  })
})

describe('methods', () => {
  test.each([
    ['POST', '/', 405],
    ['DELETE', '/guides/setup', 405],
    ['PUT', '/_docent/search', 405],
    ['GET', '/_docent/feedback', 405],
    ['GET', '/mcp', 405],
    ['POST', '/%00', 405],
  ])('%s %s is %d', async (method, path, expected) => {
    const { status, headers } = await ask(path, { method })
    expect(status).toBe(expected)
    expect(headers.allow).toBeTruthy()
  })
})

test('whatever is asked for is answered, and sends nobody to another host', async () => {
  const known = [
    '/guides/setup',
    '/old',
    '/wild/',
    '/index',
    '/_docent/',
    '/llms',
    '.md',
    '.html',
    '%2e%2e',
    '?q=',
    '#',
  ]
  const path = fc
    .array(fc.oneof(anyPath, fc.constantFrom(...known)), { maxLength: 4 })
    .map((parts) => `/${parts.join('')}`)
  const header = fc.option(fc.string({ maxLength: 30 }), { nil: undefined })
  const headers = fc.record({
    accept: fc.oneof(header, fc.constantFrom('text/markdown', 'text/html')),
    range: fc.oneof(header, fc.constant('bytes=0-')),
    'if-none-match': header,
    'accept-encoding': fc.oneof(header, fc.constantFrom('br', 'gzip')),
  })
  const method = fc.constantFrom('GET', 'HEAD', 'POST', 'DELETE')
  await fc.assert(
    fc.asyncProperty(path, headers, method, async (wanted, sent, how) => {
      const answer = await ask(wanted, { headers: sent, method: how, site: { base: '' } })
      expect([200, 206, 304, 307, 308, 400, 403, 404, 405, 415, 416]).toContain(answer.status)
      const { location } = answer.headers
      if (location !== undefined && !location.startsWith('https://example.com/'))
        expect(location).toMatch(/^\/(?![/\\])/)
      for (const value of Object.values(answer.headers)) expect(value).toMatch(/^[\x20-\x7e]*$/)
    }),
    { numRuns: 300 },
  )
})

test('a project that got another name is shown with it at once', async () => {
  const unnamed = await standInEdition({ 'index.mdx': '---\ntitle: Start\n---\nHello.' })
  for (const name of ['Before', 'After']) {
    const site = siteAt({ edition: unnamed, name })
    for (const path of ['/', '/llms.txt']) expect((await ask(path, { site })).text).toContain(name)
  }
})
