import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { freePort } from '#tests/harness/free-port.ts'
import { listRanges } from './list-ranges.ts'
import { rangeSources } from './range-sources.ts'
import { updateRanges } from './update-ranges.ts'

let server: Server
let origin: string
let folder: string
/** What the server answers, by path. */
let answers: Record<string, { status?: number; body: string | Buffer }>
let asked: string[]

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers['user-agent']}`)
    const { status = 200, body } = answers[request.url ?? ''] ?? { status: 404, body: 'none' }
    response.writeHead(status).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'docent-update-')), 'ranges')
  answers = {}
  asked = []
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true }))

const now = new Date('2026-11-15T12:00:00.000Z')
const source = (name: string, format: 'json' | 'page' = 'json') => {
  return { name, operator: 'Somebody', url: `${origin}/${name}`, format, anonymous: null }
}
const key = {
  kty: 'OKP',
  crv: 'Ed25519',
  x: '7F_3jDlxaquwh291MiACkcS3Opq88NksyHiakzS-Y1g',
  kid: 'otMqcjr17mGyruktGvJU8oojQTSMHlVm7uO-lrcqbdg',
}

function update(names: string[], { only = [] as string[], agents = [] as string[] } = {}) {
  return updateRanges({
    folder,
    only,
    clock: { now: () => now },
    userAgent: 'Docent/test',
    sources: names.map((name) => source(name, name.startsWith('page') ? 'page' : 'json')),
    agents: agents.map((host) => ({ host, operator: 'Somebody', client: 'Agent', category: 'agent', source: '' })),
    fetch: (url, init) => fetch(String(url).replace(/^https:\/\/[^/]+/, `${origin}/at`), init),
  })
}

const read = (name: string) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))

test('a list is written as a file that says where it is from and when it was got', async () => {
  answers['/one'] = {
    body: '{"creationTime":"2026-11-14T22:00:00.000000","prefixes":[{"ipv4Prefix":"10.0.0.0/24"},{"ipv6Prefix":"2001:db8::/32"}]}',
  }
  expect(await update(['one'])).toEqual([
    { name: 'one', url: `${origin}/one`, entries: 2, added: 2, removed: 0, fault: null },
  ])
  expect(read('one')).toEqual({
    name: 'one',
    url: `${origin}/one`,
    fetchedAt: '2026-11-15T12:00:00.000Z',
    publishedAt: '2026-11-14T22:00:00.000000',
    prefixes: ['10.0.0.0/24', '2001:db8::/32'],
  })
  expect(asked).toEqual(['/one Docent/test'])
  expect(statSync(join(folder, 'one.json')).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['one.json'])
})

test('what is new and what is gone is counted against the file before', async () => {
  answers['/one'] = { body: '{"prefixes":["10.0.0.0/24","10.0.1.0/24"]}' }
  await update(['one'])
  answers['/one'] = { body: '{"prefixes":["10.0.1.0/24","10.0.2.0/24","10.0.3.0/24"]}' }
  expect(await update(['one'])).toMatchObject([{ entries: 3, added: 2, removed: 1 }])
  expect(await update(['one'])).toMatchObject([{ entries: 3, added: 0, removed: 0 }])
})

test('a page is searched for the list in it', async () => {
  const page = (json: string) =>
    `<html><script>{"other":[1]}</script><pre>${json.replaceAll('"', '&quot;')}</pre></html>`
  answers['/page'] = {
    body: page('{"creationTime":"x","prefixes":[{"ip_prefix":"10.0.0.1"},{"ip_prefix":"10.0.0.2/32"}]}'),
  }
  expect(await update(['page'])).toMatchObject([{ entries: 2, fault: null }])
  expect(read('page').prefixes).toEqual(['10.0.0.1', '10.0.0.2/32'])
  answers['/page'] = { body: '<html>moved</html>' }
  expect((await update(['page']))[0]!.fault).toBe('expected a page with "prefixes" in it')
})

test.each<[string, { status?: number; body: string | Buffer }, RegExp]>([
  ['an error', { status: 503, body: 'later' }, /^answered 503$/],
  ['something else than JSON', { body: '<html>' }, /JSON/],
  ['no prefixes', { body: '{"prefixes":[]}' }, /at least one prefix/],
  ['something that is no network', { body: '{"prefixes":["10.0.0.0/24","evil"]}' }, /expected networks, found "evil"/],
  ['half of the internet', { body: '{"prefixes":["128.0.0.0/1"]}' }, /expected networks/],
  ['too much', { body: Buffer.alloc(6 * 1024 * 1024, ' ') }, /more than 5 MB/],
])('%s leaves the file as it was, and the others are updated', async (_, answer, fault) => {
  answers['/one'] = { body: '{"prefixes":["10.0.0.0/24"]}' }
  answers['/two'] = { body: '{"prefixes":["10.0.0.0/24"]}' }
  await update(['one', 'two'])
  const before = readFileSync(join(folder, 'one.json'), 'utf8')
  answers['/one'] = answer
  answers['/two'] = { body: '{"prefixes":["10.0.9.0/24"]}' }
  const [one, two] = await update(['one', 'two'])
  expect(one).toMatchObject({ entries: 1, added: 0, removed: 0 })
  expect(one!.fault).toMatch(fault)
  expect(two!.fault).toBeNull()
  expect(readFileSync(join(folder, 'one.json'), 'utf8')).toBe(before)
  expect(read('two').prefixes).toEqual(['10.0.9.0/24'])
  expect(readdirSync(folder).sort()).toEqual(['one.json', 'two.json'])
})

test('a server that is away is said to be', async () => {
  const updates = await updateRanges({
    folder,
    only: [],
    fetch,
    clock: { now: () => now },
    userAgent: 'Docent/test',
    sources: [{ ...source('one'), url: `http://127.0.0.1:${await freePort()}/` }],
    agents: [],
  })
  expect(updates[0]!.fault).toMatch(/ECONNREFUSED/)
  expect(existsSync(join(folder, 'one.json'))).toBe(false)
})

test('keys of agents are got from their directory, and only what is needed of them is kept', async () => {
  answers['/at/.well-known/http-message-signatures-directory'] = {
    body: JSON.stringify({ keys: [{ ...key, exp: 1786913274, extra: 'x' }, { kty: 'RSA' }], purpose: 'ai' }),
  }
  const [updated] = await update([], { agents: ['agent.example'] })
  expect(updated).toMatchObject({ name: 'keys-agent.example', entries: 1, added: 1, fault: null })
  expect(read('keys-agent.example').keys).toEqual([{ ...key, nbf: null, exp: 1786913274 }])
})

test('only the named ones are asked for; a name that is not known is refused before anything', async () => {
  answers['/two'] = { body: '{"prefixes":["10.0.0.0/24"]}' }
  expect(await update(['one', 'two'], { only: ['two'] })).toHaveLength(1)
  expect(asked).toEqual(['/two Docent/test'])
  await expect(update(['one', 'two'], { only: ['two', 'x'] })).rejects.toMatchObject({
    kind: 'invalid',
    code: 'ranges.unknown_list',
    message: 'There is no list "x". There is: one, two.',
  })
  expect(asked).toHaveLength(1)
})

test('the listing says what is there, how old it is, and what cannot be read', async () => {
  expect((await listRanges(folder)).every(({ file, fault }) => file === null && fault === null)).toBe(true)
  answers['/bing'] = { body: '{"prefixes":["10.0.0.0/24","10.0.1.0/24"]}' }
  await update(['bing'])
  writeFileSync(join(folder, 'apple.json'), '{}')
  const lists = new Map((await listRanges(folder)).map((list) => [list.name, list]))
  expect(lists.get('bing')).toMatchObject({
    kind: 'addresses',
    file: { entries: 2, fetchedAt: '2026-11-15T12:00:00.000Z' },
  })
  expect(lists.get('apple')).toMatchObject({ file: null, fault: expect.stringMatching(/prefixes/) })
  expect(lists.get('keys-chatgpt.com')).toMatchObject({ kind: 'keys', file: null, fault: null })
})

test('every source is an https address of its operator', () => {
  for (const { url } of rangeSources) expect(new URL(url).protocol).toBe('https:')
})
