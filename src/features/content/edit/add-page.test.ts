import { describe, expect, test } from 'vitest'
import { changesOf, editableTree } from '#tests/harness/memory-tree.ts'
import { addPage } from './add-page.ts'
import type { DocsTree } from './docs-tree.ts'

const docs = `{
  "navigation": {
    "groups": [
      { "group": "Start", "pages": ["index"] },
      { "group": "Guides", "pages": ["guides/a", "guides/b"] },
      { "group": "More", "pages": ["other/x"] }
    ]
  }
}
`
const files = { 'docs.json': docs, 'index.mdx': '', 'guides/a.mdx': '', 'guides/b.mdx': '', 'other/x.md': '' }

describe('a page is made and listed beside its relatives', () => {
  test.each([
    ['guides/c', 'guides/c.mdx', '"guides/b"', '"guides/b", "guides/c"'],
    ['/guides/c.mdx', 'guides/c.mdx', '"guides/b"', '"guides/b", "guides/c"'],
    ['guides/deep/c', 'guides/deep/c.mdx', '"guides/b"', '"guides/b", "guides/deep/c"'],
    ['other/y', 'other/y.md', '"other/x"', '"other/x", "other/y"'],
    ['other/y.mdx', 'other/y.mdx', '"other/x"', '"other/x", "other/y"'],
    ['quickstart', 'quickstart.mdx', '"index"', '"index", "quickstart"'],
    ['new/', 'new/index.mdx', '"index"', '"index", "new/index"'],
  ])('%s', async (path, file, before, after) => {
    const tree = editableTree(files)
    const added = await addPage(tree, { path, title: 'A: B' })
    expect(added.path).toBe(file)
    expect(changesOf(tree)).toEqual({ [file]: '---\ntitle: "A: B"\n---\n', 'docs.json': docs.replace(before, after) })
  })
})

test('its text stands below the frontmatter', async () => {
  const tree = editableTree({})
  const added = await addPage(tree, { path: 'a', title: 'A', text: '\n## Hi\n\nThere\n\n' })
  expect(added).toEqual({ path: 'a.mdx', navigation: null })
  expect(changesOf(tree)).toEqual({ 'a.mdx': '---\ntitle: A\n---\n\n## Hi\n\nThere\n' })
})

test('a site of .md pages gets another, and a navigation without lists is told about', async () => {
  const tree = editableTree({ 'a.md': '', 'docs.json': '{"navigation": {}}' })
  const added = await addPage(tree, { path: 'b', title: 'B' })
  expect(added.path).toBe('b.md')
  expect(added.navigation).toMatch(/no list of pages/)
})

describe('what cannot be added is said, and nothing changes', () => {
  test.each([
    ['guides/a', /There is a page guides\/a\.mdx already/],
    ['guides/a.md', /There is a page guides\/a\.mdx already/],
    ['Guides/A', /There is a page guides\/a\.mdx already/],
    ['/', /There is a page index\.mdx already/],
    ['../x', /cannot be the path of a page/],
    ['a\u0000b', /cannot be the path of a page/],
    ['.github/x', /\.github\/x\.mdx is closed/],
  ])('%j', async (path, message) => {
    const tree: DocsTree = Object.assign(editableTree(files), {
      refusal: (one: string) => (one.startsWith('.github/') ? `${one} is closed.` : null),
    })
    await expect(addPage(tree, { path, title: 'T' })).rejects.toThrow(message)
    expect(tree.changes()).toEqual([])
  })

  test('a docs.json that does not parse', async () => {
    const tree = editableTree({ 'docs.json': '{' })
    await expect(addPage(tree, { path: 'a', title: 'T' })).rejects.toThrow(/docs\.json does not parse/)
    expect(tree.changes()).toEqual([])
  })
})
