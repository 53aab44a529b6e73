import { type AddressInfo, connect } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { testAdminKey } from '#tests/harness/test-config.ts'
import { buildServer } from './server.ts'

let it: TestApp
beforeAll(async () => {
  it = await createTestApp()
  await it.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => it.close())

const json = { 'content-type': 'application/json' }
const mebibyte = 1024 * 1024

/** What every error has, whatever it is about. */
function expectError(answer: { headers: Record<string, unknown>; body: unknown; text: string }, code: string) {
  expect(answer.headers['x-request-id']).toMatch(/^[\w.:-]{1,64}$/)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(answer.body).toEqual({
    error: expect.stringMatching(/./),
    code,
    ...(code === 'request.invalid' ? { details: expect.any(Array) } : {}),
  })
  expect(answer.text).not.toMatch(/at \/|at file:|node_modules|\.ts:/)
}

describe('a body', () => {
  test.each([
    ['that is cut off', '{"name":', 'request.malformed_json'],
    ['with single quotes', `{'name':'x'}`, 'request.malformed_json'],
    ['with a comma too many', '{"name":"x",}', 'request.malformed_json'],
    ['of nothing', '', 'request.malformed_json'],
    ['of bytes that are not UTF-8', Buffer.from('{"name":"\xff"}', 'latin1'), 'request.malformed_json'],
    ['that would set a prototype', '{"name":"x","__proto__":{"polluted":1}}', 'request.malformed_json'],
    ['that would reach a prototype', '{"constructor":{"prototype":{"polluted":1}}}', 'request.malformed_json'],
    ['that is null', 'null', 'request.invalid'],
    ['that is a list', '[]', 'request.invalid'],
    ['that is a text', '"name"', 'request.invalid'],
    ['of 100,000 levels', `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'request.invalid'],
  ])('%s is refused with 400', async (_name, body, code) => {
    const answer = await it.call('POST', '/v1/projects', { body, headers: json })
    expect(answer.status).toBe(400)
    expectError(answer, code)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/json-seq',
    'application/vnd.api+json',
    'json',
    '',
    ';;',
  ])('of the type "%s" is refused with 415', async (type) => {
    const answer = await it.call('POST', '/v1/projects', { body: '{"name":"x"}', headers: { 'content-type': type } })
    expect(answer.status).toBe(415)
    expectError(answer, 'request.not_json')
  })

  test('without a type is refused with 415', async () => {
    const answer = await it.call('POST', '/v1/projects', { body: Buffer.from('{"name":"x"}') })
    expect(answer.status).toBe(415)
    expectError(answer, 'request.not_json')
  })

  test.each(['application/json', 'APPLICATION/JSON', 'application/json; charset=utf-8', 'application/json ;x=y'])(
    'of the type "%s" is read',
    async (type) => {
      const options = { body: '{"name":""}', headers: { 'content-type': type } }
      expect((await it.call('POST', '/v1/projects', options)).body.details).toMatchObject([{ path: 'name' }])
    },
  )

  test.each([
    [{}, 'name', 'expected text, found nothing'],
    [{ name: 5 }, 'name', 'expected text, found number'],
    [
      { name: 'x', source: { provider: 'svn' } },
      'source.provider',
      'expected one of "builtin", "github", "gitlab", "gitea", "bitbucket"',
    ],
  ])('like %j is told what was expected and what was found', async (body, path, message) => {
    const answer = await it.call('POST', '/v1/projects', { body })
    expect(answer.body.details).toContainEqual({ path, message })
  })

  test('of 1 MiB is read, and one byte more is refused with 413', async () => {
    const bodyOf = (bytes: number) => `{"name":"${'x'.repeat(bytes - 11)}"}`
    const fits = await it.call('POST', '/v1/projects', { body: bodyOf(mebibyte), headers: json })
    expect(fits.body.details).toMatchObject([{ path: 'name' }])
    const tooLarge = await it.call('POST', '/v1/projects', { body: bodyOf(mebibyte + 1), headers: json })
    expect(tooLarge.status).toBe(413)
    expectError(tooLarge, 'request.too_large')
  })

  test('is not needed for DELETE, even when the client names a type for it', async () => {
    const answer = await it.call('DELETE', '/v1/projects/unknown', { headers: json })
    expect(answer.status).toBe(404)
  })
})

describe('a text', () => {
  const id = 'prj_0000000000000000000000'
  const withSource = (source: object) => ({ name: 'x', source: { provider: 'gitea', repository: 'a/b', ...source } })

  test.each([
    ['NUL', 'a\0b'],
    ['half a surrogate pair', 'a\ud800b'],
    ['the other half', '\udc00'],
  ])('with %s is refused with 400 in every field', async (_name, text) => {
    const calls = [
      it.call('POST', '/v1/projects', { body: { name: text } }),
      it.call('POST', '/v1/projects', { body: { name: 'x', model: `openai/${text}` } }),
      it.call('POST', '/v1/projects', { body: { name: 'x', source: { provider: text } } }),
      it.call('POST', '/v1/projects', { body: withSource({ repository: `a/${text}` }) }),
      it.call('POST', '/v1/projects', { body: withSource({ repository: `https://x.test/a/${text}` }) }),
      it.call('POST', '/v1/projects', { body: withSource({ ref: text }) }),
      it.call('POST', '/v1/projects', { body: withSource({ docsPath: text }) }),
      it.call('POST', '/v1/projects', { body: withSource({ apiUrl: `https://x.test/${text}` }) }),
      it.call('POST', '/v1/projects', { body: withSource({ apiUrl: text }) }),
      it.call('POST', '/v1/projects', { body: withSource({ token: text }) }),
      it.call('PATCH', `/v1/projects/${id}`, { body: { name: text } }),
      it.call('POST', '/v1/keys', { body: { name: text } }),
      it.call('POST', '/v1/keys', { body: { name: 'x', expiresAt: text } }),
      it.call('POST', '/v1/keys', { body: { name: 'x', allowedAddresses: [`fe80::%${text}`] } }),
    ]
    for (const answer of await Promise.all(calls)) {
      expect(answer.status, answer.text).toBe(400)
      expectError(answer, 'request.invalid')
    }
  })

  test.each(['%00', 'prj_%00', '%F0%9F%98%80', '%25', '..%2F..', 'a%2Fb', `prj_${'%00'.repeat(22)}`, '__proto__'])(
    'that is no id at all, such as %s, is a 404 in a path',
    async (text) => {
      for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
        const body = method === 'PATCH' ? { body: {} } : {}
        const answer = await it.call(method, `/v1/projects/${text}`, body)
        expect(answer.status).toBe(404)
        expectError(answer, 'project.not_found')
      }
      const answer = await it.call('DELETE', `/v1/keys/${text}`)
      expect(answer.status).toBe(404)
      expectError(answer, 'key.not_found')
    },
  )
})

describe('a query', () => {
  const lists = ['/v1/projects', '/v1/keys', '/v1/audit']
  const bad = [
    '-1',
    '1.5',
    'abc',
    '',
    '1e2',
    '0x10',
    '%201',
    '1%20',
    '+1',
    '1%00',
    '1_000',
    '١',
    '9'.repeat(30),
    'null',
  ]
  const faults: [string, string][] = [
    ...['0', '251', ...bad].map((value): [string, string] => ['limit', `limit=${value}`]),
    ...['1000000001', ...bad].map((value): [string, string] => ['offset', `offset=${value}`]),
    ['limit', 'limit=1&limit=2'],
    ['limit', 'limit=1&limit=1'],
    ['offset', 'offset=0&offset=1'],
  ]

  test.each(faults)('with a bad %s is refused with 400 that names it: %s', async (parameter, query) => {
    for (const list of lists) {
      const answer = await it.call('GET', `${list}?${encodeURI(query).replaceAll('%25', '%')}`)
      expect(answer.status).toBe(400)
      expectError(answer, 'request.invalid')
      const message = expect.stringContaining('expected a whole number')
      expect(answer.body.details).toEqual([{ path: parameter, message }])
      expect(answer.body.error).toContain(parameter)
    }
  })

  test('with several faults has them all in details', async () => {
    const { body } = await it.call('GET', '/v1/keys?limit=x&offset=y&includeRevoked=z')
    expect(body.details.map(({ path }: { path: string }) => path)).toEqual(['limit', 'offset', 'includeRevoked'])
  })

  test.each(['limit=1', 'limit=250', 'offset=0', 'offset=1000000000', 'limit=001'])(
    'with %s is taken',
    async (query) => {
      for (const list of lists) expect((await it.call('GET', `${list}?${query}`)).status).toBe(200)
    },
  )

  test('with unknown parameters is answered as if they were not there', async () => {
    const plain = await it.call('GET', '/v1/projects')
    for (const query of ['page=3', 'limit[]=0', 'Limit=0', '__proto__=x&constructor=y', '%ZZ=%ZZ', '&&&=', 'a=%00']) {
      const answer = await it.call('GET', `/v1/projects?${query}`)
      expect(answer.status).toBe(200)
      expect(answer.text).toBe(plain.text)
    }
  })
})

describe('an address that leads nowhere', () => {
  test.each([
    ['/nothing', 404, 'route.not_found'],
    ['/v1', 404, 'route.not_found'],
    ['//', 404, 'route.not_found'],
    ['/v1/projects/', 404, 'project.not_found'],
    ['/V1/PROJECTS', 404, 'route.not_found'],
    ['/%ZZ', 400, 'request.malformed'],
    ['/v1/projects/%', 400, 'request.malformed'],
    ['/v1/projects/%ED%A0%80', 400, 'request.malformed'],
    [`/v1/projects/${'x'.repeat(1000)}`, 400, 'request.malformed'],
  ])('%s is answered as an error', async (url, status, code) => {
    const answer = await it.call('GET', url)
    expect(answer.status).toBe(status)
    expectError(answer, code)
  })

  test.each(['PUT', 'OPTIONS', 'DELETE', 'PATCH'] as const)(
    '%s where there is only GET and POST is a 404',
    async (method) => {
      const answer = await it.call(method, '/v1/projects', { body: 'x', headers: { 'content-type': 'text/plain' } })
      expect(answer.status).toBe(404)
      expectError(answer, 'route.not_found')
    },
  )
})

describe('the request id', () => {
  test.each(['a', 'trace-1:2.3_4', 'x'.repeat(64)])('is the caller’s own when that is harmless: %s', async (given) => {
    for (const url of ['/healthz', '/nothing', '/%ZZ', '/v1/projects']) {
      const { headers } = await it.call('GET', url, { headers: { 'x-request-id': given } })
      expect(headers['x-request-id']).toBe(given)
    }
  })

  test.each(['<script>alert(1)</script>', 'a b', 'a\tb', 'é', '"', '', 'x'.repeat(65), 'a,b', '$(x)'])(
    'is ours when the caller’s could do harm: %s',
    async (given) => {
      for (const url of ['/healthz', '/nothing', '/%ZZ', '/v1/projects']) {
        const { headers } = await it.call('GET', url, { headers: { 'x-request-id': given } })
        expect(headers['x-request-id']).toMatch(/^req_[0-9A-Za-z]{20}$/)
      }
    },
  )

  test('is another one for each request', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => it.call('GET', '/healthz')))
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(20)
  })
})

describe('on the wire', () => {
  const withKey = `authorization: bearer ${testAdminKey}\r\n`
  const post = `POST /v1/projects HTTP/1.1\r\nhost: x\r\n${withKey}content-type: application/json\r\n`
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`

  test.each([
    ['bytes that are no HTTP', '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n', 400, 'request.malformed'],
    ['an unknown method', 'BREW /pot HTTP/1.1\r\nhost: x\r\n\r\n', 400, 'request.malformed'],
    ['an unknown version', 'GET / HTTP/9.9\r\nhost: x\r\n\r\n', 400, 'request.malformed'],
    ['no Host', 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'request.malformed'],
    ['NUL in a header', 'GET /healthz HTTP/1.1\r\nhost: x\r\na: b\0c\r\n\r\n', 400, 'request.malformed'],
    ['bytes above ASCII in the path', 'GET /\xe9 HTTP/1.1\r\nhost: x\r\n\r\n', 400, 'request.malformed'],
    [
      'headers over 16 KiB',
      `GET / HTTP/1.1\r\nhost: x\r\na: ${'b'.repeat(20_000)}\r\n\r\n`,
      431,
      'request.headers_too_large',
    ],
    ['a path over 16 KiB', `GET /${'b'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 431, 'request.headers_too_large'],
    ['a length that is no number', `${post}content-length: -5\r\n\r\n`, 400, 'request.malformed'],
    ['two lengths', `${post}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`, 400, 'request.malformed'],
    [
      'a length and chunks',
      `${post}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
      400,
      'request.malformed',
    ],
    ['a chunk that is none', `${post}transfer-encoding: chunked\r\n\r\nZZ\r\n`, 400, 'request.malformed'],
    [
      'a body over 1 MiB in chunks',
      `${post}transfer-encoding: chunked\r\n\r\n${chunk.repeat(17)}`,
      413,
      'request.too_large',
    ],
    ['a length over 1 MiB, before the body', `${post}content-length: 1048577\r\n\r\n`, 413, 'request.too_large'],
    [
      'an unknown expectation',
      `${post}expect: a miracle\r\ncontent-length: 2\r\nconnection: close\r\n\r\n[]`,
      400,
      'request.invalid',
    ],
    ['a method of WebDAV', 'PROPFIND / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', 404, 'route.not_found'],
    ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', 404, 'route.not_found'],
    [
      'a wish for a web socket',
      'GET /v1/keys HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      401,
      'auth.missing_key',
    ],
    [
      'a key above ASCII',
      'GET /v1/keys HTTP/1.1\r\nhost: x\r\nauthorization: bearer docent_\xe9\r\n\r\n',
      401,
      'auth.unknown_key',
    ],
  ])('%s is answered in the same shape', async (_name, request, status, code) => {
    const answer = await sendRaw(Buffer.from(request, 'latin1'))
    expect(answer.status).toBe(status)
    expectError(answer, code)
  })

  test('HTTP/1.0 needs no Host', async () => {
    expect((await sendRaw('GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200)
  })

  test('an upload that breaks off is no failure of ours', async () => {
    const { port } = it.app.server.address() as AddressInfo
    const before = it.logged.length
    const socket = connect(port, '127.0.0.1')
    socket.write(`${post}content-length: 500\r\n\r\n{"name":`)
    await vi.waitFor(async () => expect(await openConnections()).toBe(1))
    socket.destroy()
    await vi.waitFor(async () => expect(await openConnections()).toBe(0))
    expect(it.logged.slice(before).filter((line) => JSON.parse(line).level === 'error')).toEqual([])
  })
})

describe('a failure of ours', () => {
  test('is a 500 that says nothing of the inside, and the log has it all', async () => {
    await sql`alter table projects add constraint no_bombs check (name <> 'bomb')`.execute(it.services.db)
    const body = { name: 'bomb', source: { provider: 'github', repository: 'a/b' } }
    const answer = await it.call('POST', '/v1/projects', { body, headers: { 'x-request-id': 'failing' } })
    expect(answer.status).toBe(500)
    expectError(answer, 'server.internal')
    expect(answer.text).not.toMatch(/bomb|constraint|projects/)
    const line = it.logged.find((entry) => entry.includes('http.failed') && entry.includes('failing'))
    expect(JSON.parse(line!)).toMatchObject({
      level: 'error',
      requestId: 'failing',
      err: { message: expect.stringContaining('no_bombs') },
    })
  })

  test('of something we need is a 503 with Retry-After that does not name it', async () => {
    vi.stubEnv('PATH', '/nonexistent')
    const answer = await it.call('POST', '/v1/projects', { body: { name: 'no git' } })
    vi.unstubAllEnvs()
    expect(answer.status).toBe(503)
    expectError(answer, 'git.missing')
    expect(answer.headers['retry-after']).toMatch(/^\d+$/)
    expect(answer.body.error).not.toContain('git')
    expect(it.logged.some((line) => line.includes('http.failed') && line.includes('git was not found'))).toBe(true)
  })

  test('to keep running is a 503 with Retry-After: a node that stops takes no more requests', async () => {
    let isStopping = false
    const node = await buildServer({ ...it.services, version: 'x', checks: {}, isStopping: () => isStopping })
    const call = () => node.inject({ url: '/v1/projects', headers: { authorization: `Bearer ${testAdminKey}` } })
    expect((await call()).statusCode).toBe(200)
    isStopping = true
    const { statusCode, headers, payload } = await call()
    expect(statusCode).toBe(503)
    expect(headers['retry-after']).toMatch(/^\d+$/)
    expectError({ headers, body: JSON.parse(payload), text: payload }, 'server.stopping')
    expect((await node.inject('/healthz')).statusCode).toBe(200)
    expect((await node.inject('/readyz')).statusCode).toBe(503)
    await node.close()
  })
})

async function openConnections(): Promise<number> {
  return await new Promise((resolve, reject) => {
    it.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}

/** Sends bytes as they are, and reads one answer. */
async function sendRaw(bytes: string | Buffer) {
  const { port } = it.app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  const whole = await new Promise<string>((resolve, reject) => {
    let received = ''
    socket.on('data', (data) => {
      received += data.toString('utf8')
      const [head, body] = received.split('\r\n\r\n')
      const length = /content-length: (\d+)/i.exec(head!)?.[1]
      if (body !== undefined && Buffer.byteLength(body) >= Number(length)) resolve(received)
    })
    socket.on('close', () => reject(new Error(`closed after ${JSON.stringify(received)}`)))
    // A server that has answered may close while we still send.
    socket.on('error', () => {})
    socket.write(bytes)
  })
  socket.destroy()
  const [head = '', text = ''] = whole.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => line.split(/: (.*)/)).map(([name, value]) => [name!.toLowerCase(), value]),
  )
  return { status: Number(statusLine.split(' ')[1]), headers, text, body: JSON.parse(text) }
}
