import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changesOf, editableTree, memoryTree, textsOf } from '#tests/harness/memory-tree.ts'
import { createPageCache } from '../parse/page-cache.ts'
import { parsePage } from '../parse/parse-page.ts'
import { readSiteMap } from '../site/site-map.ts'
import type { DocsTree } from './docs-tree.ts'
import { movePage } from './move-page.ts'
import { referencesOf, resolveReference } from './resolve-target.ts'

/** One for all tests: it has processes of its own. */
const cache = createPageCache()

async function moved(files: Record<string, string | Buffer>, from: string, to: string) {
  const tree = editableTree(files)
  const result = await movePage(tree, { from, to, cache })
  return { ...result, changes: changesOf(tree) }
}

describe('a link keeps the way it is written in', () => {
  // Each on a page in `guides/`, to guides/a.mdx, which moves to start/b.mdx.
  test.each([
    ['[x](/guides/a)', '[x](/start/b)'],
    ['[x](/guides/a/)', '[x](/start/b/)'],
    ['[x](/guides/a.mdx)', '[x](/start/b.mdx)'],
    ['[x](/guides/a.md)', '[x](/start/b.md)'],
    ['[x](/guides%2Fa)', '[x](/start/b)'],
    ['[x](/guides/a?tab=1#part)', '[x](/start/b?tab=1#part)'],
    ['[x](./a)', '[x](../start/b)'],
    ['[x](a)', '[x](../start/b)'],
    ['[x](../guides/a.mdx#y)', '[x](../start/b.mdx#y)'],
    ['[x](guides/a)', '[x](start/b)'],
    ['[x](</guides/a> "title")', '[x](</start/b> "title")'],
    ['[x][r]\n\n[r]: /guides/a', '[x][r]\n\n[r]: /start/b'],
    ['<Card href="/guides/a">x</Card>', '<Card href="/start/b">x</Card>'],
    ["<a href='./a'>x</a>", "<a href='../start/b'>x</a>"],
    ['`[x](/guides/a)`', '`[x](/guides/a)`'],
    ['```\n[x](/guides/a)\n```', '```\n[x](/guides/a)\n```'],
    ['[x](https://example.com/guides/a)', '[x](https://example.com/guides/a)'],
    ['[x](/guides/ab) [y](/guides/a)', '[x](/guides/ab) [y](/start/b)'],
    ['\uFEFF[x](/guides/a)  \r\n\r\n[y](/guides/a)\t\r\n', '\uFEFF[x](/start/b)  \r\n\r\n[y](/start/b)\t\r\n'],
    ['😀 [é](/guides/a) ünï', '😀 [é](/start/b) ünï'],
  ])('%j', async (before, after) => {
    const { changes } = await moved({ 'guides/a.mdx': 'A', 'guides/page.mdx': before }, 'guides/a', 'start/b')
    const expected = { 'guides/a.mdx': null, 'start/b.mdx': 'A' }
    expect(changes).toEqual(before === after ? expected : { ...expected, 'guides/page.mdx': after })
  })
})

describe('a page that moves takes its own references along', () => {
  const others = {
    'guides/b.mdx': 'B',
    'top.md': 'T',
    'guides/pic.png': 'P',
    'snippets/s.mdx': 'S',
    'guides/Card.jsx': 'J',
  }
  test.each([
    ['[x](./b)', '[x](../../guides/b)'],
    ['[x](b.mdx#h)', '[x](../../guides/b.mdx#h)'],
    ['[x](/guides/b)', '[x](/guides/b)'],
    ['[x](top)', '[x](top)'],
    ['[x](../top.md)', '[x](../../top.md)'],
    ['![x](./pic.png)', '![x](../../guides/pic.png)'],
    ['[x](./missing)', '[x](./missing)'],
    ['[x](#here)', '[x](#here)'],
    ['[x](./a)', '[x](./c)'],
    ["import S from '../snippets/s.mdx'\n\n<S />", "import S from '../../snippets/s.mdx'\n\n<S />"],
    ["import S from '/snippets/s.mdx'\n\n<S />", "import S from '/snippets/s.mdx'\n\n<S />"],
    ["import { C } from './Card'\n\n<C />", "import { C } from '../../guides/Card'\n\n<C />"],
    ["import { useState } from 'react'\n", "import { useState } from 'react'\n"],
  ])('%j', async (before, after) => {
    const { changes } = await moved({ ...others, 'guides/a.mdx': before }, 'guides/a.mdx', 'new/deep/c')
    expect(changes).toEqual({ 'guides/a.mdx': null, 'new/deep/c.mdx': after })
  })
})

test('a snippet that moves is imported from where it is now, and has no redirect', async () => {
  const files = {
    'docs.json': '{"navigation": {"pages": ["a"]}}',
    'snippets/s.mdx': 'S',
    'a.mdx':
      "import S from '/snippets/s.mdx'\nimport T from '/snippets/s'\n\n<S /><T />\n\n<Snippet file=\"s.mdx\" />\n",
  }
  const { changes } = await moved(files, 'snippets/s.mdx', 'snippets/in/t.mdx')
  expect(changes).toEqual({
    'snippets/s.mdx': null,
    'snippets/in/t.mdx': 'S',
    'a.mdx': files['a.mdx']
      .replace('s.mdx', 'in/t.mdx')
      .replace("snippets/s'", "snippets/in/t'")
      .replace('"s.mdx"', '"in/t.mdx"'),
  })
})

describe('the navigation follows, and the old address is redirected', () => {
  const pages = { 'a.mdx': 'A', 'guides/index.mdx': 'I', 'guides/b.mdx': 'B' }
  const redirects = (...pairs: [string, string][]) =>
    pairs.map(([source, destination]) => `{ "source": "${source}", "destination": "${destination}" }`).join(', ')

  test.each<[string, string, [string, string], string]>([
    [
      'an entry',
      '{"navigation": {"pages": ["a"]}, "redirects": []}',
      ['a', 'c'],
      '{"navigation": {"pages": ["c"]}, "redirects": [{"source": "/a", "destination": "/c"}]}',
    ],
    [
      'an entry with slash and extension',
      '{"navigation": {"pages": ["/a.mdx"]}, "redirects": []}',
      ['a', 'c'],
      '{"navigation": {"pages": ["/c.mdx"]}, "redirects": [{"source": "/a", "destination": "/c"}]}',
    ],
    [
      'a root and a link',
      '{"navbar": {"links": [{"href": "/guides/b#x"}]}, "navigation": {"groups": [{"group": "G", "root": "guides/b", "pages": []}]}, "redirects": []}',
      ['guides/b', 'c'],
      '{"navbar": {"links": [{"href": "/c#x"}]}, "navigation": {"groups": [{"group": "G", "root": "c", "pages": []}]}, "redirects": [{"source": "/guides/b", "destination": "/c"}]}',
    ],
    [
      'an index',
      '{"navigation": {"pages": ["guides/index"]}, "redirects": []}',
      ['guides/index', 'c'],
      '{"navigation": {"pages": ["c"]}, "redirects": [{"source": "/guides", "destination": "/c"}]}',
    ],
    [
      'chains are joined',
      `{"navigation": {"pages": []}, "redirects": [${redirects(['/old', '/a#x'])}]}`,
      ['a', 'c'],
      `{"navigation": {"pages": []}, "redirects": [${redirects(['/old', '/c#x'], ['/a', '/c'])}]}`,
    ],
    [
      'what would hide the page goes',
      `{"navigation": {"pages": []}, "redirects": [${redirects(['/c', '/a'], ['/x', '/y'])}]}`,
      ['a', 'c'],
      `{"navigation": {"pages": []}, "redirects": [${redirects(['/x', '/y'], ['/a', '/c'])}]}`,
    ],
    [
      'an idle one from the old address acts now',
      `{"navigation": {"pages": []}, "redirects": [${redirects(['/a', '/guides'])}]}`,
      ['a', 'c'],
      `{"navigation": {"pages": []}, "redirects": [${redirects(['/a', '/c'])}]}`,
    ],
    [
      'patterns stay',
      `{"navigation": {"pages": []}, "redirects": [${redirects(['/v1/:slug*', '/a'])}]}`,
      ['a', 'c'],
      `{"navigation": {"pages": []}, "redirects": [${redirects(['/v1/:slug*', '/c'], ['/a', '/c'])}]}`,
    ],
  ])('%s', async (_, config, [from, to], expected) => {
    const { changes } = await moved({ ...pages, 'docs.json': config }, from, to)
    expect(changes['docs.json']).toBe(expected)
  })

  test('in files that docs.json refers to, and with the list made when there is none', async () => {
    const config = '{\n  "navigation": {"$ref": "nav/all.json"}\n}\n'
    const nav = '{"groups": [{"group": "G", "pages": [{"$ref": "./pages.json"}]}]}'
    const { changes } = await moved(
      { ...pages, 'docs.json': config, 'nav/all.json': nav, 'nav/pages.json': '[\r\n  "a"\r\n]' },
      'a',
      'guides/',
    )
    expect(changes).toMatchObject({
      'nav/pages.json': '[\r\n  "guides/a"\r\n]',
      'docs.json':
        '{\n  "navigation": {"$ref": "nav/all.json"},\n  "redirects": [\n    {\n      "source": "/a",\n      "destination": "/guides/a"\n    }\n  ]\n}\n',
    })
  })

  test('but not when the old address is still served', async () => {
    const { redirects } = await moved(
      { 'docs.json': '{"navigation": {"pages": ["a"]}}', 'a.mdx': '1', 'a/index.mdx': '2' },
      'a.mdx',
      'c',
    )
    expect(redirects).toEqual([])
  })

  test('mint.json too', async () => {
    const config = '{"tabs": [{"name": "A", "url": "a"}], "navigation": [{"group": "G", "pages": ["a"]}]}'
    const { changes } = await moved({ ...pages, 'mint.json': config }, 'a', 'c')
    expect(changes['mint.json']).toBe(
      '{"tabs": [{"name": "A", "url": "a"}], "navigation": [{"group": "G", "pages": ["c"]}], "redirects": [\n  {\n    "source": "/a",\n    "destination": "/c"\n  }\n]}',
    )
  })
})

test('a folder moves with everything in it', async () => {
  const files = {
    'docs.json': '{"logo": "/guides/logo.svg", "navigation": {"pages": ["guides", "guides/a", "top"]}}',
    'guides/index.mdx': '[a](./a) ![l](logo.svg) [t](../top)',
    'guides/a.mdx': '[i](/guides)',
    'guides/logo.svg': '<svg/>',
    'top.mdx': '[a](guides/a) [i](/guides/)',
  }
  const { changes, redirects } = await moved(files, 'guides/', 'manual/v2')
  expect(changes).toEqual({
    'docs.json': expect.stringContaining(
      '{"logo": "/manual/v2/logo.svg", "navigation": {"pages": ["manual/v2", "manual/v2/a", "top"]}',
    ),
    'guides/index.mdx': null,
    'guides/a.mdx': null,
    'guides/logo.svg': null,
    'manual/v2/index.mdx': '[a](./a) ![l](logo.svg) [t](../../top)',
    'manual/v2/a.mdx': '[i](/manual/v2)',
    'manual/v2/logo.svg': '<svg/>',
    'top.mdx': '[a](manual/v2/a) [i](/manual/v2/)',
  })
  expect(redirects).toEqual([
    { from: '/guides/a', to: '/manual/v2/a' },
    { from: '/guides', to: '/manual/v2' },
  ])
})

describe('what cannot move is said, and nothing changes', () => {
  const files = { 'a.mdx': 'A', 'guides/setup.mdx': '[a](/a)', 'docs.json': '{"navigation": {"pages": ["a"]}}' }
  test.each([
    ['guides/stup', 'x', 'There is no page guides/stup. Did you mean guides/setup.mdx?'],
    ['a', 'guides/setup', 'There is a page guides/setup.mdx already; choose another path.'],
    ['a', 'guides/Setup', 'There is a page guides/setup.mdx already; choose another path.'],
    ['a', 'a.mdx', 'a.mdx is there already; choose another path.'],
    ['a', '../outside', '"../outside.mdx" cannot be the path of a page'],
    ['a', 'x\ny', 'cannot be the path of a page'],
    ['guides/', 'guides/in', 'The folder guides cannot move to guides/in'],
    ['a', 'closed/a', 'closed/a.mdx is closed.'],
  ])('%s to %j', async (from, to, message) => {
    const tree: DocsTree = Object.assign(editableTree(files), {
      refusal: (path: string) => (path.startsWith('closed/') ? `${path} is closed.` : null),
    })
    await expect(movePage(tree, { from, to, cache })).rejects.toThrow(message)
    expect(tree.changes()).toEqual([])
  })

  test('a closed docs.json leaves the page where it is', async () => {
    const tree: DocsTree = Object.assign(editableTree(files), {
      refusal: (path: string) => (path === 'docs.json' ? 'It is closed.' : null),
    })
    await expect(movePage(tree, { from: 'a', to: 'b', cache })).rejects.toMatchObject({ kind: 'forbidden' })
    expect(tree.changes()).toEqual([])
  })

  test('a closed page keeps its link and is named', async () => {
    const tree: DocsTree = Object.assign(editableTree(files), {
      refusal: (path: string) => (path === 'guides/setup.mdx' ? 'It is closed.' : null),
    })
    const { refused, relinked } = await movePage(tree, { from: 'a', to: 'b', cache })
    expect({ refused, relinked }).toEqual({ refused: ['guides/setup.mdx'], relinked: [] })
  })
})

test('names that differ in case only, and bytes that are no text', async () => {
  const wild = Buffer.from([0xff, 0x5b, 0x61, 0x5d, 0x28, 0x2f, 0x61, 0x29])
  const { changes } = await moved({ 'a.mdx': wild, 'b.mdx': '[a](/a)' }, 'a', 'A')
  expect(Object.keys(changes)).toEqual(['A.mdx', 'a.mdx', 'b.mdx'])
  expect(changes['b.mdx']).toBe('[a](/A)')
})

const names = ['a', 'b', 'index', 'c-d', 'e f', 'ü']
const folders = ['', 'g/', 'g/h/', 'k/']
const pagePath = fc
  .tuple(fc.constantFrom(...folders), fc.constantFrom(...names), fc.constantFrom('.md', '.mdx'))
  .map((parts) => parts.join(''))
const linkTarget = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('/', './', '../', ''),
      fc.constantFrom(...folders),
      fc.constantFrom(...names, ''),
      fc.constantFrom('', '.mdx', '.md', '/', '#x', '?q#x'),
    )
    .map((parts) => parts.join('').replaceAll(' ', '%20')),
  fc.constantFrom('https://example.com/a', '#x', '..', '.', '/'),
)
const tree = fc
  .uniqueArray(fc.tuple(pagePath, fc.array(linkTarget, { maxLength: 6 })), {
    selector: ([path]) => path.replace(/\.mdx?$/, ''),
    minLength: 2,
    maxLength: 10,
  })
  .map((pages) => {
    const files = Object.fromEntries(
      pages.map(([path, links]) => [path, links.map((link, at) => `Text ${at} [l](${link}) end.  \r\n`).join('\n')]),
    )
    const listed = pages.map(([path]) => `    ${JSON.stringify(path.replace(/\.mdx?$/, ''))}`)
    return { ...files, 'docs.json': `{\n  "navigation": { "pages": [\n${listed.join(',\n')}\n  ] }\n}\n` } as Record<
      string,
      string
    >
  })

/** What every link of a tree means: the page it is on, with the file that it leads to. */
async function meanings(files: Record<string, string>, renamed: ReadonlyMap<string, string> = new Map()) {
  const base = memoryTree(files)
  const site = { files: base.entries, map: await readSiteMap(base) }
  const nameOf = (path: string) => renamed.get(path) ?? path
  const found: Record<string, (string | null)[]> = {}
  for (const [path, text] of Object.entries(files)) {
    if (path === 'docs.json') continue
    found[nameOf(path)] = referencesOf(parsePage(text, { path })).map((one) => {
      const file = resolveReference(site, path, one)?.file
      return file === undefined ? null : nameOf(file)
    })
  }
  const listed = site.map.navigation.entries.map(({ target }) => site.map.resolveEntry(target))
  return { found, listed: listed.map((one) => (one.kind === 'page' ? nameOf(one.path) : one.kind)) }
}

test('whatever moves where, every link and entry that led somewhere leads to the same page; and back again', async () => {
  await fc.assert(
    fc.asyncProperty(tree, fc.nat(), pagePath, async (files, pick, destination) => {
      const pages = Object.keys(files).filter((path) => path !== 'docs.json')
      const from = pages[pick % pages.length]!
      const edited = editableTree(files)
      const done = await movePage(edited, { from, to: destination, cache }).catch((error: { code: string }) => {
        expect(error.code).toBe('edit.page_exists')
        return null
      })
      fc.pre(done !== null)
      const to = done!.moved[0]!.to
      const before = await meanings(files, new Map([[from, to]]))
      const after = await textsOf(edited)
      const now = await meanings(after)
      expect(now.listed).toEqual(before.listed)
      for (const [path, targets] of Object.entries(before.found)) {
        const was = targets.map((target, at) => (target === null ? null : now.found[path]![at]))
        expect(was).toEqual(targets)
      }
      // Outside of links nothing is different.
      const bare = (text: string) => text.replace(/\]\([^)]*\)/g, ']()')
      for (const path of pages) expect(bare(after[path === from ? to : path]!)).toBe(bare(files[path]!))

      await movePage(edited, { from: to, to: from, cache })
      const back = await meanings(await textsOf(edited))
      const original = await meanings(files)
      expect(back.listed).toEqual(original.listed)
      for (const [path, targets] of Object.entries(original.found)) {
        expect(targets.map((target, at) => (target === null ? null : back.found[path]![at]))).toEqual(targets)
      }
    }),
    { numRuns: 150 },
  )
})

test('docs.json stays the same but for the entry and the redirect', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(undefined, 2, 4, '\t'), fc.boolean(), async (indent, hasRedirects) => {
      const config = {
        name: 'Ünï "x" \\ /',
        navigation: { tabs: [{ tab: 'T', groups: [{ group: 'G', pages: ['x', 'a', { group: 'H', pages: ['y'] }] }] }] },
        ...(hasRedirects ? { redirects: [{ source: '/o', destination: '/p' }] } : {}),
        colors: { primary: '#fff' },
      }
      const source = JSON.stringify(config, null, indent)
      const { changes } = await moved({ 'docs.json': source, 'a.mdx': '', 'x.mdx': '', 'y.mdx': '' }, 'a', 'z')
      const result = changes['docs.json']!
      const expected = JSON.parse(source.replace('"a"', '"z"'))
      expected.redirects = [...(expected.redirects ?? []), { source: '/a', destination: '/z' }]
      expect(JSON.parse(result)).toEqual(expected)
      const start = result.indexOf('"z"')
      expect(result.slice(0, start)).toBe(source.slice(0, source.indexOf('"a"')))
      if (hasRedirects) expect(result.endsWith(source.slice(source.indexOf('"colors"')))).toBe(true)
    }),
    { numRuns: 8 },
  )
})

test('a site of 5,000 pages is gone through, and only pages that name the moved one change', async () => {
  const pages = Array.from({ length: 5000 }, (_, at) => {
    const link = at % 100 === 0 ? '/section-7/page-7' : `/section-${(at + 1) % 50}/page-${at + 1}`
    return [`section-${at % 50}/page-${at}.mdx`, `---\ntitle: Page ${at}\n---\n\nSee [it](${link}).\n`]
  })
  const { relinked } = await moved(
    { ...Object.fromEntries(pages), 'docs.json': '{"navigation": {"pages": []}}' },
    'section-7/page-7',
    'new/home',
  )
  expect(relinked).toHaveLength(51)
})
