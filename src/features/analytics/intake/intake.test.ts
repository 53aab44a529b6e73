import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { View } from '#backends/events/view.ts'
import type { Clock } from '#base/clock.ts'
import { DocentError } from '#base/errors.ts'
import { type AnalyticsStage, createAnalyticsStage } from '#tests/harness/analytics-stage.ts'
import { createTestDatabase } from '#tests/harness/test-database.ts'
import type { Hit } from './hit.ts'

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'
const gptBot = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)'
const start = Date.parse('2026-11-15T08:30:00Z')
let time = start
const clock: Clock = { now: () => new Date(time) }

let stage: AnalyticsStage
beforeAll(async () => {
  stage = await createAnalyticsStage(await createTestDatabase(), { clock })
})
afterAll(() => stage.close())

const hit = (fields: Partial<Hit> = {}): Hit => ({
  source: 'log',
  at: start,
  path: '/guide',
  userAgent: chrome,
  address: '203.0.113.9',
  referrer: null,
  visitorId: null,
  category: null,
  id: null,
  ...fields,
})

/** Records the hits for a new project, or the given one, and returns what came of them. */
async function record(hits: Hit[], projectId?: string) {
  const id = projectId ?? (await stage.createProject())
  const before = stage.disk.views.length
  const result = await stage.intake.record(id, hits)
  return { ...result, projectId: id, views: stage.disk.views.slice(before) }
}

async function setSettings(projectId: string, settings: { visitorIds?: string; rules?: string }) {
  await stage.db
    .insertInto('analyticsSettings')
    .values({ projectId, retentionDays: null, ...settings })
    .onConflict((conflict) => conflict.column('projectId').doUpdateSet(settings))
    .execute()
  stage.intake.forgetProject(projectId)
}

test('a hit becomes a view that holds neither address nor user agent', async () => {
  const { views, accepted, projectId } = await record([
    hit({ path: '/guide/?q=1', referrer: 'https://example.com/a?token=x', id: 'e1', userAgent: gptBot }),
  ])
  expect(accepted).toBe(1)
  expect(views).toMatchObject([
    {
      projectId,
      at: start,
      path: '/guide',
      referrer: 'https://example.com/a',
      source: 'log',
      verdict: { category: 'training', client: 'GPTBot' },
    },
  ])
  expect(typeof views[0]!.visitor).toBe('bigint')
  expect(typeof views[0]!.eventId).toBe('bigint')
  const kept = JSON.stringify(views, (_, value) => (typeof value === 'bigint' ? value.toString() : value))
  expect(kept).not.toContain('203.0.113')
  expect(kept).not.toContain('AppleWebKit')
})

test('what is no view is skipped and counted by reason', async () => {
  const request = (headers: Record<string, string>) => ({ method: 'GET', url: 'https://docs.example.com/', headers })
  const { accepted, skipped, views } = await record([
    hit(),
    hit({ path: '/app.js' }),
    hit({ path: '/logo.png' }),
    hit({ request: request({ 'sec-purpose': 'prefetch;prerender' }) }),
    hit({ request: request({}) }),
    hit({ address: null }),
    hit({ address: '' }),
  ])
  expect({ accepted, skipped }).toEqual({ accepted: 2, skipped: { notPage: 2, prefetch: 1, noVisitor: 2 } })
  expect(views).toHaveLength(2)
})

test('nothing to keep is no error', async () => {
  expect(await record([])).toMatchObject({ accepted: 0, skipped: {} })
  expect(await record([hit({ path: '/a.css' })])).toMatchObject({ accepted: 0, skipped: { notPage: 1 } })
})

test.each(['prj_0000000000000000000000', 'nonsense', ''])('an unknown project (%j) is not found', async (projectId) => {
  await expect(stage.intake.record(projectId, [hit()])).rejects.toMatchObject({
    kind: 'not_found',
    code: 'project.not_found',
  })
})

describe('who it is', () => {
  test('is what the caller states', async () => {
    const { views } = await record([hit({ category: 'agent', userAgent: chrome, source: 'events' })])
    expect(views[0]!.verdict).toMatchObject({ category: 'agent', client: null, reason: 'stated by the caller' })
  })

  test('is a person for a visitor id without a user agent, and else what the classifier says', async () => {
    const { views } = await record([
      hit({ visitorId: 'u1', userAgent: null, address: null }),
      hit({ visitorId: 'u1', userAgent: gptBot, address: null }),
    ])
    expect(views.map(({ verdict }) => verdict.category)).toEqual(['human', 'training'])
    expect(views[0]!.visitor).toBe(views[1]!.visitor)
  })

  test('does not depend on who came before', async () => {
    // Each differs from another in one thing that must not be mistaken for the same client.
    const hits = [
      hit(),
      hit({ accept: 'text/markdown, text/html;q=0.5' }),
      hit({ accept: null }),
      hit({ accept: '' }),
      hit({ userAgent: gptBot }),
      hit({ address: '203.0.113.10' }),
      hit({ visitorId: 'u1' }),
      hit({ category: 'bot' }),
      hit({ userAgent: `${chrome}text`, accept: '/markdown, text/html;q=0.5' }),
    ]
    const projectId = await stage.createProject()
    const alone: View[] = []
    for (const one of hits) {
      const before = stage.disk.views.length
      await stage.createNode().record(projectId, [one])
      alone.push(stage.disk.views[before]!)
    }
    for (const order of [hits, [...hits].reverse(), hits]) {
      const { views } = await record(order, projectId)
      const expected = order.map((one) => alone[hits.indexOf(one)])
      expect(views).toEqual(expected)
    }
    expect(alone[1]!.verdict.category).toBe('agent')
    expect(alone[0]!.verdict.category).toBe('human')
  })

  test('follows the project’s rules as soon as they change, by path too', async () => {
    const projectId = await stage.createProject()
    const hits = [hit({ path: '/internal/a' }), hit({ path: '/guide' })]
    const categories = async () => (await record(hits, projectId)).views.map(({ verdict }) => verdict.category)
    expect(await categories()).toEqual(['human', 'human'])
    await setSettings(projectId, { rules: JSON.stringify([{ path: '/internal', category: 'bot' }]) })
    expect(await categories()).toEqual(['bot', 'human'])
    expect(await categories()).toEqual(['bot', 'human'])
    await setSettings(projectId, { rules: JSON.stringify([{ userAgent: 'chrome', category: 'agent' }]) })
    expect(await categories()).toEqual(['agent', 'agent'])
  })

  test('settings that another node changed hold within half a second', async () => {
    const projectId = await stage.createProject()
    await record([hit()], projectId)
    const rules = JSON.stringify([{ userAgent: 'chrome', category: 'bot' }])
    await stage.db.insertInto('analyticsSettings').values({ projectId, retentionDays: null, rules }).execute()
    time += 501
    expect((await record([hit()], projectId)).views[0]!.verdict.category).toBe('bot')
  })
})

describe('the visitor', () => {
  test('is one over pages, sources, categories and all of a /64, and another in another project', async () => {
    const network = '2001:db8:1:2'
    const { views } = await record([
      hit({ address: `${network}::1` }),
      hit({ address: `${network}:ffff::9`, path: '/other', source: 'script', at: start + 1e9 }),
      hit({ address: `${network}::1`, category: 'agent' }),
      hit({ address: '2001:db8:1:3::1' }),
    ])
    expect(new Set(views.slice(0, 3).map(({ visitor }) => visitor)).size).toBe(1)
    expect(views[3]!.visitor).not.toBe(views[0]!.visitor)
    expect((await record([hit({ address: `${network}::1` })])).views[0]!.visitor).not.toBe(views[0]!.visitor)
  })

  test.each([
    ['stable', 1],
    ['monthly', 2],
    ['daily', 3],
  ])('has with %s ids as many ids as there are periods (%i)', async (visitorIds, count) => {
    const projectId = await stage.createProject()
    await setSettings(projectId, { visitorIds })
    const times = ['2026-10-31T23:59:59Z', '2026-11-01T00:00:00Z', '2026-11-01T23:59:59Z', '2026-11-02T00:00:00Z']
    const hits = times.map((at) => hit({ at: Date.parse(at) }))
    const { views } = await record(hits, projectId)
    expect(new Set(views.map(({ visitor }) => visitor)).size).toBe(count)
    expect(views[1]!.visitor).toBe(views[2]!.visitor)
    const again = await record([...hits].reverse(), projectId)
    expect(again.views.map(({ visitor }) => visitor).reverse()).toEqual(views.map(({ visitor }) => visitor))
  })

  test('is the same on every node', async () => {
    const projectId = await stage.createProject()
    await Promise.all(Array.from({ length: 5 }, () => stage.createNode().record(projectId, [hit()])))
    const views = stage.disk.views.filter((view) => view.projectId === projectId)
    expect(views).toHaveLength(5)
    expect(new Set(views.map(({ visitor }) => visitor)).size).toBe(1)
  })
})

test('hostile hits are kept or skipped, and never in the way of others', async () => {
  const projectId = await stage.createProject()
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'binary', minLength: 8000, maxLength: 9000 }),
    fc.constantFrom('\0', '\ud800', "'; drop table views; --", '=1+1', '__proto__'),
  )
  const hostile = fc.record({
    path: text,
    userAgent: fc.option(text),
    accept: fc.option(text, { nil: undefined }),
    referrer: fc.option(text),
    visitorId: fc.option(text),
    address: fc.option(text),
    id: fc.option(text),
  })
  await fc.assert(
    fc.asyncProperty(hostile, async (fields) => {
      const { accepted, skipped, views } = await record([hit(), hit(fields as Partial<Hit>), hit()], projectId)
      expect(accepted + Object.values(skipped).reduce((sum, count) => sum + count, 0)).toBe(3)
      expect(accepted).toBeGreaterThanOrEqual(2)
      for (const view of views) expect(`${view.path}${view.referrer}`.isWellFormed()).toBe(true)
    }),
    { numRuns: 60 },
  )
})

describe('what is offered', () => {
  test('is kept soon, several at once', async () => {
    const projectId = await stage.createProject()
    const calls: number[] = []
    const { appendColumns } = stage.events
    stage.events.appendColumns = async (columns) => {
      calls.push(columns.at.length)
      await appendColumns(columns)
    }
    for (let number = 0; number < 100; number++) stage.intake.offer(projectId, hit({ path: `/page-${number}` }))
    await stage.intake.drain()
    stage.events.appendColumns = appendColumns
    expect(stage.disk.views.filter((view) => view.projectId === projectId)).toHaveLength(100)
    expect(calls.reduce((sum, views) => sum + views, 0)).toBe(100)
    expect(calls.length).toBeLessThan(5)
  })

  test('is dropped when the store stays away, with one line in the log, and kept when it is back', async () => {
    const projectId = await stage.createProject()
    const { appendColumns } = stage.events
    stage.events.appendColumns = async () => {
      throw new DocentError('unavailable', 'analytics.busy', 'Too many wait.')
    }
    const linesBefore = stage.logged.length
    for (let number = 0; number < 25_000; number++) stage.intake.offer(projectId, hit())
    await stage.intake.drain()
    stage.events.appendColumns = appendColumns
    const lines = stage.logged.slice(linesBefore).filter(({ msg }) => msg === 'analytics.views_lost')
    expect(lines).toHaveLength(1)
    stage.intake.offer(projectId, hit())
    await stage.intake.drain()
    expect(stage.disk.views.filter((view) => view.projectId === projectId)).toHaveLength(1)
  })

  test('for a project that is gone harms nobody else', async () => {
    const projectId = await stage.createProject()
    stage.intake.offer('prj_0000000000000000000000', hit())
    stage.intake.offer(projectId, hit())
    await stage.intake.drain()
    expect(stage.disk.views.filter((view) => view.projectId === projectId)).toHaveLength(1)
  })
})
