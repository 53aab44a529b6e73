import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Category, View } from '#backends/events/view.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'

const dayMs = 86_400_000
const noon = Date.parse('2026-03-10T12:00:00Z')

let it: TestApp
let projectId: string
beforeAll(async () => {
  it = await createTestApp({ settings: { baseUrl: 'https://docs.example.com' } })
  projectId = await createProject()
})
afterAll(() => it.close())

async function createProject(): Promise<string> {
  const source = { provider: 'github', repository: 'acme/docs' }
  return (await it.call('POST', '/v1/projects', { body: { name: 'My docs', source } })).body.id
}

function view(change: Partial<View> & { category?: Category; client?: string | null } = {}): View {
  const { category = 'human', client = null, ...rest } = change
  const verification = client === 'GPTBot' ? ('verified' as const) : ('claimed' as const)
  const verdict = { category, client, reason: 'told by a test', verification, listVersion: '1' }
  return {
    projectId,
    at: noon,
    path: '/',
    visitor: 1n,
    eventId: null,
    verdict,
    referrer: null,
    source: 'events',
    ...rest,
  }
}

const get = (report: string, query: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  it.call('GET', `/v1/analytics/${projectId}/${report}?${new URLSearchParams(query)}`, { headers })

const reports = ['visitors', 'views', 'agents', 'referrers', 'timeseries', 'export'] as const
const paged = ['visitors', 'views', 'agents', 'referrers'] as const

describe('a project without views', () => {
  const none = { human: 0, ai: 0, total: 0 }
  test.each([
    ['visitors', { totals: none, visitors: [], hasMore: false }],
    ['views', { totals: none, views: [], hasMore: false }],
    ['agents', { totals: { visitors: 0, views: 0 }, agents: [], hasMore: false }],
    ['referrers', { totals: { ...none, views: 0 }, referrers: [], hasMore: false }],
    ['timeseries', { interval: 'day', timeseries: [] }],
  ])('has none in %s', async (report, expected) => {
    const { status, body, headers } = await get(report)
    expect([status, body]).toEqual([200, expected])
    expect(headers).toMatchObject({ vary: 'Accept', 'content-type': 'application/json; charset=utf-8' })
    expect(headers).not.toHaveProperty('link')
  })

  test('has an empty export', async () => {
    const { status, text } = await get('export')
    expect([status, text]).toEqual([200, ''])
  })
})

describe('a project with views', () => {
  beforeAll(async () => {
    projectId = await createProject()
    await it.services.events.append([
      view({ path: '/a', visitor: 1n }),
      view({ path: '/a', visitor: 1n, at: noon + 1 }),
      view({ path: '/a', visitor: 1n, category: 'agent', client: 'Claude Code', at: noon + 2 }),
      view({ path: '/a', visitor: 2n, category: 'training', client: 'GPTBot', at: noon + dayMs }),
      view({ path: '/b', visitor: 3n, at: noon + dayMs, referrer: 'https://search.example/a' }),
      view({ path: '/日本', visitor: 3n, at: noon + 3 * dayMs, referrer: 'http://search.example/b' }),
      view({ path: '/bots', visitor: 4n, category: 'bot', client: '=cmd' }),
      view({ path: '/other', visitor: 5n, projectId: await createProject() }),
    ])
  })

  test('counts visitors of the site and of each page', async () => {
    const { body } = await get('visitors')
    expect(body).toEqual({
      totals: { human: 2, ai: 2, total: 3 },
      visitors: [
        { path: '/a', human: 1, ai: 2, total: 2 },
        { path: '/b', human: 1, ai: 0, total: 1 },
        { path: '/日本', human: 1, ai: 0, total: 1 },
      ],
      hasMore: false,
    })
  })

  test('counts views', async () => {
    const { body } = await get('views')
    expect(body).toEqual({
      totals: { human: 4, ai: 2, total: 6 },
      views: [
        { path: '/a', human: 2, ai: 2, total: 4 },
        { path: '/b', human: 1, ai: 0, total: 1 },
        { path: '/日本', human: 1, ai: 0, total: 1 },
      ],
      hasMore: false,
    })
  })

  test('tells AI clients apart', async () => {
    const { body } = await get('agents')
    const reasons = ['told by a test']
    const [claude, gpt] = [new Date(noon + 2).toISOString(), new Date(noon + dayMs).toISOString()]
    expect(body).toEqual({
      totals: { visitors: 2, views: 2 },
      agents: [
        {
          client: 'Claude Code',
          category: 'agent',
          visitors: 1,
          views: 1,
          verifiedViews: 0,
          lastSeenAt: claude,
          reasons,
        },
        { client: 'GPTBot', category: 'training', visitors: 1, views: 1, verifiedViews: 1, lastSeenAt: gpt, reasons },
      ],
      hasMore: false,
    })
  })

  test('counts by where readers came from, by host or by address', async () => {
    const totals = { human: 2, ai: 2, total: 3, views: 6 }
    const direct = { referrer: null, human: 1, ai: 2, total: 2, views: 4 }
    expect((await get('referrers')).body).toEqual({
      totals,
      referrers: [direct, { referrer: 'search.example', human: 1, ai: 0, total: 1, views: 2 }],
      hasMore: false,
    })
    expect((await get('referrers', { by: 'url' })).body).toEqual({
      totals,
      referrers: [
        direct,
        { referrer: 'http://search.example/b', human: 1, ai: 0, total: 1, views: 1 },
        { referrer: 'https://search.example/a', human: 1, ai: 0, total: 1, views: 1 },
      ],
      hasMore: false,
    })
  })

  test.each([
    [{ sort: 'path', order: 'desc' }, ['/日本', '/b', '/a']],
    [{ sort: 'ai', order: 'asc' }, ['/b', '/日本', '/a']],
    [{ sort: 'human' }, ['/a', '/b', '/日本']],
    [{ sort: 'path' }, ['/a', '/b', '/日本']],
    [{ path: 'B' }, ['/b']],
    [{ path: '日' }, ['/日本']],
    [{ path: '' }, ['/a', '/b', '/日本']],
    [{ path: '%' }, []],
  ])('gives pages as %j asks for, page by page, with the totals of the site', async (wanted, expected) => {
    for (const report of ['visitors', 'views'] as const) {
      const { totals } = (await get(report)).body
      const query = Object.fromEntries(Object.entries(wanted).map(([name, value]) => [name, String(value)]))
      const paths = []
      let url: string | null = `/v1/analytics/${projectId}/${report}?${new URLSearchParams({ ...query, limit: '1' })}`
      while (url !== null) {
        const {
          body,
          headers,
        }: {
          body: { totals: object; hasMore: boolean; visitors?: { path: string }[]; views?: { path: string }[] }
          headers: Record<string, unknown>
        } = await it.call('GET', url)
        expect(body.totals).toEqual(totals)
        paths.push(...(body[report] ?? []).map(({ path }) => path))
        url = /^<https:\/\/docs\.example\.com(.+)>; rel="next"$/.exec(String(headers.link))?.[1] ?? null
        expect(url !== null).toBe(body.hasMore)
      }
      expect(paths).toEqual(expected)
    }
  })

  test('has a number for every day, those without views too', async () => {
    const { body } = await get('timeseries')
    const of = (human: number, ai: number, total: number) => ({ human, ai, total })
    expect(body).toEqual({
      interval: 'day',
      timeseries: [
        { start: '2026-03-10T00:00:00.000Z', visitors: of(1, 1, 1), views: of(2, 1, 3) },
        { start: '2026-03-11T00:00:00.000Z', visitors: of(1, 1, 2), views: of(1, 1, 2) },
        { start: '2026-03-12T00:00:00.000Z', visitors: of(0, 0, 0), views: of(0, 0, 0) },
        { start: '2026-03-13T00:00:00.000Z', visitors: of(1, 0, 1), views: of(1, 0, 1) },
      ],
    })
  })

  test('counts an interval only as far as it lies in the range', async () => {
    const dateFrom = new Date(noon + 1).toISOString()
    const { body } = await get('timeseries', { interval: 'month', dateFrom, dateTo: '2026-04-01T00:00:01Z' })
    expect(body.interval).toBe('month')
    expect(body.timeseries.map(({ start, views }: { start: string; views: object }) => [start, views])).toEqual([
      ['2026-03-01T00:00:00.000Z', { human: 3, ai: 2, total: 5 }],
      ['2026-04-01T00:00:00.000Z', { human: 0, ai: 0, total: 0 }],
    ])
  })

  test.each([
    ['2026-03-11', undefined, 2],
    [undefined, '2026-03-11', 1],
    ['2026-03-10', '2026-03-11', 1],
    ['2026-03-10T12:00:00.003Z', '2026-03-11T12:00:00Z', 0],
    ['2026-03-11T14:00:00+02:00', '2026-03-11T14:00:00.001+02:00', 2],
    ['20260311T120000Z', '20260311T120000,0001Z', 2],
    ['2026-03-11T13:00:00 01:00', undefined, 2],
    ['2020-01-01', '2021-01-01', 0],
  ])('has from %s to %s %d visitors', async (dateFrom, dateTo, total) => {
    const given = Object.entries({ dateFrom, dateTo }).filter(([, date]) => date !== undefined)
    const { status, body } = await get('visitors', Object.fromEntries(given as [string, string][]))
    expect([status, body.totals?.total]).toEqual([200, total])
  })

  test.each(paged)('gives %s page by page, and says where the next one is', async (report) => {
    const whole = (await get(report)).body[report]
    const rows = []
    let url: string | null = `/v1/analytics/${projectId}/${report}?limit=1&dateFrom=2026-03-10&dateTo=2026-03-14`
    while (url !== null) {
      const { body, headers }: { body: Record<string, unknown>; headers: Record<string, unknown> } = await it.call(
        'GET',
        url,
      )
      expect(body.totals).toEqual((await get(report)).body.totals)
      rows.push(...(body[report] as unknown[]))
      const next = /^<https:\/\/docs\.example\.com(.+)>; rel="next"$/.exec(String(headers.link))?.[1] ?? null
      expect(next !== null).toBe(body.hasMore)
      url = next
      expect(rows.length).toBeLessThan(10)
    }
    expect(rows).toEqual(whole)
    for (const offset of ['3', '1000000000']) {
      const past = (await get(report, { offset })).body
      expect([past[report], past.hasMore, past.totals]).toEqual([[], false, (await get(report)).body.totals])
    }
  })

  test.each([
    ['visitors', 'path,human,ai,total\r\n/a,1,2,2\r\n/b,1,0,1\r\n/日本,1,0,1\r\n'],
    ['views', 'path,human,ai,total\r\n/a,2,2,4\r\n/b,1,0,1\r\n/日本,1,0,1\r\n'],
    [
      'agents',
      'client,category,visitors,views,verifiedViews,lastSeenAt\r\nClaude Code,agent,1,1,0,2026-03-10T12:00:00.002Z\r\nGPTBot,training,1,1,1,2026-03-11T12:00:00.000Z\r\n',
    ],
    ['referrers', 'referrer,human,ai,total,views\r\n,1,2,2,4\r\nsearch.example,1,0,1,2\r\n'],
    [
      'timeseries',
      'start,visitorsHuman,visitorsAi,visitorsTotal,viewsHuman,viewsAi,viewsTotal\r\n2026-03-10T00:00:00.000Z,1,1,1,2,1,3\r\n2026-03-11T00:00:00.000Z,1,1,2,1,1,2\r\n2026-03-12T00:00:00.000Z,0,0,0,0,0,0\r\n2026-03-13T00:00:00.000Z,1,0,1,1,0,1\r\n',
    ],
  ])('gives %s as CSV to those who ask for it', async (report, csv) => {
    const { status, headers, text } = await get(report, {}, { accept: 'text/csv' })
    expect([status, text]).toEqual([200, csv])
    expect(headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8; header=present', vary: 'Accept' })
    const page = await get(report, { limit: '1' }, { accept: 'text/csv, */*;q=0.1' })
    if (report !== 'timeseries') expect(page.headers.link).toContain('offset=1')
    expect((await get(report, {}, { accept: '*/*' })).body).not.toBeNull()
    expect((await get(report, {}, { accept: 'image/png' })).body).not.toBeNull()
  })

  test('gives faults as JSON, whatever is accepted', async () => {
    const { status, body } = await get('visitors', { limit: '0' }, { accept: 'text/csv' })
    expect([status, body.code]).toEqual([400, 'request.invalid'])
  })
})

test('AI is what the settings of a project say', async () => {
  const narrow = await createProject()
  const patch = await it.call('PATCH', `/v1/analytics/${narrow}/settings`, { body: { aiTraffic: 'direct' } })
  expect(patch.status, patch.text).toBe(200)
  const ai = [
    view({ category: 'agent', client: 'Cursor' }),
    view({ category: 'training', client: 'GPTBot', visitor: 2n }),
  ]
  await it.services.events.append(ai.map((one) => ({ ...one, projectId: narrow })))
  const { totals } = (await it.call('GET', `/v1/analytics/${narrow}/visitors`)).body
  expect(totals).toEqual({ human: 0, ai: 1, total: 1 })
  expect((await it.call('GET', `/v1/analytics/${narrow}/agents`)).body.agents).toHaveLength(1)
})

describe('a wrong parameter is refused in words that name it', () => {
  const wrong: [name: string, value: string][] = [
    ...['0', '251', '-1', '1.5', '1e2', 'x', '', ' 1', '0x10', '9'.repeat(400)].map((value): [string, string] => [
      'limit',
      value,
    ]),
    ...['-1', '1000000001', 'x', '', '9'.repeat(400)].map((value): [string, string] => ['offset', value]),
    ...['2026-02-30', '2026-13-01', 'yesterday', '', '2026-W03', '2026-015', 'x'.repeat(10_000), '\0', '🕛'].flatMap(
      (value): [string, string][] => [
        ['dateFrom', value],
        ['dateTo', value],
      ],
    ),
  ]
  test.each(wrong)('%s=%j', async (name, value) => {
    for (const report of name.startsWith('date') ? reports : paged) {
      const { status, body } = await get(report, { [name]: value })
      expect(status).toBe(400)
      expect(body).toMatchObject({ code: 'request.invalid', details: [{ path: name }] })
      expect(body.error).toContain(`${name}: `)
      expect(body.error).toContain('expected')
      expect(body.error.length).toBeLessThan(300)
    }
  })

  test.each([
    ['2026-03-11', '2026-03-10'],
    ['2026-03-10', '2026-03-10'],
    ['2026-03-10T02:00:00+02:00', '2026-03-10'],
  ])('dateFrom %s is not before dateTo %s', async (dateFrom, dateTo) => {
    for (const report of reports) {
      const { status, body } = await get(report, { dateFrom, dateTo })
      expect(status).toBe(400)
      expect(body).toMatchObject({ code: 'request.invalid', details: [{ path: 'dateFrom' }] })
      expect(body.error).toContain('dateTo')
    }
  })

  test('a parameter that is given twice', async () => {
    for (const name of ['dateFrom', 'dateTo', 'limit', 'offset']) {
      const { status, body } = await it.call(
        'GET',
        `/v1/analytics/${projectId}/visitors?${name}=2026-01-01&${name}=2026-01-02`,
      )
      expect([status, body.details?.[0].path]).toEqual([400, name])
    }
  })

  test.each([
    ['visitors', 'sort', 'views', 'sort: expected total, human, ai or path.'],
    ['views', 'order', 'down', 'order: expected asc or desc.'],
    ['visitors', 'path', 'a\0', 'path: expected Unicode text without NUL.'],
    ['views', 'path', 'x'.repeat(1025), 'path: expected at most 1024 characters.'],
    ['referrers', 'by', 'page', 'by: expected host or url.'],
  ])('%s with %s=%j', async (report, name, value, error) => {
    const { status, body } = await get(report, { [name]: value })
    expect([status, body.error]).toEqual([400, error])
  })

  test('an interval or format that there is not', async () => {
    const interval = await get('timeseries', { interval: 'year' })
    expect([interval.status, interval.body.error]).toEqual([400, 'interval: expected hour, day, week or month.'])
    const format = await get('export', { format: 'csv' })
    expect([format.status, format.body.error]).toEqual([400, 'format: expected jsonl or parquet.'])
    const many = await get('timeseries', { interval: 'hour', dateFrom: '2020-01-01', dateTo: '2026-01-01' })
    expect([many.status, many.body.details?.[0].path]).toEqual([400, 'interval'])
    expect(many.body.error).toContain('10000')
  })
})

describe('a project of somebody else', () => {
  test.each(reports)('has the same %s as none: 404', async (report) => {
    const { key } = await it.createOrganization('Other')
    for (const id of [projectId, 'prj_0000000000000000000000', 'x', '%00']) {
      const { status, body } = await it.call('GET', `/v1/analytics/${id}/${report}`, { key })
      expect([status, body.code]).toEqual([404, 'project.not_found'])
    }
  })
})
