import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { describeEventConcurrency } from './event-concurrency.contract.ts'
import { describeEventCounts } from './event-counts.contract.ts'
import { describeEventExports } from './event-exports.contract.ts'
import {
  dayMs,
  type EventStoreOptions,
  everythingOf,
  newView,
  noon,
  type OpenStore,
  verdictOf,
} from './event-fixture.contract.ts'
import { describeEventLists } from './event-lists.contract.ts'
import type { EventStore } from './event-store.ts'
import { describeHostileEvents } from './hostile-events.contract.ts'

/** What every event store keeps to. */
export function describeEventStore(name: string, options: EventStoreOptions): void {
  describe(`${name} as an event store`, () => {
    let opened: OpenStore
    let store: EventStore
    beforeEach(async () => {
      opened = await options.open()
      store = opened.store
    })
    afterEach(() => opened[Symbol.asyncDispose]())

    async function reopen() {
      await opened.reopen()
      store = opened.store
    }

    test('has nothing at first, and answers', async () => {
      await store.ping()
      await store.append([])
      await store.compact()
      const none = { human: 0, ai: 0, total: 0 }
      expect(await store.listProjects()).toEqual([])
      expect(await store.visitors(everythingOf())).toEqual({ totals: none, rows: [], hasMore: false })
      expect(await store.views(everythingOf())).toEqual({ totals: none, rows: [], hasMore: false })
      expect(await store.agents(everythingOf())).toEqual({
        totals: { visitors: 0, views: 0 },
        rows: [],
        hasMore: false,
      })
      expect(await store.referrers({ ...everythingOf(), by: 'host' })).toEqual({
        totals: { ...none, views: 0 },
        rows: [],
        hasMore: false,
      })
      expect(await store.timeseries({ ...everythingOf(), interval: 'day' })).toEqual([])
      expect(await store.forgetVisitors({ projectId: 'prj_1', visitors: [1n] })).toBe(0)
      expect(await store.prune({ projectId: 'prj_1', before: noon })).toBe(0)
      await store.deleteProject('prj_1')
    })

    test('counts a visitor once per page and once for the site, as human, as AI, and as both', async () => {
      await store.append([
        newView({ path: '/a', visitor: 1n }),
        newView({ path: '/a', visitor: 1n, at: noon + 1 }),
        newView({ path: '/a', visitor: 1n, verdict: verdictOf('agent') }),
        newView({ path: '/a', visitor: 2n, verdict: verdictOf('training') }),
        newView({ path: '/b', visitor: 1n }),
        newView({ path: '/c', visitor: 3n, verdict: verdictOf('bot') }),
        newView({ path: '/c', visitor: 4n, verdict: verdictOf('unknown') }),
      ])
      for (const _form of ['appended', 'compacted']) {
        expect(await store.visitors(everythingOf())).toEqual({
          totals: { human: 1, ai: 2, total: 2 },
          rows: [
            { path: '/a', human: 1, ai: 2, total: 2 },
            { path: '/b', human: 1, ai: 0, total: 1 },
          ],
          hasMore: false,
        })
        expect(await store.views(everythingOf())).toEqual({
          totals: { human: 3, ai: 2, total: 5 },
          rows: [
            { path: '/a', human: 2, ai: 2, total: 4 },
            { path: '/b', human: 1, ai: 0, total: 1 },
          ],
          hasMore: false,
        })
        expect((await store.visitors({ ...everythingOf(), ai: 'direct' })).totals).toEqual({
          human: 1,
          ai: 1,
          total: 1,
        })
        await store.compact()
      }
    })

    test('orders pages of one count by the bytes of their paths', async () => {
      // By UTF-16, as JavaScript compares, the last one would come before the two before it.
      const paths = ['/', '/A', '/a', '/a/b', '/ab', '/e', '/e\u0301', '/é', '/\ue000', '/\uff5e', '/\u{1f600}']
      await store.append(paths.toReversed().map((path) => newView({ path })))
      await store.append([newView({ path: '/most' }), newView({ path: '/most', visitor: 2n })])
      for (const _form of ['appended', 'compacted']) {
        for (const report of [await store.visitors(everythingOf()), await store.views(everythingOf())]) {
          expect(report.rows.map((row) => row.path)).toEqual(['/most', ...paths])
        }
        await store.compact()
      }
    })

    test('orders AI clients by visitors, views, name and category, as text', async () => {
      await store.append([
        newView({ visitor: 1n, verdict: verdictOf('training', '\u{1f600}') }),
        newView({ visitor: 1n, verdict: verdictOf('training', '\ue000') }),
        newView({ visitor: 1n, verdict: verdictOf('training', 'B') }),
        newView({ visitor: 1n, verdict: verdictOf('assistant', 'B') }),
        newView({ visitor: 1n, verdict: verdictOf('ai-search', 'B') }),
        newView({ visitor: 1n, verdict: verdictOf('agent', 'B'), at: noon + 5 }),
        newView({ visitor: 1n, verdict: verdictOf('agent', null) }),
        newView({ visitor: 1n, verdict: { ...verdictOf('agent', 'Viewer'), verification: 'verified' } }),
        newView({ visitor: 1n, verdict: verdictOf('agent', 'Viewer') }),
        newView({ visitor: 1n, verdict: verdictOf('agent', 'Visitor') }),
        newView({ visitor: 2n, verdict: verdictOf('agent', 'Visitor') }),
        newView({ visitor: 3n }),
      ])
      for (const _form of ['appended', 'compacted']) {
        const { totals, rows } = await store.agents(everythingOf())
        expect(totals).toEqual({ visitors: 2, views: 11 })
        expect(rows.map((row) => [row.client, row.category])).toEqual([
          ['Visitor', 'agent'],
          ['Viewer', 'agent'],
          ['B', 'agent'],
          ['B', 'ai-search'],
          ['B', 'assistant'],
          ['B', 'training'],
          ['unnamed', 'agent'],
          ['\ue000', 'training'],
          ['\u{1f600}', 'training'],
        ])
        expect(rows[1]).toMatchObject({
          visitors: 1,
          views: 2,
          verifiedViews: 1,
          lastSeenAt: noon,
          reasons: ['stated'],
        })
        expect(rows[2]).toMatchObject({ lastSeenAt: noon + 5 })
        await store.compact()
      }
    })

    test.each(['visitors', 'views'] as const)('gives every page of %s once, whatever the limit', async (report) => {
      const paths = Array.from({ length: 9 }, (_, index) => `/${index}`)
      const readers = paths.flatMap((path, index) =>
        Array.from({ length: (index % 3) + 1 }, (_, visitor) => newView({ path, visitor: BigInt(visitor) })),
      )
      await store.append(readers)
      const { rows: whole, totals } = await store[report](everythingOf())
      for (let limit = 1; limit <= 10; limit++) {
        const rows = []
        for (let offset = 0; ; offset += limit) {
          const page = await store[report]({ ...everythingOf(), limit, offset })
          expect(page.totals).toEqual(totals)
          rows.push(...page.rows)
          expect(page.hasMore).toBe(rows.length < 9)
          if (!page.hasMore) break
        }
        expect(rows).toEqual(whole)
      }
      for (const offset of [9, 10, 1_000_000]) {
        expect(await store[report]({ ...everythingOf(), offset })).toEqual({ totals, rows: [], hasMore: false })
      }
    })

    test('gives the same pages of a past range while later views arrive', async () => {
      const range = { from: null, to: noon + dayMs }
      await store.append([newView({ path: '/a' }), newView({ path: '/b' }), newView({ path: '/c' })])
      const first = await store.visitors({ ...everythingOf(), range, limit: 2 })
      const later = Array.from({ length: 5 }, (_, index) =>
        newView({ path: '/c', visitor: BigInt(index), at: range.to }),
      )
      await store.append(later)
      await store.compact()
      const second = await store.visitors({ ...everythingOf(), range, limit: 2, offset: 2 })
      expect([...first.rows, ...second.rows].map((row) => row.path)).toEqual(['/a', '/b', '/c'])
      expect(second).toMatchObject({ totals: first.totals, hasMore: false })
    })

    test('keeps the first view of an event id, however late and however different the second', async () => {
      await store.append([newView({ eventId: 7n, path: '/first' }), newView({ eventId: 7n, path: '/second' })])
      const again = () => store.append([newView({ eventId: 7n, path: '/again', at: noon - 400 * dayMs, visitor: 9n })])
      await again()
      await store.compact()
      await again()
      await reopen()
      await again()
      await store.compact()
      expect(await store.views(everythingOf())).toMatchObject({ totals: { total: 1 }, rows: [{ path: '/first' }] })
      await store.append([newView({ eventId: 7n, path: '/other', projectId: 'prj_2' })])
      expect((await store.views(everythingOf('prj_2'))).rows).toMatchObject([{ path: '/other', total: 1 }])
    })

    test('refuses a view at a time that cannot be kept, with all that came along, and goes on', async () => {
      for (const at of [-1, 0, dayMs - 1, 65_536 * dayMs, 8.64e15, noon + 0.5, Number.NaN]) {
        const refused = store.append([newView({}), newView({ at })])
        await expect(refused).rejects.toMatchObject({ kind: 'invalid', code: 'analytics.time_out_of_range' })
      }
      await store.append([dayMs, noon, 65_536 * dayMs - 1].map((at) => newView({ at })))
      for (const _form of ['appended', 'compacted']) {
        expect(await store.views(everythingOf())).toMatchObject({ totals: { total: 3 } })
        expect(await store.visitors(everythingOf())).toMatchObject({ totals: { total: 1 } })
        await store.compact()
      }
    })

    test('keeps projects apart: what is done to one leaves the other', async () => {
      await store.append([newView({ projectId: 'prj_1' }), newView({ projectId: 'prj_2' })])
      await store.compact()
      expect((await store.listProjects()).sort()).toEqual(['prj_1', 'prj_2'])
      expect(await store.forgetVisitors({ projectId: 'prj_1', visitors: [1n] })).toBe(1)
      expect(await store.listProjects()).toEqual(['prj_2'])
      await store.append([newView({ projectId: 'prj_1' })])
      expect(await store.prune({ projectId: 'prj_1', before: noon + dayMs })).toBe(1)
      await store.append([newView({ projectId: 'prj_1' })])
      await store.deleteProject('prj_1')
      expect(await store.listProjects()).toEqual(['prj_2'])
      expect((await store.views(everythingOf('prj_2'))).totals.total).toBe(1)
    })

    test('prunes whole days only, and never the day of the time named', async () => {
      const midnight = noon - dayMs / 2
      await store.append([midnight - 1, midnight, noon].map((at) => newView({ at })))
      await store.compact()
      expect(await store.prune({ projectId: 'prj_1', before: noon + 1 })).toBe(1)
      expect((await store.views(everythingOf())).totals.total).toBe(2)
      await reopen()
      expect((await store.views(everythingOf())).totals.total).toBe(2)
    })

    test.each([1, 2047, 2048, 2049, 10_000])('keeps each of %i views that come at once', async (count) => {
      const views = Array.from({ length: count }, (_, index) =>
        newView({ visitor: BigInt(index % 1000), path: `/${index % 7}`, at: noon + index, eventId: BigInt(index) }),
      )
      await store.append(views)
      await store.append(views.slice(-3000))
      const expected = { totals: { total: Math.min(count, 1000) } }
      expect(await store.visitors(everythingOf())).toMatchObject(expected)
      expect((await store.views(everythingOf())).totals.total).toBe(count)
      await store.compact()
      expect(await store.visitors(everythingOf())).toMatchObject(expected)
      await reopen()
      await store.append(views.slice(0, 3000))
      expect(await store.visitors(everythingOf())).toMatchObject(expected)
      expect((await store.views(everythingOf())).totals.total).toBe(count)
    })

    describeEventCounts(options)
    describeEventLists(options)
    describeHostileEvents(options)
    describeEventExports(options)
    describeEventConcurrency(options)
  })
}
