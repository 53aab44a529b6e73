import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'

// Not the built-in host: making a repository takes longer than all the rest.
const source = { provider: 'github', repository: 'acme/docs' }

let it: TestApp
let projectId: string
beforeAll(async () => {
  it = await createTestApp()
  projectId = await createProject()
})
afterAll(() => it.close())

async function createProject(): Promise<string> {
  return (await it.call('POST', '/v1/projects', { body: { name: 'Docs', source } })).body.id
}
const send = (events: unknown, id = projectId, options: { key?: string | null } = {}) =>
  it.call('POST', `/v1/analytics/${id}/events`, { body: { events }, ...options })
const visitorsOf = async (id: string) => (await it.call('GET', `/v1/analytics/${id}/visitors`)).body

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'
const event = (fields: object = {}) => ({ path: '/guide', ip: '203.0.113.9', userAgent: chrome, ...fields })

test('views are counted as soon as they are acknowledged', async () => {
  const id = await createProject()
  const answer = await send(
    [
      event(),
      event({ path: 'https://docs.example.com/guide/?x=1' }),
      event({
        path: '/guide.md',
        ip: '203.0.113.10',
        userAgent: 'claude-code/2.1',
        accept: 'text/markdown, text/html, */*',
      }),
      event({ path: '/app.js' }),
      { path: '/other', visitorId: 'u1' },
      { path: '/other', visitorId: 'u2', category: 'agent' },
    ],
    id,
  )
  expect(answer).toMatchObject({ status: 202, body: { accepted: 5, skipped: { notPage: 1 } } })
  expect(await visitorsOf(id)).toMatchObject({
    totals: { human: 2, ai: 2, total: 4 },
    visitors: [
      { path: '/guide', human: 1, ai: 1, total: 2 },
      { path: '/other', human: 1, ai: 1, total: 2 },
    ],
    hasMore: false,
  })
})

test('the same id counts once', async () => {
  const id = await createProject()
  const events = ['a', 'b'].map((one) => event({ id: one, visitorId: one, category: 'human' }))
  for (let times = 0; times < 3; times++) expect((await send(events, id)).body.accepted).toBe(2)
  expect((await it.call('GET', `/v1/analytics/${id}/views`)).body.totals.total).toBe(2)
})

test('one bad event is named, and nothing of the batch is kept', async () => {
  const id = await createProject()
  const events = [event(), event(), event(), event({ timestamp: 'yesterday' })]
  const { status, body } = await send(events, id)
  expect({ status, code: body.code }).toEqual({ status: 400, code: 'request.invalid' })
  expect(body.details).toEqual([{ path: 'events.3.timestamp', message: expect.stringContaining('ISO 8601') }])
  expect(body.error).toContain('events.3.timestamp')
  expect((await visitorsOf(id)).totals.total).toBe(0)
})

test('a batch has 1 to 5,000 events, each of which may be long', async () => {
  const id = await createProject()
  expect((await send([], id)).status).toBe(400)
  expect((await send(Array(5001).fill(event()), id)).status).toBe(400)
  const long = Array.from({ length: 5000 }, (_, number) =>
    event({ userAgent: `${chrome} ${'x'.repeat(1000)}`, visitorId: `u${number}` }),
  )
  expect(await send(long, id)).toMatchObject({ status: 202, body: { accepted: 5000 } })
  expect((await visitorsOf(id)).totals.total).toBe(5000)
})

test('a body past the limit is told so, with the right limit', async () => {
  const answer = await send([event({ userAgent: 'x'.repeat(8 * 1024 * 1024) })])
  expect(answer).toMatchObject({ status: 413, body: { error: 'The body is larger than this endpoint takes (8 MiB).' } })
  const elsewhere = await it.call('POST', '/v1/projects', { body: { name: 'x'.repeat(1024 * 1024) } })
  expect(elsewhere).toMatchObject({
    status: 413,
    body: { error: 'The body is larger than this endpoint takes (1 MiB).' },
  })
})

describe('who may not send', () => {
  test('is told what everybody is told', async () => {
    const other = await it.createOrganization('Other')
    const reader = await it.createOrganization('Reader', ['read'])
    const notFound = { status: 404, body: { error: 'There is no such project.', code: 'project.not_found' } }
    expect(await send([event()], 'prj_0000000000000000000000')).toMatchObject(notFound)
    expect(await send([event()], 'nonsense')).toMatchObject(notFound)
    expect(await send([event()], projectId, { key: other.key })).toMatchObject(notFound)
    expect(await send([event()], projectId, { key: null })).toMatchObject({ status: 401 })
    expect(await send([event()], projectId, { key: reader.key })).toMatchObject({ status: 403 })
  })
})

test('hostile texts are taken or skipped, and come back as they are', async () => {
  const id = await createProject()
  const paths = [
    "/'; drop table views; --",
    '/=1+1',
    '/%00',
    '/a\u0000b',
    '/\ud800',
    `/${'a'.repeat(8000)}`,
    '/<script>',
    '/__proto__',
  ]
  const answer = await send(
    paths.map((path) => event({ path, userAgent: `\0${chrome}\ud800`, category: 'human' })),
    id,
  )
  expect(answer).toMatchObject({ status: 202, body: { accepted: 5, skipped: { notPage: 3 } } })
  const { visitors } = await visitorsOf(id)
  expect(visitors.map(({ path }: { path: string }) => path).sort()).toEqual(
    ["/'; drop table views; --", '/%00', '/<script>', '/=1+1', '/__proto__'].sort(),
  )
})

test('settings hold for what comes in from then on', async () => {
  const id = await createProject()
  await send([event()], id)
  await it.call('PATCH', `/v1/analytics/${id}/settings`, {
    body: { rules: [{ networks: ['203.0.113.0/24'], category: 'bot' }] },
  })
  await send([event({ ip: '203.0.113.77' }), event({ ip: '198.51.100.1' })], id)
  expect((await visitorsOf(id)).totals).toEqual({ human: 2, ai: 0, total: 2 })
})

test('a stable id is kept by a visitor over days, a daily one is not', async () => {
  for (const [visitorIds, total] of [
    ['stable', 1],
    ['daily', 2],
  ] as const) {
    const id = await createProject()
    await it.call('PATCH', `/v1/analytics/${id}/settings`, { body: { visitorIds } })
    await send(
      ['2026-01-01T12:00:00Z', '2026-01-02T12:00:00Z'].map((timestamp) => event({ timestamp })),
      id,
    )
    expect((await visitorsOf(id)).totals.total).toBe(total)
  }
})
