import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setDemo } from '#features/projects/service.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { sampleHits } from './sample-hits.ts'

const now = new Date('2026-11-15T12:00:00Z')
const pages = ['/', '/guide', '/reference/api', '/quickstart']

describe('made-up views', () => {
  const hits = sampleHits({ pages, now: now.getTime() })

  test('are a few thousand of the last 30 days, none of them in the future', () => {
    expect(hits.length).toBeGreaterThan(2_000)
    expect(hits.length).toBeLessThan(6_000)
    const times = hits.map(({ at }) => at)
    expect(Math.min(...times)).toBeGreaterThanOrEqual(Date.parse('2026-10-17T00:00:00Z'))
    expect(Math.max(...times)).toBeLessThanOrEqual(now.getTime())
    expect(new Set(times.map((at) => new Date(at).toISOString().slice(0, 10))).size).toBe(30)
  })

  test('are of the pages that there are, and the first page is read most', () => {
    const counts = Map.groupBy(hits, ({ path }) => path)
    expect([...counts.keys()].sort()).toEqual([...pages].sort())
    const home = counts.get('/')!.length
    for (const [path, { length }] of counts) if (path !== '/') expect(length).toBeLessThan(home)
  })

  test('keep their names when they are drawn again on a later day', () => {
    const later = sampleHits({ pages, now: now.getTime() + 86_400_000 })
    const known = new Map(later.map((hit) => [hit.id, hit]))
    const shared = hits.filter(({ at }) => at >= Date.parse('2026-10-18T00:00:00Z'))
    expect(shared.length).toBeGreaterThan(2_000)
    for (const hit of shared) expect(known.get(hit.id)).toEqual(hit)
    expect(new Set(hits.map(({ id }) => id)).size).toBe(hits.length)
  })
})

describe('the demo project', () => {
  let it: TestApp
  let demo = ''
  beforeAll(async () => {
    it = await createTestApp({ clock: { now: () => now } })
    demo = (await it.call('POST', '/v1/projects', { body: { name: 'Demo' } })).body.id
    await setDemo(it.services.db, demo)
  })
  afterAll(() => it.close())
  const sampleOf = (projectId: string) => `/v1/projects/${projectId}/sample-traffic`
  const totals = async (range = '') => (await it.call('GET', `/v1/analytics/${demo}/views${range}`)).body.totals

  test('is told apart from others, whoever asks for it', async () => {
    const other = (await it.call('POST', '/v1/projects', { body: { name: 'Other' } })).body
    expect(other.isDemo).toBe(false)
    const { projects } = (await it.call('GET', '/v1/projects')).body
    expect(projects).toMatchObject([
      { name: 'Demo', isDemo: true },
      { name: 'Other', isDemo: false },
    ])
    expect((await it.call('PATCH', `/v1/projects/${demo}`, { body: {} })).body.isDemo).toBe(true)
    for (const method of ['POST', 'DELETE'] as const) {
      expect(await it.call(method, sampleOf(other.id))).toMatchObject({
        status: 409,
        body: { code: 'sample.not_demo' },
      })
      expect(await it.call(method, sampleOf('prj_unknown'))).toMatchObject({ status: 404 })
    }
  })

  test('takes sample traffic once, shows it in reports, and gives it up again without touching real views', async () => {
    const real = { events: [{ path: '/real', visitorId: 'somebody', timestamp: '2026-11-10T10:00:00Z' }] }
    await it.call('POST', `/v1/analytics/${demo}/events`, { body: real })

    const first = await it.call('POST', sampleOf(demo))
    expect(first).toMatchObject({ status: 200 })
    expect(first.body.views).toBeGreaterThan(2_000)
    const once = await totals()
    expect(once.human).toBeGreaterThan(1_000)
    expect(once.ai).toBeGreaterThan(500)

    expect((await it.call('POST', sampleOf(demo))).body).toEqual(first.body)
    expect(await totals()).toEqual(once)
    expect(await totals('?dateTo=2026-10-17')).toEqual({ human: 0, ai: 0, total: 0 })

    const { agents } = (await it.call('GET', `/v1/analytics/${demo}/agents?limit=250`)).body
    const categories = new Map(agents.map(({ client, category }: Record<string, string>) => [client, category]))
    expect(categories).toEqual(
      new Map([
        ['Claude Code', 'agent'],
        ['Cursor', 'agent'],
        ['opencode', 'agent'],
        ['Codex', 'agent'],
        ['ChatGPT-User', 'assistant'],
        ['Claude-User', 'assistant'],
        ['Perplexity-User', 'assistant'],
        ['OAI-SearchBot', 'ai-search'],
        ['GPTBot', 'training'],
        ['ClaudeBot', 'training'],
      ]),
    )

    expect((await it.call('DELETE', sampleOf(demo))).body).toEqual({ views: first.body.views })
    expect(await totals()).toEqual({ human: 1, ai: 0, total: 1 })
    expect((await it.call('DELETE', sampleOf(demo))).body).toEqual({ views: 0 })
  })

  test('takes it from callers that may write, and leaves a record', async () => {
    const { records } = (await it.call('GET', '/v1/audit?limit=20')).body
    for (const action of ['analytics.add_sample', 'analytics.remove_sample']) {
      expect(records).toContainEqual(expect.objectContaining({ action, target: demo }))
    }
    const reader = (await it.call('POST', '/v1/keys', { body: { name: 'reader', scopes: ['read'] } })).body.key
    expect(await it.call('POST', sampleOf(demo), { key: reader })).toMatchObject({ status: 403 })
  })
})
