// Runs on PGlite alone: views are in the event store, whichever database there is.
import { once } from 'node:events'
import { type IncomingMessage, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { View } from '#backends/events/view.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { testAdminKey } from '#tests/harness/test-config.ts'

const noon = Date.parse('2026-03-10T12:00:00Z')
const verdict = {
  category: 'bot',
  client: '=cmd',
  reason: 'told by a test',
  verification: 'claimed',
  listVersion: '1',
} as const

let it: TestApp
let projectId: string
beforeAll(async () => {
  it = await createTestApp()
  const source = { provider: 'github', repository: 'acme/docs' }
  projectId = (await it.call('POST', '/v1/projects', { body: { name: 'My docs', source } })).body.id
  // More than the buffers on the way to a client take.
  const views = Array.from({ length: 40_000 }, (_, index): View => {
    const view = { projectId, at: noon + index, path: '/a', visitor: BigInt(index), verdict }
    return { ...view, eventId: null, referrer: null, source: 'events' }
  })
  await it.services.events.append(views)
  await it.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => it.close())
afterEach(() => vi.restoreAllMocks())

const address = (query: string) => `/v1/analytics/${projectId}/export?${query}`

/** A client on a socket, and the stream that the store gave for it. */
function download() {
  const asked = vi.spyOn(it.services.events, 'exportViews')
  const headers = { authorization: `Bearer ${testAdminKey}` }
  const { port } = it.app.server.address() as AddressInfo
  const request = sendRequest({ host: '127.0.0.1', port, path: address(''), headers })
  request.on('error', () => {})
  request.end()
  const stream = async () => {
    await vi.waitFor(() => expect(asked).toHaveBeenCalled())
    return (await asked.mock.results[0]!.value) as Readable
  }
  return { request, stream }
}

test('every view is exported, oldest first, under a name for the file', async () => {
  const { status, headers, text } = await it.call('GET', address('dateTo=2026-03-10T12:00:01Z'))
  expect(status).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'application/x-ndjson',
    'content-disposition': 'attachment; filename="views-my-docs.jsonl"',
  })
  const lines = text.trimEnd().split('\n')
  expect(lines).toHaveLength(1000)
  expect(JSON.parse(lines[10]!)).toEqual({
    timestamp: '2026-03-10T12:00:00.010Z',
    path: '/a',
    visitor: '000000000000000a',
    ...verdict,
    referrer: null,
    source: 'events',
  })
})

test('Parquet has its own type and name', async () => {
  const { status, headers, text } = await it.call('GET', address('format=parquet'))
  expect(status).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'application/vnd.apache.parquet',
    'content-disposition': 'attachment; filename="views-my-docs.parquet"',
  })
  expect(text).toMatch(/^PAR1.+PAR1$/s)
})

test('no file is made for a question about the headers alone', async () => {
  const asked = vi.spyOn(it.services.events, 'exportViews')
  expect((await it.call('HEAD', address(''))).status).toBe(404)
  expect(asked).not.toHaveBeenCalled()
})

test('a client that goes away in the middle leaves nothing open', async () => {
  const { request, stream } = download()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  await once(response, 'data')
  const file = await stream()
  expect(file.readableEnded).toBe(false)
  request.destroy()
  await vi.waitFor(() => expect(file.closed).toBe(true))
})

test('a client that went away before it began leaves nothing open', async () => {
  const { request, stream } = download()
  await once(request, 'socket')
  setTimeout(() => request.destroy(), 5)
  const file = await stream()
  await vi.waitFor(() => expect(file.closed).toBe(true), { timeout: 5000 })
})

test('a failure on the way breaks the connection, so that no client takes half for the whole', async () => {
  const { request, stream } = download()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  await once(response, 'data')
  const file = await stream()
  file.destroy(new Error('the disk is gone'))
  const read = async () => {
    for await (const _chunk of response);
  }
  await expect(read()).rejects.toThrow('aborted')
})
