import { beforeAll, describe, expect, test } from 'vitest'
import { standInEdition } from '#tests/harness/stand-in-edition.ts'
import type { ServedSite, SiteRequest } from '../serve/served-site.ts'
import { answerMcp } from './mcp.ts'

let site: ServedSite
beforeAll(async () => {
  const edition = await standInEdition({
    'docs.json': JSON.stringify({ name: 'Acme', navigation: { pages: ['index', 'guides/setup'] } }),
    'index.mdx': '---\ntitle: Welcome\n---\nHello.',
    'guides/setup.mdx': '---\ntitle: Set up\n---\nInstall it.',
  })
  const { projectId } = edition
  site = {
    projectId,
    name: 'P',
    edition,
    base: '/sites/acme',
    origin: 'https://d.example',
    kind: 'live',
    editUrl: () => null,
  }
})

async function say(body: unknown, { method = 'POST', headers = {} as SiteRequest['headers'] } = {}) {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const request = { method, path: '/mcp', query: new URLSearchParams(), headers, body: bytes }
  const answer = await answerMcp(request, { site, markdownOf: async ({ title }) => `Words of ${title}` })
  return { ...answer, json: answer.body === null ? null : JSON.parse(String(answer.body)) }
}

const call = (name: string, args: unknown) =>
  say({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })

test.each([
  ['2025-11-25', '2025-11-25'],
  ['2025-03-26', '2025-03-26'],
  ['1999-01-01', '2025-11-25'],
  [undefined, '2025-11-25'],
])('a client of version %s is answered in %s', async (protocolVersion, expected) => {
  const { json } = await say({ jsonrpc: '2.0', id: 'a', method: 'initialize', params: { protocolVersion } })
  expect(json).toMatchObject({
    jsonrpc: '2.0',
    id: 'a',
    result: { protocolVersion: expected, capabilities: { tools: {} } },
  })
  expect(json.result.serverInfo.name).toContain('Acme')
})

test('what needs no answer is only taken', async () => {
  for (const body of [
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 1, result: {} },
    [{ jsonrpc: '2.0', method: 'notifications/cancelled', params: {} }],
  ]) {
    expect(await say(body)).toMatchObject({ status: 202, body: null })
  }
})

test('several at once are answered at once, without those that need no answer', async () => {
  const { status, json } = await say([
    { jsonrpc: '2.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'nothing' },
  ])
  expect(status).toBe(200)
  expect(json).toEqual([
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 2, error: { code: -32601, message: 'There is no method nothing.' } },
  ])
})

test('of several at once only some may call tools: requests are limited, and each call costs as much as one', async () => {
  const search = { method: 'tools/call', params: { name: 'search', arguments: { query: 'install' } } }
  const { json } = await say(Array.from({ length: 20 }, (_, id) => ({ jsonrpc: '2.0', id, ...search })))
  const answered = json.filter(({ result }: { result?: unknown }) => result !== undefined)
  expect(answered.map(({ id }: { id: number }) => id)).toEqual([0, 1, 2])
  expect(json).toHaveLength(20)
  expect(json[19]).toMatchObject({ id: 19, error: { code: -32600 } })
})

describe('read_page', () => {
  test.each([
    '/guides/setup',
    'guides/setup',
    '/guides/setup.md',
    '/sites/acme/guides/setup',
    'https://d.example/sites/acme/guides/setup#x',
  ])('takes %s', async (path) => {
    const { json } = await call('read_page', { path })
    expect(json.result).toEqual({ content: [{ type: 'text', text: 'Words of Set up' }], isError: false })
  })

  test('tells what may have been meant', async () => {
    const { json } = await call('read_page', { path: '/setup' })
    expect(json.result.isError).toBe(true)
    expect(json.result.content[0].text).toContain('/guides/setup')
  })

  test.each(['https://evil.example/guides/setup', '/../../etc/passwd', '/a\0b', 'javascript:alert(1)', '%2e%2e/x', ''])(
    'has no page %j',
    async (path) => {
      const { json } = await call('read_page', { path })
      expect(json.result.isError).toBe(true)
    },
  )
})

test('search gives titles, addresses and words', async () => {
  const { json } = await call('search', { query: 'install' })
  expect(json.result.isError).toBe(false)
  expect(json.result.content[0].text).toMatch(/1\. Set up\n {3}https:\/\/d\.example\/sites\/acme\/guides\/setup\.md\n/)
  expect((await call('search', { query: 'zebra' })).json.result.content[0].text).toContain('Nothing found')
})

test.each([
  ['search', {}],
  ['search', { query: 'x'.repeat(500) }],
  ['search', { query: 'x', limit: 1000 }],
  ['read_page', { path: 7 }],
])('%s refuses %o in words for a model', async (name, args) => {
  const { json } = await call(name, args)
  expect(json.result.isError).toBe(true)
})

test.each([
  ['{', 400, -32700],
  ['[]', 400, -32600],
  ['"x"', 400, -32600],
  ['{"id":1,"method":"ping"}', 400, -32600],
  [JSON.stringify(Array(50).fill({ jsonrpc: '2.0', id: 1, method: 'ping' })), 400, -32600],
])('%s is refused with %d', async (body, status, code) => {
  const answer = await say(body)
  expect([answer.status, answer.json.error.code]).toEqual([status, code])
})

test.each(['constructor', '__proto__', 'delete_page', 7])('there is no tool %s', async (name) => {
  const { json } = await say({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } })
  expect(json.error.code).toBe(-32602)
})

test('a version that nobody knows is refused, and there is no stream', async () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  expect((await say(ping, { headers: { 'mcp-protocol-version': '1999-01-01' } })).status).toBe(400)
  expect((await say(ping, { headers: { 'mcp-protocol-version': '2025-06-18' } })).status).toBe(200)
  expect(await say('', { method: 'GET' })).toMatchObject({ status: 405, headers: { allow: 'POST' } })
  expect((await say('', { method: 'DELETE' })).status).toBe(405)
})
