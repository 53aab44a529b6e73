import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  allTime,
  dayMs,
  type EventStoreOptions,
  type ExportedView,
  newView,
  noon,
  type OpenStore,
  verdictOf,
} from './event-fixture.contract.ts'
import type { EventStore } from './event-store.ts'
import { categories, type View, verifications, viewSources } from './view.ts'

/** An export holds every view once. */
export function describeEventExports({ open, formats, readExport }: EventStoreOptions): void {
  describe.each(formats)('an export as %s', (format) => {
    let opened: OpenStore
    let store: EventStore
    beforeEach(async () => {
      opened = await open()
      store = opened.store
    })
    afterEach(() => opened[Symbol.asyncDispose]())

    async function exported(range = allTime as { from: number | null; to: number | null }): Promise<ExportedView[]> {
      return await readExport(format, await store.exportViews({ projectId: 'prj_1', range, format }))
    }

    const variety = categories.flatMap((category, index) =>
      verifications.map((verification, second) =>
        newView({
          // Latest first, so that the export has to put them in order.
          at: noon - (index * 10 + second) * 3_600_000,
          path: `/${category}/é/😀`,
          visitor: [0n, 1n, 2n ** 63n, 2n ** 64n - 1n][second]!,
          eventId: BigInt(index * 10 + second),
          verdict: { ...verdictOf(category, second === 0 ? null : `client ${second}`), verification },
          referrer: index === 0 ? null : `https://example.com/${index}`,
          source: viewSources[second]!,
        }),
      ),
    )

    test('holds every view once, counted or not, oldest first, compacted or not', async () => {
      await store.append(variety.slice(0, 10))
      await store.compact()
      await store.append(variety)
      await store.append([newView({ projectId: 'prj_2' })])
      const expected = variety.map(rowOf).reverse()
      expect(await exported()).toEqual(expected)
      await store.compact()
      expect(await exported()).toEqual(expected)
      await opened.reopen()
      store = opened.store
      expect(await exported()).toEqual(expected)
    })

    test('holds equal views as often as they came', async () => {
      await store.append([newView({}), newView({})])
      await store.append([newView({})])
      await store.compact()
      await store.append([newView({})])
      expect(await exported()).toEqual(Array(4).fill(rowOf(newView({}))))
    })

    test('holds what is in the range, from its start to just before its end', async () => {
      await store.append([-1, 0, dayMs - 1, dayMs].map((by) => newView({ at: noon + by })))
      const times = async () =>
        (await exported({ from: noon, to: noon + dayMs })).map((row) => row.timestamp.getTime() - noon)
      expect(await times()).toEqual([0, dayMs - 1])
      await store.compact()
      expect(await times()).toEqual([0, dayMs - 1])
    })

    test('without any view is a readable file without rows', async () => {
      expect(await exported()).toEqual([])
      await store.append([newView({})])
      expect(await exported({ from: noon + 1, to: null })).toEqual([])
    })

    test('of many views is whole although others arrive while it is read', async () => {
      const many = Array.from({ length: 20_000 }, (_, index) => newView({ at: noon + index, visitor: BigInt(index) }))
      await store.append(many)
      const file = await store.exportViews({ projectId: 'prj_1', range: allTime, format })
      await store.append([newView({ at: noon - 1, visitor: 77_777n })])
      await store.compact()
      const rows = await readExport(format, file)
      const old = rows.filter((row) => row.visitor !== hex(77_777n))
      expect(old.map((row) => row.visitor)).toEqual(many.map((view) => hex(view.visitor)))
    })

    test('of more views than are put in order at a time is in order, for several who ask at once', async () => {
      const count = 120_000
      const many = Array.from({ length: count }, (_, index) => {
        const visitor = BigInt((index * 7919) % count)
        return newView({ at: noon + Number(visitor) * 7_000, visitor })
      })
      await store.append(many.slice(0, count - 1000))
      await store.compact()
      await store.append(many.slice(count - 1000))
      const files = await Promise.all(
        [1, 2].map(() => store.exportViews({ projectId: 'prj_1', range: allTime, format })),
      )
      for (const file of files) {
        const rows = await readExport(format, file)
        expect(rows).toHaveLength(count)
        expect(rows.every((row, index) => row.visitor === hex(BigInt(index)))).toBe(true)
      }
    })

    test('that nobody reads to its end keeps nothing open', async () => {
      const many = Array.from({ length: 20_000 }, (_, index) => newView({ at: noon + index }))
      await store.append(many)
      const unread = await store.exportViews({ projectId: 'prj_1', range: allTime, format })
      unread.destroy()
      const half = await store.exportViews({ projectId: 'prj_1', range: allTime, format })
      for await (const _chunk of half) break
      await store.deleteProject('prj_1')
      await opened.reopen()
      store = opened.store
      expect(await exported()).toEqual([])
    })

    test('tells nothing of a visitor who was forgotten', async () => {
      await store.append([newView({ visitor: 1n, path: '/gone' }), newView({ visitor: 2n })])
      await store.compact()
      await store.append([newView({ visitor: 1n, path: '/gone' })])
      expect(await store.forgetVisitors({ projectId: 'prj_1', visitors: [1n] })).toBe(2)
      expect((await exported()).map((row) => row.visitor)).toEqual([hex(2n)])
    })
  })
}

function rowOf({ at, path, visitor, verdict, referrer, source }: View): ExportedView {
  return { timestamp: new Date(at), path, visitor: hex(visitor), ...verdict, referrer, source }
}

function hex(visitor: bigint): string {
  return visitor.toString(16).padStart(16, '0')
}
