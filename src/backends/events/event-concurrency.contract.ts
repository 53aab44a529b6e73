import { setImmediate as othersTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { dayMs, type EventStoreOptions, everythingOf, newView, noon, type OpenStore } from './event-fixture.contract.ts'
import type { EventStore } from './event-store.ts'
import type { View } from './view.ts'

/** Views of few visitors and pages, over days in no order, in batches that differ in size. */
function batchesOf(count: number): View[][] {
  return Array.from({ length: count }, (_, batch) =>
    Array.from({ length: 1 + ((batch * 7) % 23) }, (_, index) =>
      newView({
        at: noon + ((batch * 5 + index) % 11) * dayMs + index,
        path: `/${(batch + index) % 4}`,
        visitor: BigInt((batch * 3 + index) % 17),
        eventId: BigInt(batch * 100 + index),
      }),
    ),
  )
}

function newPagesOf(count: number): View[][] {
  return Array.from({ length: count }, (_, batch) =>
    ['a', 'b', 'c'].map((name) =>
      newView({ at: noon + (batch % 9) * dayMs, path: `/${batch}/${name}`, visitor: BigInt(batch) }),
    ),
  )
}

/** What is done at the same time neither tears nor loses. */
export function describeEventConcurrency({ open, openOracle }: EventStoreOptions): void {
  describe('at the same time', () => {
    let opened: OpenStore
    let store: EventStore
    beforeEach(async () => {
      opened = await open()
      store = opened.store
    })
    afterEach(() => opened[Symbol.asyncDispose]())

    async function expectWhole(batches: View[][]): Promise<void> {
      const oracle = openOracle()
      await oracle.append(batches.flat())
      expect(await store.visitors(everythingOf())).toEqual(await oracle.visitors(everythingOf()))
      expect(await store.views(everythingOf())).toEqual(await oracle.views(everythingOf()))
      const byDay = { ...everythingOf(), interval: 'day' as const }
      expect(await store.timeseries(byDay)).toEqual(await oracle.timeseries(byDay))
    }

    // Pages come up for the first time until the end: what a store knew of its data when it planned a query may be wrong
    // when it runs it.
    const crowd = { batches: batchesOf(60), writers: 4 }
    const newPages = { batches: newPagesOf(60), writers: 1 }
    test.each([
      ['many at once', crowd],
      ['one after the other, of new pages', newPages],
    ])('appends, reports and compactions agree: %s', async (_form, { batches, writers }) => {
      const visitors = new Set(batches.flat().map((view) => view.visitor)).size
      let acknowledged = 0
      let begun = 0
      let isOver = false

      async function write(share: View[][]): Promise<void> {
        for (const batch of share) {
          begun += batch.length
          await store.append(batch)
          acknowledged += batch.length
        }
      }
      async function read(): Promise<void> {
        for (let [leastViews, leastVisitors] = [0, 0]; !isOver; await othersTurn()) {
          const before = acknowledged
          const views = await store.views(everythingOf())
          expect(views.totals.total).toBeGreaterThanOrEqual(Math.max(before, leastViews))
          expect(views.totals.total).toBeLessThanOrEqual(begun)
          // Rows and totals are of one moment.
          expect(views.rows.reduce((sum, row) => sum + row.total, 0)).toBe(views.totals.total)
          const { totals, rows } = await store.visitors(everythingOf())
          expect(totals.total).toBeGreaterThanOrEqual(Math.max(leastVisitors, ...rows.map((row) => row.total)))
          expect(totals.total).toBeLessThanOrEqual(visitors)
          leastViews = views.totals.total
          leastVisitors = totals.total
        }
      }
      async function compact(): Promise<void> {
        for (; !isOver; await othersTurn()) await store.compact()
      }
      const shares = Array.from({ length: writers }, (_, writer) => batches.filter((_, n) => n % writers === writer))
      const writing = Promise.all(shares.map(write)).finally(() => {
        isOver = true
      })
      await Promise.all([writing, read(), read(), read(), compact()])
      await expectWhole(batches)
      await store.compact()
      await expectWhole(batches)
    })

    test('the same batch sent by several at once counts once', async () => {
      const batches = batchesOf(8)
      await Promise.all(batches.flatMap((batch) => [batch, batch, batch]).map((batch) => store.append(batch)))
      await expectWhole(batches)
      await Promise.all([store.compact(), ...batches.map((batch) => store.append(batch)), store.compact()])
      await expectWhole(batches)
    })

    test('closing finishes the appends that were called before it', async () => {
      const batches = batchesOf(40)
      const appends = batches.map((batch) => store.append(batch))
      const compaction = store.compact().catch(() => {})
      await opened.reopen()
      store = opened.store
      await Promise.all(appends)
      await compaction
      await expectWhole(batches)
    })

    test('a closed store takes nothing more, and can be closed again', async () => {
      await store.append([newView({})])
      await store.close()
      await expect(store.append([newView({})])).rejects.toMatchObject({ kind: 'unavailable' })
      await store.close()
      await opened.reopen()
      store = opened.store
      expect((await store.views(everythingOf())).totals.total).toBe(1)
    })

    test('what is deleted while views of others arrive stays deleted, and they stay', async () => {
      const batches = batchesOf(30)
      const gone = batches.map((batch) => batch.map((view) => ({ ...view, projectId: 'prj_gone' })))
      await store.append(gone.flat())
      const deleting = store.deleteProject('prj_gone')
      await Promise.all([deleting, store.compact(), ...batches.map((batch) => store.append(batch))])
      expect(await store.listProjects()).toEqual(['prj_1'])
      const forgotten = store.forgetVisitors({ projectId: 'prj_1', visitors: [3n] })
      await Promise.all([forgotten, store.compact()])
      const left = batches.map((batch) => batch.filter((view) => view.visitor !== 3n))
      expect(await forgotten).toBe(batches.flat().length - left.flat().length)
      await expectWhole(left)
    })
  })
}
