import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PageIndex, PageSection } from '#features/content/service.ts'
import type { SearchHit } from '../edition/edition.ts'
import { createMemoryStore, type SiteStore } from '../edition/site-store.ts'
import { type SearchedPage, searchSections } from './search-sections.ts'

interface TestPage {
  route: string
  title?: string
  description?: string
  keywords?: string[]
  /** Headings and texts; the first without a heading, if it has none. */
  sections: [heading: string | null, text: string][]
  isHidden?: boolean
  language?: string
  version?: string
  boost?: number
}

function indexOf({ title = 'Page', description, keywords = [], sections }: TestPage): PageIndex {
  const cut = sections.map(
    ([heading, text], at): PageSection => ({ id: heading === null ? null : `s${at}`, title: heading ?? '', text }),
  )
  return {
    fields: {
      ...{ title, sidebarTitle: null, description: description ?? null, icon: null, tag: null, url: null },
      ...{ mode: 'default', isHidden: false, isDeprecated: false, noIndex: false, canonical: null, keywords },
      ...{ openapi: null, api: null, rss: false, hideToc: false, metatags: [] },
    },
    headings: [],
    sections: cut,
    warnings: [],
  }
}

/** Keeps the pages in a store, which may have others already, and searches among these alone. */
async function createSite(pages: TestPage[], store: SiteStore = createMemoryStore()) {
  const keyOf = (page: TestPage) => JSON.stringify([page.title, page.description, page.keywords, page.sections])
  const indexed = pages.map((page) => ({ key: keyOf(page), title: page.title ?? 'Page', index: indexOf(page) }))
  await store.write('addPages', { pages: indexed, now: 0 })
  const reader = store.reader()
  const byId = new Map<number, SearchedPage[]>()
  for (const [at, page] of pages.entries()) {
    const { key, title, index } = indexed[at]!
    const id = reader.findPageId(key)!
    const source = { kind: 'file' as const, path: `${page.route}.mdx` }
    const searched: SearchedPage = {
      page: { route: page.route, source, key, index, title, navigationTitle: title },
      isHidden: page.isHidden ?? false,
      language: page.language ?? null,
      version: page.version ?? null,
      boost: page.boost ?? 1,
      trail: () => ['Guides'],
    }
    byId.set(id, [...(byId.get(id) ?? []), searched])
  }
  return {
    store,
    search(text: string, filter: { language?: string; version?: string; limit?: number } = {}): SearchHit[] {
      const { language = null, version = null, limit = 10 } = filter
      const query = { text, limit, language, version }
      return searchSections({ index: reader, pagesOf: (id) => byId.get(id) ?? [], query })
    },
  }
}

const routes = (hits: SearchHit[]) => hits.map(({ route, anchor }) => (anchor === null ? route : `${route}#${anchor}`))
const marked = (hit: SearchHit | undefined) =>
  hit?.excerpt.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text)).join('')

const site = await createSite([
  {
    route: '/install',
    title: 'Installation',
    description: 'How to get Docent running.',
    sections: [
      [null, 'Download the package.'],
      ['On Linux', 'Run the installer, then start the server with max_open_files=4096.'],
      ['With Docker', 'docker run calls getUserId() at /v1/users/{id}.'],
    ],
  },
  {
    route: '/webhooks',
    title: 'Webhooks',
    keywords: ['callback'],
    sections: [
      [null, 'Events are sent to an address of yours.'],
      ['Signatures', 'Each request is signed; check the signature before you trust it.'],
    ],
  },
  { route: '/cafe', title: 'Le café', sections: [['Étape', 'Über die Straße']] },
  { route: '/zh', title: '部署指南', sections: [[null, '使用容器部署文档网站，并检索内容。']] },
  { route: '/ko', title: '설치', sections: [[null, '문서를 배포합니다']] },
  { route: '/ru', title: 'Установка', sections: [[null, 'Скачайте пакет']] },
])

test.each([
  // [what is typed, where it leads first, the excerpt]
  ['installation', '/install', 'How to get Docent running. Download the package.'],
  ['instal', '/install', undefined],
  ['instalation', '/install', undefined],
  ['installaton', '/install', undefined],
  ['webhok', '/webhooks', undefined],
  ['webhook signature', '/webhooks#s1', undefined],
  ['signatures webhooks', '/webhooks#s1', undefined],
  ['singature', '/webhooks#s1', undefined],
  ['callback', '/webhooks', undefined],
  ['docker', '/install#s2', '[docker] run calls getUserId() at /v1/users/{id}.'],
  ['max_open_files', '/install#s1', undefined],
  ['open files', '/install#s1', 'Run the installer, then start the server with max_[open]_[files]=4096.'],
  ['getUserId', '/install#s2', undefined],
  ['getuserid', '/install#s2', undefined],
  ['user id', '/install#s2', undefined],
  ['/v1/users', '/install#s2', undefined],
  ['cafe', '/cafe', undefined],
  ['etape', '/cafe#s0', undefined],
  ['strasse', '/cafe#s0', 'Über die [Straße]'],
  ['部署', '/zh', undefined],
  ['检索', '/zh', '使用容器部署文档网站，并[检索]内容。'],
  ['容', '/zh', undefined],
  ['문서', '/ko', '[문서]를 배포합니다'],
  ['СКАЧАЙТЕ', '/ru', undefined],
  ['пакет', '/ru', undefined],
  ['how do I check the signature', '/webhooks#s1', undefined],
])('%j leads to %s', (text, expected, excerpt) => {
  const hits = site.search(text)
  expect(routes(hits)[0]).toBe(expected)
  if (excerpt !== undefined) expect(marked(hits[0])).toBe(excerpt)
})

test('a hit says what it is, and where its page stands', () => {
  expect(site.search('docker')[0]).toEqual({
    route: '/install',
    anchor: 's2',
    title: 'Installation',
    heading: 'With Docker',
    trail: ['Guides'],
    excerpt: [
      { text: 'docker', isMatch: true },
      { text: ' run calls getUserId() at /v1/users/{id}.', isMatch: false },
    ],
  })
})

test('the page of that title comes first, then titles, headings, texts', async () => {
  const { search } = await createSite([
    { route: '/text', title: 'Other', sections: [[null, 'tokens and more words about something else']] },
    { route: '/heading', title: 'Another', sections: [['Tokens', 'words about something else']] },
    { route: '/title', title: 'All about tokens', sections: [[null, 'words about something else']] },
    { route: '/exact', title: 'Tokens', sections: [[null, `${'long text '.repeat(500)}`]] },
  ])
  expect(search('tokens').map(({ route }) => route)).toEqual(['/exact', '/title', '/heading', '/text'])
})

test('a group can lift its pages, and pages outside the navigation stand lower', async () => {
  const text: [null, string][] = [[null, 'limits of the service']]
  const { search } = await createSite([
    { route: '/lost', title: 'A', boost: 0.5, sections: text },
    { route: '/plain', title: 'B', sections: text },
    { route: '/lifted', title: 'C', boost: 3, sections: text },
  ])
  expect(search('limits').map(({ route }) => route)).toEqual(['/lifted', '/plain', '/lost'])
})

test('a page gives a few of its sections, and leaves room for others', async () => {
  const many = Array.from({ length: 20 }, (_, at): [string, string] => [`Rate ${at}`, 'rate rate rate'])
  const { search } = await createSite([
    { route: '/many', title: 'Rate', sections: many },
    { route: '/one', title: 'Else', sections: [[null, 'the rate']] },
  ])
  const hits = search('rate')
  expect(hits.filter(({ route }) => route === '/many').length).toBe(3)
  expect(hits.map(({ route }) => route)).toContain('/one')
})

test('a word that is everywhere is answered by titles and headings', async () => {
  const pages = Array.from({ length: 300 }, (_, at) => ({
    route: `/p${at}`,
    title: `Client ${at}`,
    sections: [[null, `the client of the ${at}`]] as [null, string][],
  }))
  const { search } = await createSite(pages)
  expect(search('client', { limit: 50 })).toHaveLength(50)
  expect(search('c', { limit: 50 })).toHaveLength(50)
  expect(routes(search('client 7'))[0]).toBe('/p7')
})

const hostile = [
  '',
  ' ',
  '"',
  '""" OR *',
  'title : x',
  '{title} : (a',
  'NEAR(a b, 5)',
  'a AND',
  'NOT',
  '^start',
  "'; drop table page; --",
  '\0\0\0',
  'a\0b',
  '\ud800',
  `${'x'.repeat(297)}😀😀`,
  '*'.repeat(10_000),
  '('.repeat(10_000),
  'word '.repeat(2_000),
  '部署'.repeat(5_000),
  'a'.repeat(10_000),
  Array.from({ length: 2_000 }, (_, at) => `w${at}`).join(' '),
]

test.each(hostile.map((text) => [text.slice(0, 30), text]))('a query %j does no harm', (_, text) => {
  const started = process.threadCpuUsage().user
  expect(Array.isArray(site.search(text))).toBe(true)
  expect(process.threadCpuUsage().user - started).toBeLessThan(500_000)
})

test('no query throws, and its marks and pieces are the text’s own', () => {
  const syntax = fc.string({ unit: fc.constantFrom(...'install docker "*(){}:^-+,\'\0_部署é'), maxLength: 40 })
  fc.assert(
    fc.property(fc.oneof(syntax, fc.string({ unit: 'binary' })), (text) => {
      for (const { excerpt } of site.search(text)) for (const piece of excerpt) expect(piece.text).not.toBe('')
    }),
  )
})

const word = fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'max_size', 'getName', '部署', 'été')
const words = fc.array(word, { minLength: 1, maxLength: 6 }).map((list) => list.join(' '))
const page = fc.record({
  title: words,
  sections: fc.array(fc.tuple(words, words), { minLength: 1, maxLength: 3 }),
  isHidden: fc.boolean(),
  language: fc.option(fc.constantFrom('en', 'de'), { nil: undefined }),
  version: fc.option(fc.constantFrom('v1', 'v2'), { nil: undefined }),
})

test('what is found is what a look at every visible section finds, and nothing of other editions', async () => {
  const query = fc.record({
    text: fc.array(word, { minLength: 1, maxLength: 3 }),
    language: fc.option(fc.constantFrom('en', 'de'), { nil: undefined }),
    version: fc.option(fc.constantFrom('v1', 'v2'), { nil: undefined }),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(page, { maxLength: 8 }),
      fc.array(page, { maxLength: 4 }),
      query,
      async (own, others, { text, language, version }) => {
        const { store } = await createSite(others.map((one, at) => ({ ...one, route: `/other${at}` }) as TestPage))
        const pages = own.map((one, at) => ({ ...one, route: `/p${at}` }) as TestPage)
        const { search } = await createSite(pages, store)
        const isVisible = (one: TestPage) =>
          !one.isHidden &&
          (language === undefined || one.language === undefined || one.language === language) &&
          (version === undefined || one.version === undefined || one.version === version)
        const visible = pages.filter(isVisible)
        // The page's title counts for each of its sections.
        const has = ({ title }: TestPage, section: string) =>
          text.every((wanted) => `${title} ${section}`.split(' ').includes(wanted))
        const expected = visible.filter((one) => one.sections.some((section) => has(one, section.join(' '))))

        const filter = { limit: 100, ...(language ? { language } : {}), ...(version ? { version } : {}) }
        // The space says that the last word is a whole one.
        const found = new Set(search(`${text.join(' ')} `, filter).map(({ route }) => route))
        for (const { route } of expected) expect(found).toContain(route)
        for (const route of found) expect(visible.map((one) => one.route)).toContain(route)
        store.close()
      },
    ),
    { numRuns: 60 },
  )
})
