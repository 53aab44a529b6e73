import { beforeAll, expect, test } from 'vitest'
import { standInEdition } from '#tests/harness/stand-in-edition.ts'
import type { ServedSite } from '../serve/served-site.ts'
import { createShelf } from '../serve/shelf.ts'
import { answerAgentFile, isAgentFile } from './agent-files.ts'
import { writeLlmsFull } from './llms-full.ts'
import { buildSitemap } from './sitemap.ts'

let site: ServedSite
beforeAll(async () => {
  const edition = await standInEdition(
    {
      'docs.json': JSON.stringify({ name: 'Acme', navigation: { pages: ['index', 'a b', 'c', 'hidden'] } }),
      'index.mdx': '---\ntitle: Welcome\n---\nHello.',
      'a b.mdx': '---\ntitle: A & B\n---\nSee [C](/c).',
      'c.mdx': '---\ntitle: C\n---\nSea.',
      'hidden.mdx': '---\ntitle: Hidden\nhidden: true\n---\nNo.',
    },
    { updatedAt: new Date('2026-05-01T10:00:00Z') },
  )
  const { projectId } = edition
  site = { projectId, name: 'P', edition, base: '', origin: 'https://docs.example', kind: 'live', editUrl: () => null }
})

const ask = async (route: string, method = 'GET') => {
  const request = { method, path: route, query: new URLSearchParams(), headers: {}, body: undefined }
  const answer = (await answerAgentFile({ shelf: createShelf() }, site, { request, route }))!
  const { body } = answer
  let text = ''
  if (typeof body === 'string' || Buffer.isBuffer(body)) text = String(body)
  else if (body !== null) for await (const piece of body) text += piece
  return { ...answer, text }
}

test('the sitemap has every listed page with its date', async () => {
  const { headers, text, view } = await ask('/sitemap.xml')
  expect(headers['content-type']).toBe('application/xml; charset=utf-8')
  expect(view).toBeNull()
  expect(text).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://docs.example/</loc><lastmod>2026-05-01T10:00:00.000Z</lastmod></url>
<url><loc>https://docs.example/a%20b</loc><lastmod>2026-05-01T10:00:00.000Z</lastmod></url>
<url><loc>https://docs.example/c</loc><lastmod>2026-05-01T10:00:00.000Z</lastmod></url>
</urlset>
`)
})

test('a sitemap that is too long becomes several, and one that names them', () => {
  const files = buildSitemap(site, { limit: 2 })
  expect([...files.keys()]).toEqual(['/sitemap-1.xml', '/sitemap-2.xml', '/sitemap.xml'])
  expect(files.get('/sitemap.xml')).toContain('<sitemap><loc>https://docs.example/sitemap-2.xml</loc></sitemap>')
  expect(files.get('/sitemap-2.xml')!.match(/<url>/g)).toHaveLength(1)
  for (const route of files.keys()) expect(isAgentFile(route)).toBe(true)
})

test('robots may read everything, and are told where the sitemap is', async () => {
  const { text } = await ask('/robots.txt')
  expect(text).toContain('User-agent: *\nAllow: /\n')
  expect(text).toContain('Sitemap: https://docs.example/sitemap.xml\n')
})

test('llms-full.txt is all pages as Markdown, one after the other', async () => {
  const { headers, text, view } = await ask('/llms-full.txt')
  expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(view).toBeNull()
  expect(text.match(/^# .+$/gm)).toEqual(['# Welcome', '# A & B', '# C'])
  expect(text).toContain('See [C](https://docs.example/c.md).')
})

test('llms-full.txt goes on after a page that cannot be shown', async () => {
  const { edition } = site
  const broken: ServedSite = {
    ...site,
    edition: {
      ...edition,
      render: async (page) => {
        if (page.route === '/a b') throw new Error('no')
        return await edition.render(page)
      },
    },
  }
  const kept = site
  site = broken
  const { text } = await ask('/llms-full.txt')
  site = kept
  expect(text).toContain('# A & B\n\nThis page could not be shown.')
  expect(text).toContain('# C')
})

test('asking only for the headers of llms-full.txt renders nothing', async () => {
  const { body, status } = await ask('/llms-full.txt', 'HEAD')
  expect([status, body]).toEqual([200, null])
})

test.each(['/llms/1.txt', '/sitemap-1.xml'])('%s is not there while one file is enough', async (route) => {
  const request = { method: 'GET', path: route, query: new URLSearchParams(), headers: {}, body: undefined }
  expect(await answerAgentFile({ shelf: createShelf() }, site, { request, route })).toBeNull()
})

test('parts that an index does not have cost one look at the pages, however many are asked for', async () => {
  let looks = 0
  const pages = new Proxy(site.edition.pages, {
    get(map, name) {
      if (name === 'keys') looks++
      const value = Reflect.get(map, name)
      return typeof value === 'function' ? value.bind(map) : value
    },
  })
  const { model } = site.edition
  const indexed = { ...model, settings: { ...model.settings, indexing: 'all' as const } }
  const watched = { ...site, edition: { ...site.edition, pages, model: indexed } }
  const shelf = createShelf()
  for (let part = 1; part <= 50; part++) {
    for (const route of [`/llms/${part}.txt`, `/sitemap-${part}.xml`]) {
      const request = { method: 'GET', path: route, query: new URLSearchParams(), headers: {}, body: undefined }
      expect(await answerAgentFile({ shelf }, watched, { request, route })).toBeNull()
    }
  }
  expect(looks).toBe(2)
})

test('a sitemap without dates is written once, and again when there are dates', async () => {
  let looks = 0
  let updatedAt: Date | null = null
  const { edition } = site
  const pages = new Map(edition.pages)
  pages.keys = () => {
    looks++
    return edition.pages.keys()
  }
  const model = { ...edition.model, settings: { ...edition.model.settings, indexing: 'all' as const } }
  const waiting = { ...site, edition: { ...edition, model, pages, updatedAt: () => updatedAt } }
  const shelf = createShelf()
  const read = async () => {
    const request = { method: 'GET', path: '/sitemap.xml', query: new URLSearchParams(), headers: {}, body: undefined }
    return String((await answerAgentFile({ shelf }, waiting, { request, route: '/sitemap.xml' }))!.body)
  }
  for (let count = 0; count < 10; count++) expect(await read()).not.toContain('<lastmod>')
  expect(looks).toBe(1)
  updatedAt = new Date('2026-05-02T10:00:00Z')
  expect(await read()).toContain('<lastmod>2026-05-02')
})

test('while all pages are written into one file, others get their turn', async () => {
  const busy = async () => {
    const until = performance.now() + 2
    while (performance.now() < until);
    return 'words'
  }
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const started = performance.now()
  let written = ''
  const many = { ...site, edition: { ...site.edition } }
  for (let round = 0; round < 20; round++) for await (const piece of writeLlmsFull(many, busy)) written += piece
  clearInterval(timer)
  expect(written).toContain('words')
  expect(performance.now() - started).toBeGreaterThan(100)
  expect(turns).toBeGreaterThan(20)
})
