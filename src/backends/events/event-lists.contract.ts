import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  dayMs,
  type EventStoreOptions,
  everythingOf,
  newView,
  noon,
  type OpenStore,
  verdictOf,
} from './event-fixture.contract.ts'
import type { EventStore, PathQuery } from './event-store.ts'

/** Which rows a report has, and in which order. */
export function describeEventLists(options: EventStoreOptions): void {
  describe('lists', () => {
    let opened: OpenStore
    let store: EventStore
    beforeEach(async () => {
      opened = await options.open()
      store = opened.store
    })
    afterEach(() => opened[Symbol.asyncDispose]())

    /** As many visitors of a page: people, and agents. */
    function readers(path: string, { human, ai }: { human: number; ai: number }) {
      const people = Array.from({ length: human }, (_, index) => newView({ path, visitor: BigInt(index) }))
      const verdict = verdictOf('agent')
      return [
        ...people,
        ...Array.from({ length: ai }, (_, index) => newView({ path, visitor: 100n + BigInt(index), verdict })),
      ]
    }

    const orders: [Pick<PathQuery, 'sort' | 'order'>, string[]][] = [
      [{}, ['/b', '/C', '/a', '/d']],
      [{ sort: 'total' }, ['/b', '/C', '/a', '/d']],
      [{ order: 'asc' }, ['/d', '/C', '/a', '/b']],
      [{ sort: 'human' }, ['/b', '/C', '/d', '/a']],
      [{ sort: 'human', order: 'asc' }, ['/a', '/C', '/d', '/b']],
      [{ sort: 'ai' }, ['/a', '/C', '/b', '/d']],
      [{ sort: 'ai', order: 'asc' }, ['/b', '/d', '/C', '/a']],
      [{ sort: 'path' }, ['/C', '/a', '/b', '/d']],
      [{ sort: 'path', order: 'desc' }, ['/d', '/b', '/a', '/C']],
    ]

    test('puts pages in the order asked for, those of one count by path, whatever the limit', async () => {
      await store.append([
        ...readers('/d', { human: 1, ai: 0 }),
        ...readers('/C', { human: 1, ai: 1 }),
        ...readers('/b', { human: 3, ai: 0 }),
        ...readers('/a', { human: 0, ai: 2 }),
      ])
      for (const form of ['appended', 'compacted']) {
        if (form === 'compacted') await store.compact()
        for (const [sorted, expected] of orders) {
          for (const report of ['visitors', 'views'] as const) {
            const { totals, ...whole } = await store[report]({ ...everythingOf(), ...sorted })
            expect(whole.rows.map(({ path }) => path)).toEqual(expected)
            const pages = []
            for (const offset of [0, 2]) {
              const page = await store[report]({ ...everythingOf(), ...sorted, limit: 2, offset })
              expect([page.hasMore, page.totals]).toEqual([offset === 0, totals])
              pages.push(...page.rows)
            }
            expect(pages).toEqual(whole.rows)
          }
        }
      }
    })

    const filters: [text: string, found: string[]][] = [
      ['', ['/Guide/É', '/b', '/guide']],
      ['guide', ['/Guide/É', '/guide']],
      ['GUIDE', ['/Guide/É', '/guide']],
      ['e/', ['/Guide/É']],
      ['É', ['/Guide/É']],
      ['é', []],
      ['%', []],
      ['.', []],
    ]

    test('finds pages by a part of their path, and leaves the totals', async () => {
      await store.append(['/guide', '/Guide/É', '/b'].map((path) => newView({ path })))
      for (const form of ['appended', 'compacted']) {
        if (form === 'compacted') await store.compact()
        for (const [path, expected] of filters) {
          for (const report of ['visitors', 'views'] as const) {
            const { totals } = await store[report](everythingOf())
            const found = await store[report]({ ...everythingOf(), path })
            expect(found.rows.map((row) => row.path)).toEqual(expected)
            expect([found.totals, found.hasMore]).toEqual([totals, false])
            const first = await store[report]({ ...everythingOf(), path, limit: 1 })
            expect(first.hasMore).toBe(expected.length > 1)
          }
        }
      }
    })

    test('counts visitors and views by where they came from, those from nowhere too', async () => {
      const [search, forum] = ['https://search.example/', 'https://forum.example:8443/t/1']
      await store.append([
        newView({ visitor: 1n, referrer: search }),
        newView({ visitor: 1n, referrer: `${search}q`, path: '/b' }),
        newView({ visitor: 2n, referrer: search, at: noon + dayMs }),
        newView({ visitor: 2n, referrer: search, verdict: verdictOf('assistant') }),
        newView({ visitor: 1n, referrer: forum }),
        newView({ visitor: 1n }),
        newView({ visitor: 3n, verdict: verdictOf('training') }),
        newView({ visitor: 4n, referrer: forum, verdict: verdictOf('bot') }),
      ])
      for (const _form of ['appended', 'compacted']) {
        expect(await store.referrers({ ...everythingOf(), by: 'host' })).toEqual({
          totals: { human: 2, ai: 2, total: 3, views: 7 },
          rows: [
            { referrer: 'search.example', human: 2, ai: 1, total: 2, views: 4 },
            { referrer: null, human: 1, ai: 1, total: 2, views: 2 },
            { referrer: 'forum.example:8443', human: 1, ai: 0, total: 1, views: 1 },
          ],
          hasMore: false,
        })
        const direct = await store.referrers({ ...everythingOf(), by: 'url', ai: 'direct', limit: 2, offset: 1 })
        expect(direct).toEqual({
          totals: { human: 2, ai: 1, total: 2, views: 6 },
          rows: [
            { referrer: null, human: 1, ai: 0, total: 1, views: 1 },
            { referrer: forum, human: 1, ai: 0, total: 1, views: 1 },
          ],
          hasMore: true,
        })
        await store.compact()
      }
    })
  })
}
