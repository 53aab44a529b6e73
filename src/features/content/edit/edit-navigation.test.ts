import { describe, expect, test } from 'vitest'
import { changesOf, editableTree } from '#tests/harness/memory-tree.ts'
import { editNavigation, type NavigationChange } from './edit-navigation.ts'

const pages = ['index', 'start', 'guides/a', 'guides/b', 'guides/deep/c', 'api/users', 'fr/start']
const files = Object.fromEntries(pages.map((page) => [`${page}.mdx`, page]))

const docs = `{
  // the site
  "name": "Site",
  "navigation": {
    "tabs": [
      {
        "tab": "Documentation",
        "groups": [
          { "group": "Start", "pages": ["index", "start"] },
          {
            "group": "Guides",
            "pages": [
              "guides/a",
              { "group": "Deep", "root": "guides/deep/c", "pages": [] }
            ]
          }
        ]
      },
      { "tab": "API", "groups": [{ "group": "Reference", "openapi": "api.json" }] },
      { "$ref": "./nav/fr.json" }
    ]
  }
}
`
const french = '{\r\n\t"tab": "Français",\r\n\t"groups": [{"group": "Start", "pages": ["/fr/start"]}]\r\n}\r\n'

async function edit(
  change: NavigationChange,
  config: Record<string, string> = { 'docs.json': docs, 'nav/fr.json': french },
) {
  const tree = editableTree({ ...files, ...config })
  const result = await editNavigation(tree, change)
  return { ...result, changes: changesOf(tree) }
}

describe('one entry changes and everything around it keeps its bytes', () => {
  test.each<[string, NavigationChange, [string, string]]>([
    [
      'a page at the end of a group',
      { action: 'add_page', page: 'api/users', group: 'Documentation / Start' },
      ['"start"]', '"start", "api/users"]'],
    ],
    [
      'a group in any case',
      { action: 'add_page', page: 'guides/b', group: 'guides' },
      ['"pages": [] }\n', '"pages": [] },\n              "guides/b"\n'],
    ],
    [
      'before another',
      { action: 'add_page', page: 'guides/b', before: 'guides/a' },
      ['"guides/a",', '"guides/b",\n              "guides/a",'],
    ],
    [
      'after another',
      { action: 'add_page', page: 'guides/b.mdx', after: '/guides/a' },
      ['"guides/a",', '"guides/a",\n              "guides/b",'],
    ],
    [
      'after one that is named without its folder',
      { action: 'add_page', page: 'guides/b', after: 'a' },
      ['"guides/a",', '"guides/a",\n              "guides/b",'],
    ],
    [
      'beside its relatives when no place is named',
      { action: 'add_page', page: 'guides/b' },
      ['"guides/a",', '"guides/a",\n              "guides/b",'],
    ],
    ['removing a page', { action: 'remove_page', page: 'start' }, ['["index", "start"]', '["index"]']],
    ['removing a root', { action: 'remove_page', page: 'guides/deep/c' }, ['"root": "guides/deep/c", ', '']],
    ['renaming a group', { action: 'rename_group', group: 'Deep', name: 'Deeper "x"' }, ['"Deep"', '"Deeper \\"x\\""']],
    [
      'a group inside a group',
      { action: 'add_group', group: 'New', parent: 'Deep', pages: ['guides/b'] },
      [
        '"pages": [] }\n',
        '"pages": [\n                {\n                  "group": "New",\n                  "pages": [\n                    "guides/b"\n                  ]\n                }\n              ] }\n',
      ],
    ],
  ])('%s', async (_, change, [before, after]) => {
    expect(docs.split(before)).toHaveLength(2)
    const { changed, changes } = await edit(change)
    expect(changed).toBe(true)
    expect(changes).toEqual({ 'docs.json': docs.replace(before, () => after) })
  })
})

test('an entry of a file that docs.json refers to is edited there', async () => {
  const { changes } = await edit({ action: 'remove_page', page: 'fr/start' })
  expect(changes).toEqual({ 'nav/fr.json': french.replace('"/fr/start"', '') })
})

test('a page moves to another group', async () => {
  const { changes, done } = await edit({ action: 'move_page', page: 'start', group: 'Guides' })
  expect(changes).toEqual({
    'docs.json': docs.replace(', "start"', '').replace('"pages": [] }\n', '"pages": [] },\n              "start"\n'),
  })
  expect(done).toMatch(/^Moved start to “Documentation \/ Guides”/)
})

test('a page that is listed already stays where it is', async () => {
  const { changed, changes, done } = await edit({ action: 'add_page', page: 'start', group: 'Guides' })
  expect({ changed, changes }).toEqual({ changed: false, changes: {} })
  expect(done).toContain('Documentation / Start')
})

test('a page that is listed twice is removed twice', async () => {
  const config = '{"navigation": {"pages": ["start", "start", "index", "/start.mdx"]}}'
  const { changes } = await edit({ action: 'remove_page', page: 'start' }, { 'docs.json': config })
  expect(changes).toEqual({ 'docs.json': '{"navigation": {"pages": ["index"]}}' })
})

test('mint.json is edited as well', async () => {
  const config = '{"navigation": [{"group": "Start", "pages": ["/index"]}]}'
  expect((await edit({ action: 'add_page', page: 'start', group: 'Start' }, { 'mint.json': config })).changes).toEqual({
    'mint.json': config.replace('"/index"', '"/index", "/start"'),
  })
  expect((await edit({ action: 'add_group', group: 'More' }, { 'mint.json': config })).changes).toEqual({
    'mint.json': config.replace(']}]', ']}, {"group": "More", "pages": []}]'),
  })
})

describe('an error teaches', () => {
  test.each<[NavigationChange, RegExp]>([
    [
      { action: 'add_page', page: 'guides/b', group: 'Guids' },
      /no group “Guids”\. Did you mean “Guides”\? There are: .*“Documentation \/ Guides \/ Deep”/,
    ],
    [
      { action: 'add_page', page: 'guides/b', group: 'Start' },
      /Several groups are called “Start”: “Documentation \/ Start”, “Français \/ Start”/,
    ],
    [{ action: 'add_page', page: 'guides/b', group: 'Reference' }, /holds no list of pages/],
    [{ action: 'add_page', page: 'guides/z' }, /There is no page guides\/z\. Did you mean/],
    [{ action: 'add_page', page: 'guides/b', after: 'api/users' }, /api\/users is not in the navigation/],
    [{ action: 'add_page', page: 'guides/b', after: 'x' }, /There is no page x/],
    [{ action: 'remove_page', page: 'guides/b' }, /no entry for guides\/b\. Did you mean guides\/a\?/],
    [{ action: 'add_group', group: 'X' }, /divided at the top; name the parent/],
    [{ action: 'add_group', group: 'Guides', parent: 'Documentation' }, /There is a group “Guides” already/],
  ])('%j', async (change, message) => {
    await expect(edit(change)).rejects.toThrow(message)
  })

  test('of a site without docs.json: its navigation follows the folders', async () => {
    await expect(edit({ action: 'add_page', page: 'start' }, {})).rejects.toThrow(/follows the folders/)
  })

  test('of a docs.json that is none', async () => {
    await expect(edit({ action: 'add_page', page: 'start' }, { 'docs.json': '{"navigation":' })).rejects.toThrow(
      /docs\.json does not parse/,
    )
  })
})

test('files that refer to each other, or nest without end, cost no more than they hold', async () => {
  const references = (name: string) => `[${Array(50).fill(`{"$ref": "./${name}.json"}`).join(',')}, "index"]`
  const config = {
    'docs.json': '{"navigation": {"groups": [{"group": "G", "pages": [{"$ref": "./x.json"}]}]}}',
    'x.json': references('y'),
    'y.json': references('x'),
  }
  expect((await edit({ action: 'remove_page', page: 'index' }, config)).changed).toBe(true)
  const deep = `{"navigation": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  await expect(edit({ action: 'remove_page', page: 'index' }, { 'docs.json': deep })).rejects.toThrow(
    /docs\.json|no entry/,
  )
})
