import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { mostRows } from './batch-limits.ts'
import { encodeColumn } from './number-column.ts'

let it: TestApp
let project: string
beforeAll(async () => {
  it = await createTestApp()
  project = (await it.call('POST', '/v1/projects', { body: { name: 'Docs' } })).body.id
})
afterAll(() => it.close())

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'
const at = Date.UTC(2026, 0, 15)

const indexes = (...items: number[]) => encodeColumn(Int32Array.from(items))
const wide = (...items: (number | bigint)[]) => encodeColumn(BigUint64Array.from(items.map(BigInt)))

const floats = (value: number) => new BigUint64Array(Float64Array.from({ length: 4 }, () => value).buffer)

/** Two people on one page, one of them twice, and a crawler on another. */
function batchOf(changes: { views?: object; clients?: object; log?: object; texts?: unknown } = {}) {
  return {
    texts: changes.texts ?? [
      '192.0.2.1',
      '192.0.2.2',
      chrome,
      'GPTBot/1.2',
      '/guide/',
      '/api.md',
      'https://a.example/x',
    ],
    clients: { address: indexes(0, 1, 1), userAgent: indexes(2, 2, 3), ...changes.clients },
    views: {
      at: wide(at, at + 1, at + 2, at + 3),
      client: indexes(0, 1, 0, 2),
      path: indexes(4, 4, 4, 5),
      referrer: indexes(6, -1, -1, -1),
      id: wide(1, 2, 3, 2n ** 64n - 1n),
      ...changes.views,
    },
    log: {
      fingerprint: 'ab'.repeat(32),
      name: 'access.log',
      position: 400,
      lines: 4,
      checkpoint: 'c0ffee00c0ffee00',
      ...changes.log,
    },
  }
}

const send = (body: unknown, options = {}) => it.call('POST', `/v1/analytics/${project}/imports`, { body, ...options })
const views = async () => (await it.call('GET', `/v1/analytics/${project}/views`)).body

describe('importing', () => {
  test('views are counted once, however often a batch is sent, and the position is kept', async () => {
    for (let time = 0; time < 3; time++) {
      const answer = await send(batchOf())
      expect(answer).toMatchObject({ status: 200, body: { accepted: 4, skipped: {} } })
    }
    expect(await views()).toMatchObject({
      totals: { human: 3, ai: 1, total: 4 },
      views: [
        { path: '/guide', human: 3, ai: 0, total: 3 },
        { path: '/api', human: 0, ai: 1, total: 1 },
      ],
    })
    const { body } = await it.call('GET', `/v1/analytics/${project}/visitors`)
    expect(body.totals).toEqual({ human: 2, ai: 1, total: 3 })
    const position = await it.call('GET', `/v1/analytics/${project}/imports/${'ab'.repeat(32)}`)
    expect(position.body).toEqual({
      fingerprint: 'ab'.repeat(32),
      position: 400,
      lines: 4,
      checkpoint: 'c0ffee00c0ffee00',
    })
  })

  test('what is no page is skipped with its reason', async () => {
    const texts = ['192.0.2.1', chrome, '/logo.png']
    const clients = { address: indexes(0), userAgent: indexes(1) }
    const one = { at: wide(at), client: indexes(0), path: indexes(2), referrer: indexes(-1), id: wide(5) }
    const answer = await send(batchOf({ texts, clients, views: one }))
    expect(answer.body).toEqual({ accepted: 0, skipped: { notPage: 1 } })
  })

  test('a header that a log tells of decides, and one that it does not tell of does not', async () => {
    const texts = ['192.0.2.9', chrome, '/headers', 'text/markdown, text/html;q=0.5']
    const one = { at: wide(at), client: indexes(0), path: indexes(2), referrer: indexes(-1) }
    const clients = { address: indexes(0), userAgent: indexes(1) }
    await send(batchOf({ texts, clients: { ...clients, accept: indexes(3) }, views: { ...one, id: wide(6) } }))
    await send(batchOf({ texts, clients: { ...clients, accept: indexes(-2) }, views: { ...one, id: wide(7) } }))
    const row = (await views()).views.find(({ path }: { path: string }) => path === '/headers')
    expect(row).toEqual({ path: '/headers', human: 1, ai: 1, total: 2 })
  })

  test('an empty batch moves the position', async () => {
    const none = { at: '', client: '', path: '', referrer: '', id: '' }
    const log = { fingerprint: 'cd'.repeat(32), position: 99 }
    const answer = await send(batchOf({ texts: [], clients: { address: '', userAgent: '' }, views: none, log }))
    expect(answer).toMatchObject({ status: 200, body: { accepted: 0 } })
    const found = await it.call('GET', `/v1/analytics/${project}/imports/${'cd'.repeat(32)}`)
    expect(found.body.position).toBe(99)
  })
})

describe('refusing', () => {
  test.each<[string, Parameters<typeof batchOf>[0], string]>([
    ['a column that is too short', { views: { client: indexes(0, 1, 0) } }, 'views.client'],
    ['a column that is too long', { views: { referrer: indexes(-1, -1, -1, -1, -1) } }, 'views.referrer'],
    ['a client that is not there', { views: { client: indexes(0, 1, 0, 3) } }, 'views.client'],
    ['a negative client', { views: { client: indexes(0, 1, 0, -1) } }, 'views.client'],
    ['a text that is not there', { views: { path: indexes(4, 4, 4, 7) } }, 'views.path'],
    ['a text far beyond', { views: { path: indexes(4, 4, 4, 2 ** 31 - 1) } }, 'views.path'],
    ['a view without a path', { views: { path: indexes(4, 4, 4, -1) } }, 'views.path'],
    ['a referrer that is not there', { views: { referrer: indexes(9, -1, -1, -1) } }, 'views.referrer'],
    ['a referrer of which the log does not tell', { views: { referrer: indexes(-2, -1, -1, -1) } }, 'views.referrer'],
    ['an address that is not there', { clients: { address: indexes(0, 1, 99) } }, 'clients.address'],
    ['an address below none', { clients: { address: indexes(0, 1, -(2 ** 31)) } }, 'clients.address'],
    ['clients of unequal length', { clients: { accept: indexes(-2) } }, 'clients.accept'],
    ['numbers as they are', { views: { client: [0, 1, 0, 2] } }, 'views.client'],
    ['half a number', { views: { client: Buffer.alloc(15).toString('base64') } }, 'views.client'],
    ['what is no base64', { views: { client: `${indexes(0, 1, 0).slice(0, -1)}é${indexes(2)}` } }, 'views.client'],
    ['base64 with something between', { views: { client: `\n${indexes(0, 1, 0, 2)}` } }, 'views.client'],
    ['NUL characters', { views: { client: '\0'.repeat(24) } }, 'views.client'],
    ['what is no number', { views: { at: encodeColumn(floats(Number.NaN)) } }, 'views.at'],
    ['a time without an end', { views: { at: encodeColumn(floats(Number.POSITIVE_INFINITY)) } }, 'views.at'],
    ['a time before 1970', { views: { at: wide(at, at, at, 2n ** 64n - 1n) } }, 'views.at'],
    ['a time beyond the calendar', { views: { at: wide(9e15, 1, 2, 3) } }, 'views.at'],
    ['a time that no store can keep', { views: { at: wide(at, at, at, Date.UTC(2150, 0)) } }, 'views.at'],
    ['a time of a clock that was never set', { views: { at: wide(at, at, at, 1000) } }, 'views.at'],
    ['half an id', { views: { id: Buffer.alloc(28).toString('base64') } }, 'views.id'],
    ['too few ids', { views: { id: wide(1, 2, 3) } }, 'views.id'],
    ['too many rows', { views: { at: Buffer.alloc(8 * (mostRows + 1)).toString('base64') } }, 'views.at'],
    ['numbers as texts', { texts: [1, 2, 3, 4, 5, 6, 7] }, 'texts'],
    ['a text that is too long', { texts: ['x'.repeat(9000)] }, 'texts'],
    ['half a surrogate pair', { texts: ['\ud800'] }, 'texts'],
    ['a fingerprint that is none', { log: { fingerprint: '../../etc' } }, 'log.fingerprint'],
    ['a position below zero', { log: { position: -1 } }, 'log.position'],
    ['a name with NUL', { log: { name: 'a\0b' } }, 'log.name'],
  ])('%s is 400 and names the field', async (_, changes, field) => {
    const before = await views()
    const answer = await send(batchOf(changes))
    expect(answer.status).toBe(400)
    expect(answer.body.details[0].path).toBe(field)
    expect(await views()).toEqual(before)
  })

  test('a body beyond 16 MiB is 413', async () => {
    const texts = Array.from({ length: 2200 }, () => 'x'.repeat(8000))
    expect(await send(batchOf({ texts }))).toMatchObject({ status: 413, body: { code: 'request.too_large' } })
  })

  test('a project that is deleted meanwhile is 404, and not a failure of ours', async () => {
    for (const waitMs of [0, 1, 3, 9]) {
      const doomed = (await it.call('POST', '/v1/projects', { body: { name: 'Doomed' } })).body.id
      const sent = Array.from({ length: 8 }, (_, number) => {
        const body = batchOf({ log: { fingerprint: String(number).repeat(64) } })
        return it.call('POST', `/v1/analytics/${doomed}/imports`, { body })
      })
      await sleep(waitMs)
      expect((await it.call('DELETE', `/v1/projects/${doomed}`)).status).toBeLessThan(300)
      for (const answer of await Promise.all(sent)) expect([200, 404], answer.text).toContain(answer.status)
    }
  })

  test('nobody imports without a key that may write, or into another organization', async () => {
    const { key } = await it.createOrganization('Others')
    const reader = await it.createOrganization('Readers', ['read'])
    expect((await send(batchOf(), { key: null })).status).toBe(401)
    expect((await send(batchOf(), { key })).status).toBe(404)
    expect((await send(batchOf(), { key: reader.key })).status).toBe(403)
    const position = `/v1/analytics/${project}/imports/${'ab'.repeat(32)}`
    expect((await it.call('GET', position, { key })).body.code).toBe('project.not_found')
  })

  test.each(['ef'.repeat(32), 'nothing', '%00'])('a log that is not in (%s) is 404', async (fingerprint) => {
    const { status, body } = await it.call('GET', `/v1/analytics/${project}/imports/${fingerprint}`)
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'import.not_found' })
  })
})
