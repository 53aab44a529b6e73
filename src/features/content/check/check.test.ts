import { expect, test } from 'vitest'
import { createEditableTree } from '#infra/files/editable-tree.ts'
import { memoryTree } from '#tests/harness/memory-tree.ts'
import { createPageCache } from '../parse/page-cache.ts'
import { createPageParser } from '../parse/page-parser.ts'
import { checkDocs, introducedProblems } from './check.ts'

// One parser for all of them, as a server has it.
const parser = createPageParser()
const check = (files: Record<string, string>) => checkDocs(memoryTree(files), { cache: createPageCache(parser) })
const found = async (files: Record<string, string>) =>
  (await check(files)).problems.map(({ rule, path, line, message, hint }) => [rule, path, line, message, hint])

const navigation = (pages: unknown[], more: object = {}) => JSON.stringify({ navigation: { pages }, ...more }, null, 2)
const site = { 'docs.json': navigation(['index', 'guide']), 'index.mdx': '# Home\n', 'guide.mdx': '## Set up\n' }

test('a site that uses the format in all its ways has no problems', async () => {
  const files = {
    'docs.json': JSON.stringify({
      logo: { light: '/logo.svg', dark: '/logo.svg' },
      favicon: 'logo.svg',
      navigation: {
        tabs: [
          { tab: 'Docs', groups: [{ group: 'G', root: 'guides/index', pages: ['index', '/guides/setup', 'plain'] }] },
          { tab: 'API', openapi: 'api/openapi.yaml', pages: ['GET /users', 'api/openapi.yaml POST /users'] },
          { tab: 'Remote', openapi: { source: 'https://example.com/openapi.json', directory: 'remote' } },
          { tab: 'Elsewhere', href: 'https://example.com' },
        ],
        global: { anchors: [{ anchor: 'Log', href: '/plain#news' }] },
      },
      redirects: [{ source: '/old/:path*', destination: '/guides/:path*' }],
    }),
    'logo.svg': '<svg/>',
    'api/openapi.yaml': 'paths: {}',
    'index.mdx': `---
title: Home
---

import Note from '/snippets/note.mdx'
import { Button } from './snippets/button.jsx'
import { useState } from 'react'

# Home

<Note /> <Button href={target} />

[setup](/guides/setup#what-is-new) [setup](guides/setup) [folder](/guides) [same](#home) [top](#top) [from a snippet](#in-the-note)
[old](/old/setup) [made](/api-reference/users/list) [made](/remote/x) [file](/logo.svg) [mail](mailto:a@example.com)
![logo](./logo.svg) [markdown](/guides/setup.md) [query](/guides/setup?tab=1) [llms](/llms.txt) [text](/plain#:~:text=x)

<Card title="Card" href="/guides/setup#step-two" img="logo.svg" />
<a href="/plain#news">news</a>
`,
    'guides/index.mdx': '[next](./setup) [home](../index) [anchor](setup#option)\n\n<Snippet file="note.mdx" />',
    'guides/setup.mdx': '## What is new?\n\n<Steps><Step title="Step two">x</Step></Steps>\n\n## Option {#option}\n',
    'plain.md':
      '# Plain\n\n<a name="news"></a>\n\n{not an expression <br>\n\n[x](index.mdx) [made](/guides/setup#option)\n',
    'generated.mdx': '---\nopenapi: GET /users\n---\n',
    'links-to-generated.mdx': '[param](/generated#body-name)',
    'snippets/note.mdx': '## In the note\n\n[relative to whoever shows it](./setup) [home](/) [there](#step-two)',
    'snippets/button.jsx': 'export const Button = () => <h2 id="x" />',
    'snippets/unused.mdx': '<Broken',
    'drafts/broken.mdx': '<Broken',
    '.mintignore': 'drafts/',
    'README.md': '[x](/nowhere)',
    '.github/pull_request_template.md': '[x](/nowhere)',
  }
  expect(await found(files)).toEqual([])
})

test.each<[string, Record<string, string>, unknown[]]>([
  [
    'a link',
    { 'index.mdx': '# A\n\n[x](/giude)' },
    ['link', 'index.mdx', 3, 'The link /giude leads to nothing.', 'Did you mean /guide?'],
  ],
  ['an image', { 'index.mdx': '![x](/x.png)' }, ['link', 'index.mdx', 1, 'The image /x.png leads to nothing.', null]],
  [
    'case',
    { 'index.mdx': '[x](/Guide)' },
    ['link', 'index.mdx', 1, 'The link /Guide leads to nothing.', 'Did you mean /guide?'],
  ],
  [
    'an attribute',
    { 'index.mdx': '<Card href="/x/y" />' },
    ['link', 'index.mdx', 1, 'The link /x/y leads to nothing.', null],
  ],
  [
    'an anchor elsewhere',
    { 'index.mdx': '[x](/guide#setup)' },
    ['anchor', 'index.mdx', 1, 'There is no heading #setup on guide.mdx.', 'Did you mean #set-up?'],
  ],
  [
    'an anchor here',
    { 'index.mdx': '[x](#nope)' },
    ['anchor', 'index.mdx', 1, 'There is no heading #nope on this page.', null],
  ],
  [
    'a page of the navigation',
    { 'docs.json': navigation(['index', 'gide']) },
    ['navigation', 'docs.json', 5, 'The page gide in the navigation does not exist.', 'Did you mean guide?'],
  ],
  [
    'a link of the navigation',
    { 'docs.json': JSON.stringify({ navigation: { pages: [], global: { anchors: [{ href: '/x' }] } } }) },
    ['navigation', 'docs.json', 1, 'The link /x in the navigation does not exist.', null],
  ],
  [
    'a specification',
    { 'docs.json': JSON.stringify({ navigation: { tabs: [{ tab: 'A', openapi: 'api.json' }] } }) },
    ['navigation', 'docs.json', 1, 'The specification api.json does not exist.', null],
  ],
  [
    'a specification of an entry',
    { 'docs.json': JSON.stringify({ navigation: { pages: ['index', 'api.json GET /x'] } }) },
    ['navigation', 'docs.json', 1, 'The specification api.json does not exist.', null],
  ],
  [
    'an image of an element',
    { 'index.mdx': '<img src="/x.png" />' },
    ['link', 'index.mdx', 1, 'The image /x.png leads to nothing.', null],
  ],
  [
    'a link to a file that readers do not get',
    { 'index.mdx': '[x](./README.md)', 'README.md': '' },
    ['link', 'index.mdx', 1, 'The link ./README.md leads to README.md, which is no page of the site.', null],
  ],
  [
    'a link on a README that the navigation names',
    { 'docs.json': navigation(['index', 'README']), 'README.md': '[x](/nowhere)' },
    ['link', 'README.md', 1, 'The link /nowhere leads to nothing.', null],
  ],
  [
    'a setting',
    { 'docs.json': navigation(['index'], { colors: { primary: 'red' } }) },
    ['config', 'docs.json', 8, '"colors.primary" must be a color such as #0d9373, found "red".', null],
  ],
  [
    'a snippet',
    { 'index.mdx': "import A from '/snippets/a.mdx'\n\n<A />" },
    ['snippet', 'index.mdx', 1, 'Imports /snippets/a.mdx, which does not exist.', null],
  ],
  [
    'a link in a snippet',
    { 'index.mdx': "import A from '/snippets/a.mdx'\n\n<A />", 'snippets/a.mdx': '\n[x](/x)' },
    ['link', 'snippets/a.mdx', 2, 'The link /x leads to nothing.', null],
  ],
  [
    'a snippet that imports itself',
    { 'index.mdx': "import A from './snippets/a.mdx'", 'snippets/a.mdx': "import A from './a.mdx'" },
    ['snippet', 'snippets/a.mdx', 1, 'Imports itself, so it would never end.', null],
  ],
  [
    'frontmatter',
    { 'index.mdx': '---\ntitle: [a]\n---\n' },
    [
      'frontmatter',
      'index.mdx',
      2,
      '"title" in the frontmatter is a list; it must be text.',
      'Put quotes around the text.',
    ],
  ],
  [
    'MDX',
    { 'index.mdx': '# A\n\n<Note>' },
    ['mdx', 'index.mdx', 3, 'Expected a closing tag for `<Note>` (3:1).', null],
  ],
  [
    'a comma too many',
    { 'docs.json': '{\n  "navigation": { "pages": ["index",] }\n}' },
    ['config', 'docs.json', 2, 'docs.json is no JSON: value expected.', 'The comma before it is one too many.'],
  ],
  [
    'a reference to no file',
    { 'docs.json': '{\n"navigation": { "$ref": "nav.json" }\n}' },
    ['config', 'docs.json', 2, '"$ref" names nav.json, which does not exist.', null],
  ],
  [
    'a reference in a circle',
    { 'docs.json': '{\n"navigation": { "$ref": "docs.json" }\n}' },
    ['config', 'docs.json', 2, '"$ref" to docs.json leads in a circle.', null],
  ],
  [
    'no navigation',
    { 'docs.json': '{ "name": "A" }' },
    ['config', 'docs.json', 1, '"navigation" is missing in docs.json.', null],
  ],
  [
    'pages that are no list',
    { 'docs.json': '{ "navigation": { "pages": "index" } }' },
    ['config', 'docs.json', 1, '"pages" must be a list, found text.', null],
  ],
  [
    'a logo',
    { 'docs.json': navigation(['index'], { logo: '/logo.svg' }) },
    ['config', 'docs.json', 7, 'The image /logo.svg does not exist.', null],
  ],
  [
    'a redirect to nothing',
    { 'index.mdx': '[x](/old)', 'docs.json': navigation([], { redirects: [{ source: '/old', destination: '/new' }] }) },
    ['link', 'index.mdx', 1, '/old is redirected to /new, which does not exist.', null],
  ],
])('reports what is broken: %s', async (_, change, expected) => {
  expect(await found({ ...site, ...change })).toEqual([expected])
})

test('what a specification lacks is missing', async () => {
  const files = {
    ...site,
    'docs.json': JSON.stringify({ navigation: { openapi: 'api.json', pages: ['index', 'GET /users', 'GET /none'] } }),
    'api.json': JSON.stringify({
      openapi: '3.1.0',
      paths: { '/users': { get: { summary: 'List', tags: ['Users'] } } },
    }),
    'index.mdx': '[a](/api-reference/users/list) [b](/api-reference/users/lists)',
  }
  expect((await found(files)).map(([rule, , , message]) => [rule, message])).toEqual([
    ['navigation', 'GET /none is not in api.json.'],
    ['link', 'The link /api-reference/users/lists leads to nothing.'],
  ])
  const elsewhere = files['docs.json'].replace('api.json', 'https://example.com/api.json')
  expect(await found({ ...files, 'docs.json': elsewhere, 'api.json': '{}' })).toEqual([])
})

test('without a docs.json, the README is a page, and so is what it leads to', async () => {
  const files = {
    'README.md': '[license](LICENSE.md) [guide](guide.md) [x](nowhere.md)',
    'LICENSE.md': '',
    'guide.md': '',
  }
  expect(await found(files)).toEqual([['link', 'README.md', 1, 'The link nowhere.md leads to nothing.', null]])
})

test('snippets that import each other in a circle are reported once', async () => {
  const files = {
    'index.mdx': "import A from '/snippets/a.mdx'",
    'snippets/a.mdx': "import B from './b.mdx'",
    'snippets/b.mdx': "import A from './a.mdx'",
  }
  const problems = await found({ ...site, ...files })
  expect(problems).toEqual([['snippet', 'snippets/b.mdx', 1, expect.stringContaining('imports this file again'), null]])
})

test('a docs.json nested without end is a problem and no crash', async () => {
  const deep = `{"navigation":${'{"a":['.repeat(50_000)}`
  expect(await found({ ...site, 'docs.json': deep })).toEqual([
    ['config', 'docs.json', 1, expect.stringContaining('deeper'), null],
  ])
})

test('problems are known again when lines were added above them', async () => {
  const before = await check({ ...site, 'index.mdx': '[a](/x)\n\n[b](/y)' })
  const after = await check({ ...site, 'index.mdx': 'New.\n\n[a](/x)\n\n[b](/y) [c](/y) [d](/z)' })
  expect(introducedProblems(before.problems, after.problems).map(({ message }) => message)).toEqual([
    'The link /y leads to nothing.',
    'The link /z leads to nothing.',
  ])
  expect(introducedProblems(after.problems, before.problems)).toEqual([])
})

test('after a change, only changed files are read and parsed', async () => {
  const pages = Array.from({ length: 300 }, (_, index) => [`p${index}.mdx`, `# P${index}\n\n[x](/p0)`])
  const base = memoryTree({ 'docs.json': navigation(['p0']), ...Object.fromEntries(pages) })
  const cache = createPageCache(parser)
  const first = await checkDocs(base, { cache })
  expect(first).toMatchObject({ pages: 300, links: 300, problems: [] })

  const read: string[] = []
  const watched = {
    ...base,
    read(path: string) {
      read.push(path)
      return base.read(path)
    },
  }
  const changed = createEditableTree(watched)
  changed.write('p7.mdx', Buffer.from('[x](/nowhere)'))
  changed.delete('p0.mdx')
  const second = await checkDocs(changed, { cache })
  expect(second.pages).toBe(299)
  expect(second.problems).toHaveLength(300)
  expect(read.filter((path) => path.endsWith('.mdx'))).toEqual([])
})

test('the event loop goes on turning, progress is told, and a signal stops it', async () => {
  const body = '## Heading\n\nSome words and [a link](/p1#heading).\n\n'.repeat(40)
  const pages = Array.from({ length: 1_000 }, (_, index) => [`p${index}.mdx`, `# P${index}\n\n${body}`])
  const tree = memoryTree({ 'docs.json': navigation(['p0']), ...Object.fromEntries(pages) })
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const seen: number[] = []
  const report = await checkDocs(tree, { cache: createPageCache(parser), onProgress: ({ done }) => seen.push(done) })
  clearInterval(timer)
  expect(report).toMatchObject({ pages: 1_000, links: 40_000, problems: [] })
  expect(turns).toBeGreaterThan(10)
  expect(seen.length).toBeGreaterThan(2)
  expect(seen.at(-1)).toBe(1_000)

  const stop = new AbortController()
  const checking = checkDocs(tree, {
    cache: createPageCache(parser),
    signal: stop.signal,
    onProgress: () => stop.abort(new Error('enough')),
  })
  await expect(checking).rejects.toThrow('enough')
})
