import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { mostRows } from './batch-limits.ts'

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
    clients: { address: [0, 1, 1], userAgent: [2, 2, 3], ...changes.clients },
    views: {
      at: [at, at + 1, at + 2, at + 3],
      client: [0, 1, 0, 2],
      path: [4, 4, 4, 5],
      referrer: [6, -1, -1, -1],
      id: ['1', '2', '3', '4'].map((digit) => digit.repeat(16)).join(''),
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
    const clients = { address: [0], userAgent: [1] }
    const one = { at: [at], client: [0], path: [2], referrer: [-1], id: '5'.repeat(16) }
    const answer = await send(batchOf({ texts, clients, views: one }))
    expect(answer.body).toEqual({ accepted: 0, skipped: { notPage: 1 } })
  })

  test('a header that a log tells of decides, and one that it does not tell of does not', async () => {
    const texts = ['192.0.2.9', chrome, '/headers', 'text/markdown, text/html;q=0.5']
    const one = { at: [at], client: [0], path: [2], referrer: [-1] }
    const clients = { address: [0], userAgent: [1] }
    await send(batchOf({ texts, clients: { ...clients, accept: [3] }, views: { ...one, id: '6'.repeat(16) } }))
    await send(batchOf({ texts, clients: { ...clients, accept: [-2] }, views: { ...one, id: '7'.repeat(16) } }))
    const row = (await views()).views.find(({ path }: { path: string }) => path === '/headers')
    expect(row).toEqual({ path: '/headers', human: 1, ai: 1, total: 2 })
  })

  test('an empty batch moves the position', async () => {
    const none = { at: [], client: [], path: [], referrer: [], id: '' }
    const log = { fingerprint: 'cd'.repeat(32), position: 99 }
    const answer = await send(batchOf({ texts: [], clients: { address: [], userAgent: [] }, views: none, log }))
    expect(answer).toMatchObject({ status: 200, body: { accepted: 0 } })
    const found = await it.call('GET', `/v1/analytics/${project}/imports/${'cd'.repeat(32)}`)
    expect(found.body.position).toBe(99)
  })
})

describe('refusing', () => {
  test.each<[string, Parameters<typeof batchOf>[0], string]>([
    ['a column that is too short', { views: { client: [0, 1, 0] } }, 'views.client'],
    ['a client that is not there', { views: { client: [0, 1, 0, 3] } }, 'views.client'],
    ['a negative client', { views: { client: [0, 1, 0, -1] } }, 'views.client'],
    ['a text that is not there', { views: { path: [4, 4, 4, 7] } }, 'views.path'],
    ['a view without a path', { views: { path: [4, 4, 4, -1] } }, 'views.path'],
    ['a referrer that is not there', { views: { referrer: [9, -1, -1, -1] } }, 'views.referrer'],
    ['an address that is not there', { clients: { address: [0, 1, 99] } }, 'clients.address'],
    ['clients of unequal length', { clients: { accept: [-2] } }, 'clients.accept'],
    ['a fraction', { views: { at: [0.5, 1, 2, 3] } }, 'views.at'],
    ['a time beyond the calendar', { views: { at: [9e15, 1, 2, 3] } }, 'views.at'],
    ['a time that no store can keep', { views: { at: [at, at, at, Date.UTC(2150, 0)] } }, 'views.at'],
    ['a time of a clock that was never set', { views: { at: [at, at, at, 1000] } }, 'views.at'],
    ['half an id', { views: { id: '1'.repeat(63) } }, 'views.id'],
    ['an id that is none', { views: { id: 'g'.repeat(64) } }, 'views.id'],
    ['too many rows', { views: { at: Array.from({ length: mostRows + 1 }, () => 0) } }, 'views.at'],
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
