import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Clock } from '#base/clock.ts'
import { type AnalyticsStage, createAnalyticsStage } from '#tests/harness/analytics-stage.ts'
import { createTestDatabase } from '#tests/harness/test-database.ts'
import type { Hit } from './intake/hit.ts'
import { recordPageView, type ServedPage, sweepAnalytics } from './service.ts'

const now = Date.parse('2026-11-15T08:30:00Z')
const clock: Clock = { now: () => new Date(now) }
const dayMs = 86_400_000
const config = { trustedProxies: ['10.0.0.0/8'], proxyHeader: 'x-forwarded-for' } as never

let stage: AnalyticsStage
beforeAll(async () => {
  stage = await createAnalyticsStage(await createTestDatabase(), { clock })
})
afterAll(() => stage.close())

const viewsOf = (projectId: string) => stage.disk.views.filter((view) => view.projectId === projectId)

describe('a page that was served', () => {
  const page = (projectId: string, fields: Partial<ServedPage> = {}): ServedPage => ({
    projectId,
    path: '/guide/',
    method: 'GET',
    url: 'https://docs.example.com/guide/',
    headers: { 'user-agent': 'claude-code/2.1', accept: 'text/markdown, text/html, */*' },
    peer: '203.0.113.9',
    status: 200,
    contentType: 'text/html; charset=utf-8',
    ...fields,
  })

  test('is a view of it', async () => {
    const projectId = await stage.createProject()
    recordPageView({ ...stage, config }, page(projectId))
    await stage.intake.drain()
    const verdict = expect.objectContaining({ category: 'agent' })
    expect(viewsOf(projectId)).toMatchObject([{ path: '/guide', at: now, source: 'page', verdict }])
  })

  test.each<[string, Partial<ServedPage>, number]>([
    ['its Markdown form', { contentType: 'text/markdown' }, 1],
    ['unchanged since the last time', { status: 304, contentType: null }, 1],
    ['a HEAD request', { method: 'HEAD' }, 0],
    ['a POST request', { method: 'POST' }, 0],
    ['a missing page', { status: 404 }, 0],
    ['a redirect', { status: 302 }, 0],
    ['an error', { status: 500 }, 0],
    ['an image', { contentType: 'image/png' }, 0],
    ['a list for machines', { contentType: 'text/plain', path: '/llms.txt' }, 0],
    ['a prefetch', { headers: { 'user-agent': 'x', 'sec-purpose': 'prefetch' } }, 0],
    ['a client that cannot be told apart', { peer: undefined }, 0],
  ])('%s counts as it should', async (_, fields, count) => {
    const projectId = await stage.createProject()
    recordPageView({ ...stage, config }, page(projectId, fields))
    await stage.intake.drain()
    expect(viewsOf(projectId)).toHaveLength(count)
  })

  test('is by whoever the trusted proxy names', async () => {
    const projectId = await stage.createProject()
    const headers = { 'user-agent': 'x', 'x-forwarded-for': '203.0.113.9' }
    recordPageView({ ...stage, config }, page(projectId, { peer: '10.0.0.1', headers }))
    recordPageView({ ...stage, config }, page(projectId, { peer: '203.0.113.9', headers: { 'user-agent': 'x' } }))
    recordPageView({ ...stage, config }, page(projectId, { peer: '10.0.0.1', headers: { 'user-agent': 'x' } }))
    await stage.intake.drain()
    const [first, second, third] = viewsOf(projectId).map(({ visitor }) => visitor)
    expect(first).toBe(second)
    expect(third).not.toBe(first)
  })

  test('never throws, whatever is missing', () => {
    const linesBefore = stage.logged.length
    expect(recordPageView({ ...stage, config }, {} as ServedPage)).toBeUndefined()
    recordPageView({ ...stage, config }, { method: 'GET', status: 304 } as ServedPage)
    expect(stage.logged.slice(linesBefore).map(({ msg }) => msg)).toEqual(['analytics.view_not_recorded'])
  })
})

describe('the sweep', () => {
  const hit = (at: number): Hit => ({
    ...{ source: 'log', at, path: '/guide', userAgent: 'x', address: '203.0.113.9' },
    ...{ referrer: null, visitorId: null, category: null, id: null },
  })

  test('deletes views past the retention of their project, and all of projects that are gone', async () => {
    const [kept, pruned, gone] = [await stage.createProject(), await stage.createProject(), await stage.createProject()]
    for (const projectId of [kept, pruned, gone]) {
      await stage.intake.record(projectId, [
        hit(now - 400 * dayMs),
        hit(now - 31 * dayMs),
        hit(now - 29 * dayMs),
        hit(now),
      ])
    }
    await stage.db.insertInto('analyticsSettings').values({ projectId: pruned, retentionDays: 30 }).execute()
    await stage.db.deleteFrom('projects').where('id', '=', gone).execute()
    await sweepAnalytics(stage)
    expect([kept, pruned, gone].map((projectId) => viewsOf(projectId).length)).toEqual([4, 2, 0])
    await sweepAnalytics(stage)
    expect([kept, pruned, gone].map((projectId) => viewsOf(projectId).length)).toEqual([4, 2, 0])
  })

  test('deletes secrets whose time is over, also while the store is away', async () => {
    const projectId = await stage.createProject()
    const createdAt = new Date(now - 2 * dayMs)
    const row = { projectId, period: '2026-09-01', sealedSecret: 'x', createdAt }
    await stage.db
      .insertInto('analyticsSecrets')
      .values(row as never)
      .execute()
    const events = { ...stage.events, listProjects: () => Promise.reject(new Error('away')) }
    await expect(sweepAnalytics({ ...stage, events })).rejects.toThrow('away')
    expect(
      await stage.db.selectFrom('analyticsSecrets').selectAll().where('projectId', '=', projectId).execute(),
    ).toEqual([])
  })
})
