import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { recordFeedback } from './feedback.ts'
import { NewFeedback } from './schema.ts'
import { recordSearch, recordSearchClick } from './searches.ts'

let now = Date.parse('2026-03-01T12:00:00Z')
let it: TestApp
let projectId: string
beforeAll(async () => {
  it = await createTestApp({ clock: { now: () => new Date(now) } })
})
afterAll(() => it.close())
beforeEach(async () => {
  const source = { provider: 'github', repository: 'acme/docs' }
  projectId = (await it.call('POST', '/v1/projects', { body: { name: 'Docs', source } })).body.id
})

const get = (list: string, query: Record<string, string> = {}) =>
  it.call('GET', `/v1/analytics/${projectId}/${list}?${new URLSearchParams(query)}`)

async function say(said: Partial<NewFeedback> = {}, path = '/guide'): Promise<string> {
  now += 1000
  const whole = NewFeedback.parse({ helpful: true, ...said })
  return await recordFeedback(it.services, { projectId, path, said: whole })
}

async function search(query: string, clicked?: string): Promise<void> {
  now += 1000
  const searchId = (await recordSearch(it.services, { projectId, query }))!
  if (clicked !== undefined) await recordSearchClick(it.services, { projectId, searchId, path: clicked })
}

/** All pages of a list, one after the other. */
async function readAll(list: 'feedback' | 'searches', query: Record<string, string> = {}, between = async () => {}) {
  const pages = []
  for (let cursor: string | null = ''; cursor !== null; cursor = pages.at(-1).nextCursor) {
    if (cursor !== '') await between()
    const { status, body, text } = await get(list, { ...query, ...(cursor ? { cursor } : {}) })
    expect(status, text).toBe(200)
    pages.push(body)
    expect(pages.length).toBeLessThan(100)
  }
  return { pages, rows: pages.flatMap((page) => page[list]) }
}

describe('feedback', () => {
  test('of a project without any is an empty page', async () => {
    expect((await get('feedback')).body).toEqual({ feedback: [], nextCursor: null, hasMore: false })
  })

  test('is told as it was given', async () => {
    const first = await say()
    const second = await say({ helpful: false, comment: ' =1+1 "is" wrong\n', contact: 'a@example.com' }, '/api/é')
    expect((await get('feedback')).body).toEqual({
      feedback: [
        {
          id: second,
          path: '/api/é',
          comment: '=1+1 "is" wrong',
          createdAt: new Date(now).toISOString(),
          source: 'contextual',
          status: 'pending',
          helpful: false,
          contact: 'a@example.com',
        },
        {
          id: first,
          path: '/guide',
          comment: null,
          createdAt: new Date(now - 1000).toISOString(),
          source: 'contextual',
          status: 'pending',
          helpful: true,
          contact: null,
        },
      ],
      nextCursor: null,
      hasMore: false,
    })
  })

  test('is read page by page, newest first, each once, while more arrives', async () => {
    const ids = []
    for (let index = 0; index < 7; index++) ids.push(await say())
    const { pages, rows } = await readAll('feedback', { limit: '3' }, async () => void (await say()))
    expect(rows.map(({ id }) => id)).toEqual(ids.reverse())
    expect(pages.map(({ hasMore }) => hasMore)).toEqual([true, true, false])
    expect(pages.at(-1).nextCursor).toBeNull()
  })

  test('of one moment is told apart by its id', async () => {
    const said = NewFeedback.parse({ helpful: true })
    const ids = []
    for (let index = 0; index < 5; index++) ids.push(await recordFeedback(it.services, { projectId, path: '/', said }))
    const { rows } = await readAll('feedback', { limit: '2' })
    expect(rows.map(({ id }) => id).sort()).toEqual(ids.sort())
  })

  test('is filtered by range, status and source', async () => {
    const before = now
    const ids = [await say(), await say(), await say()]
    const at = (index: number) => new Date(before + index * 1000).toISOString()
    const idsOf = async (query: Record<string, string>) => (await readAll('feedback', query)).rows.map(({ id }) => id)
    expect(await idsOf({ dateFrom: at(2) })).toEqual([ids[2], ids[1]])
    expect(await idsOf({ dateTo: at(2) })).toEqual([ids[0]])
    expect(await idsOf({ dateFrom: at(1), dateTo: at(3) })).toEqual([ids[1], ids[0]])
    expect(await idsOf({ dateFrom: '0001-01-01', dateTo: '9999-12-31' })).toHaveLength(3)
    await it.services.db.updateTable('feedback').set({ status: 'resolved' }).where('id', '=', ids[1]!).execute()
    expect(await idsOf({ status: 'resolved' })).toEqual([ids[1]])
    expect(await idsOf({ status: 'pending, resolved' })).toHaveLength(3)
    expect(await idsOf({ status: 'dismissed,in_progress' })).toEqual([])
    expect(await idsOf({ source: 'contextual' })).toHaveLength(3)
    expect(await idsOf({ source: 'code_snippet' })).toEqual([])
  })
})

describe('searches', () => {
  test('of a project without any are an empty page', async () => {
    expect((await get('searches')).body).toEqual({ searches: [], totalSearches: 0, nextCursor: null })
  })

  test('are counted by term, with what was opened', async () => {
    await search('API  keys', '/keys')
    await search(' api keys', '/keys')
    await search('api keys', '/auth')
    await search('api keys')
    const lastSearchedAt = new Date(now).toISOString()
    await search('webhooks')
    expect((await get('searches')).body).toEqual({
      searches: [
        { searchQuery: 'api keys', hits: 4, ctr: 0.75, topClickedPage: '/keys', lastSearchedAt },
        { searchQuery: 'webhooks', hits: 1, ctr: 0, topClickedPage: null, lastSearchedAt: new Date(now).toISOString() },
      ],
      totalSearches: 5,
      nextCursor: null,
    })
  })

  test('keep the first click, and none for another project or an unknown search', async () => {
    const searchId = (await recordSearch(it.services, { projectId, query: 'a' }))!
    const click = (change: object) => recordSearchClick(it.services, { projectId, searchId, path: '/late', ...change })
    await click({ projectId: 'prj_0000000000000000000000' })
    await click({ searchId: 'sch_0000000000000000000000' })
    await click({ searchId: '\0' })
    await click({ path: '\0' })
    expect((await get('searches')).body.searches[0]).toMatchObject({ ctr: 0, topClickedPage: null })
    await click({ path: '/first' })
    await click({})
    expect((await get('searches')).body.searches[0]).toMatchObject({ ctr: 1, topClickedPage: '/first' })
  })

  test.each(['', '  ', '\0', '\u200b'])('%j is no search', async (query) => {
    expect(await recordSearch(it.services, { projectId, query })).toBeNull()
  })

  test('take any text as a term', async () => {
    for (const query of [
      "' or 1=1; --",
      'a\0b',
      '\ud800',
      '%_\\',
      '💥'.repeat(300),
      'İ'.repeat(200),
      'ß'.repeat(400),
    ]) {
      await search(query)
    }
    const { rows } = await readAll('searches', { limit: '1' })
    expect(rows).toHaveLength(7)
    expect(new Set(rows.map(({ searchQuery }) => searchQuery))).toContain("' or 1=1; --")
  })

  test('are read page by page as they were when the first page was read', async () => {
    const terms = ['e', 'd', 'd', 'c', 'c', 'b', 'b', 'b', 'a']
    for (const term of terms) await search(term)
    // Would move the last terms to the front, and a new one between them.
    const meanwhile = async () => {
      for (const term of ['a', 'a', 'a', 'a', 'e', 'e', 'e', 'e', 'n', 'n']) await search(term)
    }
    const { pages, rows } = await readAll('searches', { limit: '2' }, meanwhile)
    expect(rows.map(({ searchQuery, hits }) => `${searchQuery}${hits}`)).toEqual(['b3', 'c2', 'd2', 'a1', 'e1'])
    expect(pages.map(({ totalSearches }) => totalSearches)).toEqual([9, 9, 9])
  })

  test('equal brute force, at any limit and range', async () => {
    const done = fc.record({
      term: fc.constantFrom('a', 'A', 'b', 'ab', 'é', '日本', 'a b'),
      clicked: fc.constantFrom(undefined, '/x', '/y', '/é'),
    })
    const log: { term: string; clicked: string | undefined; at: number }[] = []
    for (const { term, clicked } of fc.sample(done, { numRuns: 60, seed: 7 })) {
      await search(term, clicked)
      log.push({ term: term.toLowerCase(), clicked, at: now })
    }
    const start = log[0]!.at
    const bound = fc.option(fc.integer({ min: -1, max: 61 }).map((second) => start + second * 1000))
    await fc.assert(
      fc.asyncProperty(bound, bound, fc.integer({ min: 1, max: 8 }), async (from, to, limit) => {
        fc.pre(from === null || to === null || from < to)
        const wanted = log.filter(({ at }) => (from === null || at >= from) && (to === null || at < to))
        const query: Record<string, string> = { limit: String(limit) }
        if (from !== null) query.dateFrom = new Date(from).toISOString()
        if (to !== null) query.dateTo = new Date(to).toISOString()
        const { pages, rows } = await readAll('searches', query)
        expect(rows).toEqual(countTerms(wanted))
        for (const page of pages) expect(page.totalSearches).toBe(wanted.length)
      }),
      { numRuns: 25 },
    )
  })
})

function countTerms(log: { term: string; clicked: string | undefined; at: number }[]) {
  const bytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
  return [...Map.groupBy(log, ({ term }) => term)]
    .map(([searchQuery, of]) => {
      const clicks = of.flatMap(({ clicked }) => clicked ?? [])
      const often = (path: string) => clicks.filter((other) => other === path).length
      const [topClickedPage = null] = clicks.sort((a, b) => often(b) - often(a) || bytes(a, b))
      const lastSearchedAt = new Date(of.at(-1)!.at).toISOString()
      return { searchQuery, hits: of.length, ctr: clicks.length / of.length, topClickedPage, lastSearchedAt }
    })
    .sort((a, b) => b.hits - a.hits || bytes(a.searchQuery, b.searchQuery))
}

describe.each(['feedback', 'searches'] as const)('%s', (list) => {
  const cursorOf = (place: unknown) => Buffer.from(JSON.stringify(place)).toString('base64url')

  test.each([
    ['limit', '0'],
    ['limit', '101'],
    ['limit', 'x'],
    ['dateFrom', '2026-02-30'],
    ['dateTo', 'yesterday'],
    ['cursor', ''],
    ['cursor', 'x'],
    ['cursor', '!!'],
    ['cursor', 'a'.repeat(10_000)],
    ['cursor', cursorOf(null)],
    ['cursor', cursorOf([])],
    ['cursor', cursorOf(['other', 1, 'fbk_0000000000000000000000'])],
    ['cursor', cursorOf(['feedback', 1e300, 'fbk_0000000000000000000000'])],
    ['cursor', cursorOf(['feedback', 1, "' or 1=1"])],
    ['cursor', cursorOf(['searches', 1, 1, 'a\0b'])],
    ['cursor', cursorOf(['searches', 1, 1.5, 'a'])],
    ['cursor', cursorOf(['searches', -1, 1, 'a'])],
  ])('refuse the %s %s in words that name it', async (name, value) => {
    const { status, body } = await get(list, { [name]: value })
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'request.invalid', details: [{ path: name }] })
    expect(body.error).toMatch(new RegExp(`^${name}: expected|^${name}: there is no`))
    expect(body.error.length).toBeLessThan(300)
  })

  test('refuse a parameter that is given twice', async () => {
    for (const name of ['cursor', 'dateFrom', 'limit']) {
      const { status, body } = await it.call('GET', `/v1/analytics/${projectId}/${list}?${name}=1&${name}=2`)
      expect([status, body.details?.[0].path]).toEqual([400, name])
    }
  })

  test('are another organization’s as little as an unknown project’s', async () => {
    const { key } = await it.createOrganization('Other')
    for (const id of [projectId, 'prj_0000000000000000000000', '%00']) {
      const { status, body } = await it.call('GET', `/v1/analytics/${id}/${list}`, { key })
      expect([status, body.code]).toEqual([404, 'project.not_found'])
    }
  })
})
