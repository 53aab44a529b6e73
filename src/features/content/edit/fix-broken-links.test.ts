import { describe, expect, test } from 'vitest'
import { changesOf, editableTree } from '#tests/harness/memory-tree.ts'
import { checkDocs } from '../check/check.ts'
import { createPageCache } from '../parse/page-cache.ts'
import type { DocsTree } from './docs-tree.ts'
import { fixBrokenLinks } from './fix-broken-links.ts'

/** One for all tests: it has processes of its own. */
const cache = createPageCache()

const site = {
  'docs.json': '{"navigation": {"pages": ["index", "page"]}}',
  'index.mdx': '# Home',
  'guides/setup.mdx': '## Install the tool\n\n## Configure\n\n## Set up a proxy server\n',
  'guides/deployment.mdx': 'D',
  'guides/advanced/index.mdx': 'I',
  'api/users.mdx': 'U',
  'v2/users.mdx': 'U',
  'images/Logo.png': 'P',
}

describe('a link that can mean one thing is repaired in its own way', () => {
  test.each([
    ['[x](/setup)', '[x](/guides/setup)'],
    ['[x](/old/place/setup#configure)', '[x](/guides/setup#configure)'],
    ['[x](./setup.md)', '[x](./guides/setup.md)'],
    ['[x](/Guides/Setup)', '[x](/guides/setup)'],
    ['[x](/guides/setup.html)', '[x](/guides/setup)'],
    ['[x](/guides/setup/index)', '[x](/guides/setup)'],
    ['[x](/guides/advnaced)', '[x](/guides/advanced)'],
    ['[x](/guides/deploymnet?x=1)', '[x](/guides/deployment?x=1)'],
    ['[x](/guide/deployment)', '[x](/guides/deployment)'],
    ['[x](/docs/guides/deployment)', '[x](/guides/deployment)'],
    ['![x](/images/logo.png)', '![x](/images/Logo.png)'],
    ['<Card href="/guides/setpu">x</Card>', '<Card href="/guides/setup">x</Card>'],
    ['[x](/guides/setup#instal-the-tool)', '[x](/guides/setup#install-the-tool)'],
    ['[x](/guides/setup#install)', '[x](/guides/setup#install-the-tool)'],
    ['[x](/guides/setup#set-up-the-proxy-server)', '[x](/guides/setup#set-up-a-proxy-server)'],
    ['[x](/guides/setpu#configre)', '[x](/guides/setup#configure)'],
    ['## Here\n\n[x](#heer)', '## Here\n\n[x](#here)'],
    ['\uFEFF[x](/guides/setpu) \r\n', '\uFEFF[x](/guides/setup) \r\n'],
  ])('%j', async (before, after) => {
    const tree = editableTree({ ...site, 'page.mdx': before })
    const { fixed, left } = await fixBrokenLinks(tree, { cache })
    expect(left).toEqual([])
    expect(changesOf(tree)).toEqual({ 'page.mdx': after })
    expect(fixed).toHaveLength(1)
    expect((await checkDocs(tree, { cache })).problems).toEqual([])
  })
})

describe('a link that can mean several things, or nothing, is left and reported', () => {
  test.each([
    ['[x](/users)', /it could be api\/users\.mdx or v2\/users\.mdx\./],
    ['[x](/nowhere/to-be-found)', /nothing in the docs is called like it/],
    ['[x](/guides/setup#pricing)', /no heading there is much like it/],
    ['[x](/section/index)', /nothing in the docs/],
    ['[x](/gone)', /redirected to \/nothing, which does not exist/],
  ])('%j', async (source, reason) => {
    const config = '{"navigation": {"pages": []}, "redirects": [{"source": "/gone", "destination": "/nothing"}]}'
    const tree = editableTree({ ...site, 'docs.json': config, 'page.mdx': source })
    const { fixed, left } = await fixBrokenLinks(tree, { cache })
    expect(fixed).toEqual([])
    expect(left).toEqual([
      { path: 'page.mdx', line: 1, target: expect.any(String), reason: expect.stringMatching(reason) },
    ])
    expect(tree.changes()).toEqual([])
  })
})

test('good links, other sites and code are not touched', async () => {
  const page =
    '[a](/guides/setup#configure) [b](https://example.com/setup) [c](mailto:a@b.c) `[d](/nope)`\n\n```\n[e](/nope)\n```\n'
  const tree = editableTree({ ...site, 'page.mdx': page })
  expect(await fixBrokenLinks(tree, { cache })).toEqual({ fixed: [], left: [] })
})

test('navigation entries are repaired, but no page is listed twice', async () => {
  const config =
    '{\n  "navigation": {"pages": ["index", "guides/setpu", "/guides/deploymnt", "guides/deployment", "zzz"]}\n}\n'
  const tree = editableTree({ ...site, 'docs.json': config })
  const { fixed, left } = await fixBrokenLinks(tree, { cache })
  expect(fixed).toEqual([{ path: 'docs.json', line: 2, from: 'guides/setpu', to: 'guides/setup' }])
  expect(left.map(({ target, reason }) => [target, reason])).toEqual([
    ['/guides/deploymnt', 'guides/deployment.mdx is in the navigation already.'],
    ['zzz', 'nothing in the docs is called like it.'],
  ])
  expect(changesOf(tree)).toEqual({ 'docs.json': config.replace('setpu', 'setup') })
})

test('only a page or a folder can be asked for, and closed files are left', async () => {
  const files = { ...site, 'page.mdx': '[x](/guides/setpu)', 'other/page.mdx': '[x](/guides/setpu)' }
  const tree: DocsTree = Object.assign(editableTree(files), { refusal: () => null })
  await fixBrokenLinks(tree, { within: 'other', cache })
  expect(Object.keys(changesOf(tree))).toEqual(['other/page.mdx'])
  await expect(fixBrokenLinks(tree, { within: 'othr', cache })).rejects.toThrow(/There is no page othr/)
  tree.refusal = () => 'Closed.'
  expect(await fixBrokenLinks(tree, { cache })).toMatchObject({
    fixed: [],
    left: [{ path: 'page.mdx', reason: 'this file is closed to edits.' }],
  })
})
