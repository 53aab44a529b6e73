import { expect, test } from 'vitest'
import type { FileTree } from '#infra/files/file-tree.ts'
import { readSiteSettings } from '../site/read-site-settings.ts'
import { collectRenderInput } from './collect-input.ts'

/** A tree in memory; the id of a file is its content. */
function treeOf(files: Record<string, string>): FileTree {
  const paths = Object.keys(files).sort()
  const entries = new Map(paths.map((path) => [path, { path, size: files[path]!.length, id: files[path]! }]))
  return {
    entries,
    read: async (path) => (entries.has(path) ? Buffer.from(files[path]!) : null),
    [Symbol.asyncDispose]: async () => {},
  }
}

const { settings } = readSiteSettings(null)
const model = {
  settings,
  findOperation: (reference: string) =>
    reference === 'GET /pets' ? { spec: 'openapi.json', method: 'GET', path: '/pets' } : null,
}
const collect = (files: Record<string, string>, path = 'guides/page.mdx') =>
  collectRenderInput(treeOf(files), { page: { kind: 'file', path }, model })

test('a page comes with the snippets it shows, and those that they show', async () => {
  const input = await collect({
    'guides/page.mdx':
      "import A from '/snippets/a.mdx'\nimport {\n  b,\n  c as d,\n} from './b'\nimport R from 'react'\nimport './x.css'\n\n<Snippet file=\"old.mdx\" />",
    'guides/b.jsx': 'export const b = 1',
    'snippets/a.mdx': "import D from '../data.json'\n\nHello",
    'snippets/old.mdx': 'Old',
    'data.json': '{}',
    'other.mdx': 'not part of it',
  })
  expect(input.imports).toEqual({
    '/snippets/a.mdx': 'snippets/a.mdx',
    './b': 'guides/b.jsx',
    './x.css': null,
    'old.mdx': 'snippets/old.mdx',
  })
  expect(Object.keys(input.snippets).sort()).toEqual([
    'data.json',
    'guides/b.jsx',
    'snippets/a.mdx',
    'snippets/old.mdx',
  ])
  expect(input.snippets['snippets/a.mdx']).toEqual({
    source: "import D from '../data.json'\n\nHello",
    imports: { '../data.json': 'data.json' },
  })
})

test.each([
  '../../../etc/passwd.mdx',
  '/../outside.mdx',
  '/etc/passwd.md',
  'file:///etc/passwd.md',
  '..%2f..%2fsecret.mdx',
  'https://evil.example/x.mdx',
  '\\\\server\\x.mdx',
  './missing.mdx',
])('an import that leads nowhere in the tree is known to be none: %s', async (written) => {
  const input = await collect({ 'guides/page.mdx': `import A from '${written}'`, 'secret.mdx': 's' })
  expect(input.imports).toEqual({ [written]: null })
  expect(input.snippets).toEqual({})
})

test('files that import each other end, and so do very many', async () => {
  const circle = await collect({
    'guides/page.mdx': "import A from '/a.mdx'",
    'a.mdx': "import B from '/b.mdx'",
    'b.mdx': "import A from '/a.mdx'\nimport P from '/guides/page.mdx'",
  })
  expect(Object.keys(circle.snippets).sort()).toEqual(['a.mdx', 'b.mdx'])
  const chain = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, n) => [`s${n}.mdx`, `import A from '/s${n + 1}.mdx'`]),
  )
  const long = await collect({ 'guides/page.mdx': "import A from '/s0.mdx'", ...chain })
  expect(Object.keys(long.snippets).length).toBeLessThanOrEqual(200)
})

test('the key changes with everything that the page is made from, and with nothing else', async () => {
  const files = {
    'guides/page.mdx': "import A from '/snippets/a.mdx'\n\n<A />",
    'snippets/a.mdx': "import B from './b.mdx'",
    'snippets/b.mdx': 'b',
    'other.mdx': 'o',
  }
  const { key } = await collect(files)
  expect((await collect(files)).key).toBe(key)
  expect((await collect({ ...files, 'other.mdx': 'changed', 'new.mdx': 'n' })).key).toBe(key)
  const keys = await Promise.all([
    collect({ ...files, 'guides/page.mdx': `${files['guides/page.mdx']}!` }),
    collect({ ...files, 'snippets/b.mdx': 'changed' }),
    collect({ ...files, 'snippets/a.mdx': 'x' }),
    collectRenderInput(treeOf(files), {
      page: { kind: 'file', path: 'guides/page.mdx' },
      model: { ...model, settings: { ...settings, icons: 'tabler' } },
    }),
  ])
  expect(new Set([key, ...keys.map((one) => one.key)]).size).toBe(5)
})

test('a page about an operation comes with its specification, whether it has a file or not', async () => {
  const files = {
    'guides/page.mdx': '---\ntitle: Pets\nopenapi: "GET /pets"\n---\n',
    'openapi.json': '{"openapi":"3.1.0"}',
  }
  const written = await collect(files)
  const spec = { id: files['openapi.json'], path: 'openapi.json', text: files['openapi.json'] }
  expect(written.operation).toEqual({ spec, method: 'GET', path: '/pets' })
  const page = { kind: 'operation', spec: 'openapi.json', method: 'GET', path: '/pets', title: 'Pets' } as const
  const made = await collectRenderInput(treeOf(files), { page, model })
  expect(made).toMatchObject({ source: '', operation: { spec, method: 'GET', path: '/pets' } })
  expect(made.key).not.toBe(written.key)
})

test('a file that is larger than any page is not read', async () => {
  const input = await collect({ 'guides/page.mdx': 'word '.repeat(500_000) })
  expect(input).toMatchObject({ source: '', isTooLarge: true })
})

test.each([
  ['space', `import ${' '.repeat(1_500_000)}`],
  ['lines', 'import a\n'.repeat(150_000)],
  ['space before from', `import a${'\n '.repeat(500_000)}from`],
  ['exports', 'export {'.repeat(200_000)],
  ['elements', '<Snippet '.repeat(150_000)],
])('looking for imports takes no time, whatever a page holds: %s', async (_, source) => {
  const started = process.cpuUsage()
  await collect({ 'guides/page.mdx': source })
  const { user } = process.cpuUsage(started)
  expect(user / 1e6).toBeLessThan(1)
})
