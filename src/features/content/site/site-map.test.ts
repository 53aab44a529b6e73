import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memoryTree } from '#tests/harness/memory-tree.ts'
import { parseIgnoreRules } from './ignore-rules.ts'
import { createRedirectFinder, createSafeRedirects } from './redirects.ts'
import { readSiteMap } from './site-map.ts'

const config = (value: unknown) => JSON.stringify(value, null, 2)

describe('where a link leads', () => {
  const files = {
    'docs.json': config({
      navigation: {
        groups: [
          { group: 'A', root: 'guides/index', pages: ['index', 'guides/setup', 'GET /users'] },
          { group: 'API', openapi: { source: 'openapi.json', directory: 'reference' } },
        ],
      },
      redirects: [
        { source: '/old', destination: '/guides/setup' },
        { source: '/beta/:slug*', destination: '/guides/:slug*' },
        { source: '/gone', destination: '/nowhere' },
        { source: '/out', destination: 'https://example.com' },
        { source: '/a', destination: '/b' },
        { source: '/b', destination: '/a' },
      ],
    }),
    'openapi.json': config({ paths: { '/x': { get: { 'x-mint': { href: '/special/page' } } } } }),
    'index.mdx': '',
    'guides/index.mdx': '',
    'guides/setup.mdx': '',
    'guides/with space.mdx': '',
    'plain.md': '',
    'images/logo.png': '',
    'snippets/note.mdx': '',
    'drafts/a.mdx': '',
    '.mintignore': 'drafts/\n',
  }
  const page = (path: string, anchor: string | null = null) => ({ kind: 'page', path, anchor })

  test.each([
    ['guides/setup.mdx', '/guides/setup', page('guides/setup.mdx')],
    ['guides/setup.mdx', '/guides/setup/', page('guides/setup.mdx')],
    ['guides/setup.mdx', '/guides/setup.mdx', page('guides/setup.mdx')],
    ['guides/setup.mdx', '/guides/setup.md', page('guides/setup.mdx')],
    ['guides/setup.mdx', '/guides/setup?a=b#c', page('guides/setup.mdx', 'c')],
    ['guides/setup.mdx', '/guides', page('guides/index.mdx')],
    ['guides/setup.mdx', '/guides/index', page('guides/index.mdx')],
    ['guides/setup.mdx', '/', page('index.mdx')],
    ['guides/setup.mdx', './index', page('guides/index.mdx')],
    ['guides/index.mdx', 'setup', page('guides/setup.mdx')],
    ['guides/index.mdx', 'plain', page('plain.md')],
    ['guides/index.mdx', '../plain.md', page('plain.md')],
    ['guides/index.mdx', '#here', page('guides/index.mdx', 'here')],
    ['guides/index.mdx', '#caf%C3%A9', page('guides/index.mdx', 'café')],
    ['guides/index.mdx', '/guides/with%20space', page('guides/with space.mdx')],
    ['guides/index.mdx', '../images/logo.png', { kind: 'asset', path: 'images/logo.png' }],
    ['index.mdx', '/old', page('guides/setup.mdx')],
    ['index.mdx', '/old#x', page('guides/setup.mdx', 'x')],
    ['index.mdx', '/beta/setup', page('guides/setup.mdx')],
    ['index.mdx', '/out', { kind: 'external' }],
    ['index.mdx', 'https://example.com/x', { kind: 'external' }],
    ['index.mdx', '//example.com', { kind: 'external' }],
    ['index.mdx', 'mailto:a@example.com', { kind: 'external' }],
    ['index.mdx', '{{base}}/x', { kind: 'external' }],
    ['index.mdx', '/reference/users/list', { kind: 'generated' }],
    ['index.mdx', '/special/page', { kind: 'generated' }],
    ['index.mdx', '/llms.txt', { kind: 'generated' }],
  ])('from %s, %s', async (from, url, expected) => {
    const site = await readSiteMap(memoryTree(files))
    expect(site.resolveLink(from, url)).toEqual(expected)
  })

  test.each([
    ['index.mdx', '/guides/setpu', '/guides/setup'],
    ['index.mdx', '/Guides/Setup', '/guides/setup'],
    ['index.mdx', '/somewhere/setup', '/guides/setup'],
    ['index.mdx', '/images/Logo.png', '/images/logo.png'],
    ['index.mdx', '/entirely-different', null],
    ['index.mdx', '/drafts/a', null],
    ['index.mdx', '../../outside', null],
    ['index.mdx', '/a', null],
    ['index.mdx', '/%E0%A4%A', null],
  ])('from %s, %s leads nowhere', async (from, url, suggestion) => {
    const site = await readSiteMap(memoryTree(files))
    expect(site.resolveLink(from, url)).toMatchObject({ kind: 'missing', suggestion })
  })

  test('a redirect to nothing is told apart from nothing', async () => {
    const site = await readSiteMap(memoryTree(files))
    expect(site.resolveLink('index.mdx', '/gone')).toMatchObject({ kind: 'missing', redirectedTo: '/nowhere' })
  })

  test('pages are what readers get; files about the repository and left out ones are none', async () => {
    const more = { 'README.md': '', 'LICENSE.md': '', 'AGENTS.md': '', '.github/a.md': '', 'node_modules/b/c.md': '' }
    const site = await readSiteMap(memoryTree({ ...files, ...more }))
    expect(site.pages).toEqual([
      'guides/index.mdx',
      'guides/setup.mdx',
      'guides/with space.mdx',
      'index.mdx',
      'plain.md',
    ])
    expect(site.pages.map(site.routeOf)).toEqual(['/guides', '/guides/setup', '/guides/with space', '/', '/plain'])
    for (const path of site.pages) expect(site.pageAt(site.routeOf(path))).toBe(path)
  })

  test('without a docs.json, a README is the page of its folder', async () => {
    const files = { 'README.md': '', 'CLAUDE.md': '', 'docs/README.md': '', 'docs/a.md': '' }
    const site = await readSiteMap(memoryTree(files))
    expect(site.pages.map((path) => [path, site.routeOf(path)])).toEqual([
      ['README.md', '/'],
      ['docs/README.md', '/docs'],
      ['docs/a.md', '/docs/a'],
    ])
    expect(site.resolveLink('docs/a.md', '/docs')).toMatchObject({ kind: 'page', path: 'docs/README.md' })
    expect(site.resolveLink('docs/a.md', '../README.md')).toMatchObject({ kind: 'page', path: 'README.md' })
  })
})

describe('navigation', () => {
  const pagesOf = async (files: Record<string, string>) => {
    const { navigation } = await readSiteMap(memoryTree(files))
    for (const { file, start, end, target } of navigation.entries) {
      expect(files[file]!.slice(start, end)).toBe(target)
    }
    return navigation.entries.map(({ target }) => target)
  }

  test('is found at every depth of docs.json, with the place of each entry', async () => {
    const navigation = {
      languages: [
        {
          language: 'en',
          versions: [
            {
              version: '1',
              products: [
                {
                  product: 'P',
                  dropdowns: [
                    {
                      dropdown: 'D',
                      tabs: [
                        {
                          tab: 'T',
                          menu: [
                            {
                              item: 'I',
                              anchors: [
                                {
                                  anchor: 'A',
                                  groups: [
                                    { group: 'G', root: 'root', pages: ['one', { group: 'H', pages: ['two'] }] },
                                  ],
                                },
                              ],
                            },
                          ],
                        },
                      ],
                    },
                  ],
                },
              ],
            },
          ],
        },
      ],
      global: { anchors: [{ anchor: 'B', href: '/three' }] },
    }
    expect(await pagesOf({ 'docs.json': config({ navigation }) })).toEqual(['root', 'one', 'two', '/three'])
  })

  test('is found in mint.json', async () => {
    const mint = {
      navigation: [{ group: 'G', pages: ['one', { group: 'H', pages: ['two'] }] }],
      tabs: [{ name: 'T', url: 'x' }],
    }
    expect(await pagesOf({ 'mint.json': config(mint) })).toEqual(['one', 'two'])
  })

  test('goes on in the files that it refers to, relative to each', async () => {
    const files = {
      'docs.json': config({ navigation: { $ref: './config/navigation.json' } }),
      'config/navigation.json': config({
        groups: [
          { group: 'A', pages: ['one'] },
          { $ref: 'more.json', group: 'B' },
        ],
      }),
      'config/more.json': config({ group: 'C', pages: ['two'] }),
    }
    expect(await pagesOf(files)).toEqual(['one', 'two'])
  })
})

describe('redirects', () => {
  test.each([
    ['/a', '/b', '/a/', '/b'],
    ['/beta/:slug*', '/v2/:slug*', '/beta/x/y', '/v2/x/y'],
    ['/beta/:slug*', '/v2/:slug*', '/beta', '/v2/'],
    ['/old/article-*', '/new/article-*', '/old/article-12', '/new/article-12'],
    ['/u/:id/edit', '/users/:id', '/u/7/edit', '/users/7'],
    ['/u/:id/edit', '/users/:id', '/u/7/8/edit', null],
    ['/a/*/c', '/x/*', '/a/b/b/c', '/x/b/b'],
    ['/a', '/b', '/ab', null],
  ])('%s to %s sends %s to %s', (source, destination, route, expected) => {
    const found = createRedirectFinder([{ source, destination }])(route)
    expect(found?.replace(/\/$/, '') ?? null).toBe(expected?.replace(/\/$/, '') ?? null)
  })

  test('no pattern is slow', () => {
    const find = createRedirectFinder([{ source: `/${'*a'.repeat(1_000)}b`, destination: '/x' }])
    const started = performance.now()
    expect(find(`/${'a'.repeat(100_000)}`)).toBeNull()
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  test('one that leads to itself with more each time ends before it is long', () => {
    const redirects = [{ source: '/a*', destination: `/a${'*'.repeat(1_000)}` }]
    const started = performance.now()
    expect(createRedirectFinder(redirects)(`/a${'x'.repeat(1_000)}`)).toBeNull()
    expect(createSafeRedirects(redirects, () => false)('/axx')?.length).toBeLessThan(5_000)
    expect(performance.now() - started).toBeLessThan(500)
  })

  test('any number of patterns takes a short time to look through', () => {
    const redirects = Array.from({ length: 90_000 }, (_, index) => ({ source: `/x${index}/*`, destination: '/y' }))
    for (let hop = 0; hop < 20; hop++) redirects.push({ source: `/hop${hop}-*`, destination: `/hop${hop + 1}-*` })
    const find = createSafeRedirects(redirects, () => false)
    expect(find('/x1/a')).toBe('/y')
    const started = performance.now()
    for (let count = 0; count < 100; count++) find('/hop0-x')
    expect(performance.now() - started).toBeLessThan(1_000)
  })
})

describe('.mintignore', () => {
  test.each([
    ['drafts/', 'drafts/a.mdx', true],
    ['drafts/', 'x/drafts/a.mdx', true],
    ['/drafts', 'x/drafts/a.mdx', false],
    ['*.draft.mdx', 'a/b.draft.mdx', true],
    ['private-notes.md', 'a/private-notes.md', true],
    ['**/internal/**', 'a/internal/b.mdx', true],
    ['**/internal/**', 'internal', false],
    ['a/*.md', 'a/b/c.md', false],
    ['a/**/c.md', 'a/c.md', true],
    ['*.md\n!keep.md', 'keep.md', false],
    ['drafts/\n!drafts/keep.md', 'drafts/keep.md', true],
    ['# comment\n\n', 'a.md', false],
    ['\\#a.md', '#a.md', true],
    ['?.md', 'a.md', true],
  ])('%j of %s: %s', (rules, path, expected) => {
    expect(parseIgnoreRules(rules)(path)).toBe(expected)
  })

  test('no pattern is slow, and none throws', () => {
    const started = performance.now()
    fc.assert(
      fc.property(fc.string(), fc.string(), (rules, path) => {
        parseIgnoreRules(rules)(path)
      }),
    )
    expect(parseIgnoreRules(`${'*a'.repeat(500)}b\n${'**/'.repeat(200)}x`)(`${'a'.repeat(5_000)}/b`)).toBe(false)
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})
