import { beforeAll, expect, test } from 'vitest'
import { standInEdition } from '#tests/harness/stand-in-edition.ts'
import type { ServedSite } from '../serve/served-site.ts'
import { createShelf } from '../serve/shelf.ts'
import { answerAgentFile, isAgentFile } from './agent-files.ts'
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
