import { once } from 'node:events'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '#tests/harness/receiver.ts'
import { createOutboundClient, type NameResolver, type OutboundClientOptions } from './outbound-client.ts'

let receiver: Receiver
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

const never = new AbortController().signal
const here: NameResolver = async () => [{ address: '127.0.0.1', family: 4 }]
const noNames: NameResolver = async (name) => {
  throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' })
}

const client = (options: Partial<OutboundClientOptions> = {}) =>
  createOutboundClient({ userAgent: 'Docent/test', allowPrivate: true, resolveName: noNames, ...options })

interface Overrides {
  timeoutMs?: number
  signal?: AbortSignal
  options?: Partial<OutboundClientOptions>
}

const post = (url: string, { timeoutMs = 5_000, signal = never, options }: Overrides = {}) =>
  client(options).post({ url: new URL(url), headers: { 'x-own': 'yes' }, body: '{"ä":1}', timeoutMs, signal })

describe('a request', () => {
  test('arrives as it was given, and its answer comes back', async () => {
    receiver.onRequest((response) => response.writeHead(418, { 'retry-after': '7' }).end('short and stout'))
    const answer = await post(`${receiver.url}/hooks?a=b`)
    expect(answer).toEqual({ status: 418, location: null, retryAfter: '7', text: 'short and stout' })
    expect(receiver.received).toEqual([
      {
        method: 'POST',
        path: '/hooks?a=b',
        body: '{"ä":1}',
        headers: expect.objectContaining({ 'user-agent': 'Docent/test', 'x-own': 'yes', 'content-length': '8' }),
      },
    ])
  })

  test('goes to the addresses that the name had at the one time it was asked for', async () => {
    const asked: string[] = []
    const rebinding: NameResolver = async (name) => {
      asked.push(name)
      return [{ address: asked.length === 1 ? '127.0.0.1' : '127.0.0.99', family: 4 }]
    }
    const answer = await post(`http://example.com:${receiver.port}/`, { options: { resolveName: rebinding } })
    expect(answer.status).toBe(204)
    expect(asked).toEqual(['example.com'])
    expect(receiver.received[0]!.headers.host).toBe(`example.com:${receiver.port}`)
  })

  test('does not follow a redirect', async () => {
    receiver.onRequest((response) => response.writeHead(307, { location: `${receiver.url}/secret` }).end())
    expect(await post(receiver.url)).toMatchObject({ status: 307, location: `${receiver.url}/secret` })
    expect(receiver.received.length).toBe(1)
  })

  test.each(['ftp://example.com/', 'file:///etc/passwd', 'https://me:pass@example.com/', 'https://me@example.com/'])(
    'is not made to %s',
    async (url) => {
      await expect(post(url)).rejects.toMatchObject({ kind: 'forbidden' })
    },
  )
})

describe('a private address', () => {
  const guarded = { allowPrivate: false }

  test.each([
    ...[
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '0',
      '[::1]',
      '[::ffff:127.0.0.1]',
      'localhost',
    ],
    ...['localhost.', 'a.localhost', '169.254.169.254', '10.0.0.7', '[fd00::1]', 'metadata.google.internal'],
  ])('is not called as %s', async (host) => {
    const request = post(`http://${host}:${receiver.port}/`, { options: { ...guarded, resolveName: here } })
    await expect(request).rejects.toMatchObject({ kind: 'forbidden', code: 'http.private_address' })
    expect(receiver.connections()).toBe(0)
  })

  test.each([
    ['loopback', ['127.0.0.1']],
    ['the unspecified address', ['0.0.0.0']],
    ['a private network', ['192.168.1.1']],
    ['metadata', ['169.254.169.254']],
    ['IPv6 loopback', ['::1']],
    ['IPv4 in IPv6', ['::ffff:127.0.0.1']],
    ['a unique local address', ['fd00:ec2::254']],
    ['a link-local address with its zone', ['fe80::1%lo']],
    ['NAT64', ['64:ff9b::7f00:1']],
    ['a public and a private one', ['8.8.8.8', '127.0.0.1']],
    ['a private and a public one', ['127.0.0.1', '2606:4700:4700::1111']],
    ['something that is no address', ['example.com']],
  ])('is not called by a name that leads to %s', async (_, addresses) => {
    const resolveName: NameResolver = async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    const request = post(`http://rebound.example.com:${receiver.port}/`, { options: { ...guarded, resolveName } })
    await expect(request).rejects.toMatchObject({
      kind: 'forbidden',
      // Whoever chose the name must not learn from us what it means in here.
      message: 'The name leads to a private address.',
    })
    expect(receiver.connections()).toBe(0)
  })

  test('is called where that is allowed, by address and by name', async () => {
    expect(await post(receiver.url)).toMatchObject({ status: 204 })
    const named = await post(`http://localhost:${receiver.port}/`, { options: { resolveName: here } })
    expect(named).toMatchObject({ status: 204 })
  })
})

describe('a receiver', () => {
  const open: { close(): unknown }[] = []
  const sockets = new Set<Socket>()
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
    for (const server of open) server.close()
  })

  /** A server that says these bytes to whoever connects, whatever they say. */
  async function startRaw(talk: (socket: Socket) => void): Promise<string> {
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('data', () => talk(socket))
    })
    open.push(server)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  }

  const unavailable = (message: string | RegExp) => ({
    kind: 'unavailable',
    code: 'http.no_answer',
    message: expect.stringMatching(message),
  })

  test('that never answers is given up after the time limit', async () => {
    receiver.onRequest(() => {})
    await expect(post(receiver.url, { timeoutMs: 200 })).rejects.toMatchObject(
      unavailable(/^No answer within 0\.2 s\.$/),
    )
  })

  test('that sends its head byte by byte is given up after the time limit', async () => {
    const url = await startRaw(async (socket) => {
      for (const byte of `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(1000)}`) {
        socket.write(byte)
        await sleep(20)
      }
    })
    await expect(post(url, { timeoutMs: 300 })).rejects.toMatchObject(unavailable('within 0.3 s'))
  })

  test('whose name is never found is given up after the time limit', async () => {
    const resolveName: NameResolver = () => new Promise(() => {})
    const request = post('http://slow.example.com/', { timeoutMs: 200, options: { resolveName } })
    await expect(request).rejects.toMatchObject(unavailable('within 0.2 s'))
  })

  test('is given up at once when asked to', async () => {
    receiver.onRequest(() => {})
    const stop = new AbortController()
    const request = post(receiver.url, { signal: stop.signal })
    await sleep(50)
    stop.abort()
    await expect(request).rejects.toMatchObject({ kind: 'unavailable' })
  })

  test('that sends without end is heard for a kilobyte, and cut off', async () => {
    let sent = 0
    const cutOff = new Promise<void>((resolve) => {
      receiver.onRequest((response) => {
        response.writeHead(500)
        const pour = () => {
          while (!response.destroyed && response.write('x'.repeat(65_536))) sent += 65_536
        }
        response.on('drain', pour)
        response.on('close', resolve)
        pour()
      })
    })
    const { status, text } = await post(receiver.url)
    expect([status, text]).toEqual([500, 'x'.repeat(1024)])
    await cutOff
    expect(sent).toBeLessThan(20_000_000)
  })

  test('that dribbles its body after the status is left soon', async () => {
    receiver.onRequest(async (response) => {
      response.writeHead(200)
      while (!response.destroyed) {
        response.write('x')
        await sleep(50)
      }
    })
    const startedAt = performance.now()
    const { status, text } = await post(receiver.url, { timeoutMs: 30_000 })
    expect(status).toBe(200)
    expect(text).toMatch(/^x+$/)
    expect(performance.now() - startedAt).toBeLessThan(6_000)
  })

  test.each<[string, (socket: Socket) => void]>([
    ['closes the connection', (socket) => socket.end()],
    ['resets the connection', (socket) => socket.resetAndDestroy()],
    ['speaks something else', (socket) => socket.end('220 mail.example.com ESMTP\r\n')],
    ['has endless headers', (socket) => socket.write(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(100_000)}`)],
    [
      'changes the protocol',
      (socket) => socket.write('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    ],
    ['never gets further than “continue”', (socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n'.repeat(1000))],
  ])('that %s is no answer', async (_, talk) => {
    await expect(post(await startRaw(talk), { timeoutMs: 500 })).rejects.toMatchObject(unavailable('^No answer'))
  })

  test('that cuts its body off has still answered', async () => {
    const url = await startRaw((socket) => socket.end('HTTP/1.1 500 No\r\ncontent-length: 100\r\n\r\nhalf of it'))
    expect(await post(url)).toMatchObject({ status: 500, text: 'half of it' })
  })

  test('that is not there is no answer, in words that name the reason', async () => {
    const { url } = receiver
    await receiver.close()
    await expect(post(url)).rejects.toMatchObject(unavailable('ECONNREFUSED'))
    await expect(post('http://nowhere.example.com/')).rejects.toMatchObject(unavailable('ENOTFOUND'))
  })

  test('whose certificate nobody vouches for is not told anything', async () => {
    let requests = 0
    const server = createHttpsServer(selfSigned, () => requests++)
    open.push(server)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const url = `https://receiver.test:${(server.address() as AddressInfo).port}/`
    await expect(post(url, { options: { resolveName: here } })).rejects.toMatchObject(unavailable('self-signed'))
    expect(requests).toBe(0)
  })
})

/** Of `receiver.test`, good for a hundred years and for nothing else. */
const selfSigned = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg8lWOBQ2vrWV/H1O9
5YveApyNw79LZw+V68jVg/uN03yhRANCAASUE1Z8YJEtNzHYuoMHfknPoIhx9qnv
PTwHH+1lcB67qfyzJ1GOgxxLMRObBZXJFr8z7dby8FpLoWrTlKy/6dQo
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBoTCCAUegAwIBAgIUWwslv1MdRvVMvZ5MMuqrd78swuMwCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNcmVjZWl2ZXIudGVzdDAgFw0yNjExMTUwNTI1MjFaGA8yMTI2
MTAyMjA1MjUyMVowGDEWMBQGA1UEAwwNcmVjZWl2ZXIudGVzdDBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABJQTVnxgkS03Mdi6gwd+Sc+giHH2qe89PAcf7WVwHrup
/LMnUY6DHEsxE5sFlckWvzPt1vLwWkuhatOUrL/p1CijbTBrMB0GA1UdDgQWBBQe
RVNZwoA0gbwDXnQKHNPgr+Ry4jAfBgNVHSMEGDAWgBQeRVNZwoA0gbwDXnQKHNPg
r+Ry4jAPBgNVHRMBAf8EBTADAQH/MBgGA1UdEQQRMA+CDXJlY2VpdmVyLnRlc3Qw
CgYIKoZIzj0EAwIDSAAwRQIgfzOlTZXCV1wNxkgOqWh1g/KW2w3OqGMW9AVIy1+Z
Hc0CIQCRIJZEZpSlw2EXr91P10GZRbxbx7eBu5opgdy6B7MVEQ==
-----END CERTIFICATE-----`,
}
