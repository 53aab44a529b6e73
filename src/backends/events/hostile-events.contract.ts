import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  allTime,
  type EventStoreOptions,
  everythingOf,
  newView,
  type OpenStore,
  verdictOf,
} from './event-fixture.contract.ts'
import type { EventStore } from './event-store.ts'

/** Text that came from anyone is only ever text. */
export function describeHostileEvents(options: EventStoreOptions): void {
  describe('hostile text', () => {
    const hostile = [
      `'`,
      `"`,
      `'); DROP TABLE views; --`,
      '$1 ? :a %s \\ \\N \\u0000',
      'a\nb\r\nc\td',
      '=HYPERLINK("http://evil.example")',
      '\u202e\u200b\ufeff',
      '{"a": [null]}',
      'NULL',
      '',
      'x'.repeat(8192),
      '😀'.repeat(2048),
    ]

    let opened: OpenStore
    let store: EventStore
    beforeEach(async () => {
      opened = await options.open()
      store = opened.store
    })
    afterEach(() => opened[Symbol.asyncDispose]())

    test('comes back as it was', async () => {
      const views = hostile.map((text) =>
        newView({ path: `/${text}`, referrer: text, verdict: { ...verdictOf('agent', text), reason: text } }),
      )
      const paths = views.map(({ path }) => path).sort()
      await store.append(views)
      for (const form of ['appended', 'compacted', 'reopened']) {
        if (form === 'compacted') await store.compact()
        if (form === 'reopened') await opened.reopen()
        store = opened.store
        expect((await store.visitors(everythingOf())).rows.map(({ path }) => path).sort()).toEqual(paths)
        const { rows } = await store.agents(everythingOf())
        expect(rows.map(({ client }) => client).sort()).toEqual(hostile.toSorted())
        const sent = (await store.referrers({ ...everythingOf(), by: 'url' })).rows.map(({ referrer }) => referrer)
        expect(sent.sort()).toEqual(hostile.toSorted())
        for (const text of hostile) {
          const found = await store.views({ ...everythingOf(), path: text })
          const letters = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
          const holds = (path: string) => path.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).includes(letters)
          expect(found.rows.map(({ path }) => path).sort()).toEqual(paths.filter(holds))
        }
        const file = await store.exportViews({ projectId: 'prj_1', range: allTime, format: 'jsonl' })
        const exported = (await options.readExport('jsonl', file)).map(({ path, client, reason, referrer }) => {
          return [path, client, reason, referrer]
        })
        const expected = hostile.map((text) => [`/${text}`, text, text, text])
        expect(exported.sort()).toEqual(expected.sort())
      }
    })

    test('as the name of a project reaches no other', async () => {
      const projectId = `prj_1' OR '1'='1`
      await store.append([newView({})])
      expect((await store.views(everythingOf(projectId))).totals.total).toBe(0)
      expect(await store.forgetVisitors({ projectId, visitors: [1n] })).toBe(0)
      await store.deleteProject(projectId)
      await store.append([newView({ projectId })])
      await store.compact()
      expect((await store.views(everythingOf(projectId))).totals.total).toBe(1)
      await store.deleteProject(projectId)
      expect((await store.views(everythingOf())).totals.total).toBe(1)
    })

    test('with a NUL is kept as it is, or refused with all that came along', async () => {
      const bad = newView({ path: '/a\0b', referrer: 'c\0d', verdict: verdictOf('agent', 'e\0f') })
      const refused = await store.append([newView({ path: '/good' }), bad]).catch((error) => error)
      if (refused) {
        expect(refused).toMatchObject({ kind: 'invalid' })
        expect((await store.views(everythingOf())).rows).toEqual([])
      } else {
        expect((await store.views(everythingOf())).rows).toMatchObject([{ path: '/a\0b' }, { path: '/good' }])
        expect((await store.agents(everythingOf())).rows).toMatchObject([{ client: 'e\0f' }])
      }
      await store.append([newView({ path: '/after' })])
      expect((await store.views({ ...everythingOf(), limit: 1, offset: refused ? 0 : 1 })).rows).toMatchObject([
        { path: '/after' },
      ])
    })
  })
}
