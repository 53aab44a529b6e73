import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEditableTree } from '#infra/files/editable-tree.ts'
import { memoryTree } from '#tests/harness/memory-tree.ts'
import { outlineSpec } from '../openapi/outline-spec.ts'
import { createPageCache } from '../parse/page-cache.ts'
import { parsePage } from '../parse/parse-page.ts'
import { checkDocs, introducedProblems } from './check.ts'
import { checkChanges } from './check-changes.ts'

type Files = Record<string, string>

// Pages of this file take no parser down; a child for each of thousands of trees would take minutes.
const parser = {
  prepare() {},
  parse: async (pages: { source: string; path: string }[]) => pages.map((one) => parsePage(one.source, one)),
  outline: async (spec: { path: string; text: string }) => outlineSpec(spec),
}

async function bothWays(files: Files, edits: Record<string, string | null>) {
  const before = memoryTree(files)
  const after = createEditableTree(before)
  for (const [path, content] of Object.entries(edits)) {
    if (content === null) after.delete(path)
    else after.write(path, Buffer.from(content))
  }
  const options = { cache: createPageCache(parser) }
  const changed = after.changes().map(({ path }) => path)
  const quick = await checkChanges({ before, after, changed }, options)
  const [old, now] = [await checkDocs(before, options), await checkDocs(after, options)]
  return { quick, whole: { ...now, introduced: introducedProblems(old.problems, now.problems) } }
}

const paths = [
  'index',
  'guides/setup',
  'guides/index',
  'guides/other',
  'reference/api',
  'snippets/note',
  'snippets/deep',
]
const targets = [
  ...paths.map((path) => `/${path}`),
  ...paths.map((path) => `/${path}#setup`),
  ...paths.map((path) => `/${path}#options-2`),
  ...[
    '#setup',
    '#here',
    './other#setup',
    'setup',
    '../index',
    '/old#setup',
    '/plain.md#here',
    '/nowhere',
    '/README.md#setup',
  ],
]
const imported = [
  '/snippets/note.mdx',
  '/snippets/deep.mdx',
  './other.mdx',
  '/guides/setup',
  '/snippets/gone.mdx',
  '/x.jsx',
]
const block = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...targets).map((target) => `Read [this](${target}).`) },
  { weight: 3, arbitrary: fc.constantFrom('## Setup', '## Options', '## Here', '<a id="here"></a>') },
  { weight: 2, arbitrary: fc.constant('Some words.') },
  { weight: 1, arbitrary: fc.constantFrom(...imported).map((source) => `<Snippet file="${source}" />`) },
  { weight: 1, arbitrary: fc.constantFrom(...imported).map((source) => `import X from '${source}'`) },
  { weight: 1, arbitrary: fc.constantFrom('{broken', '<Open>', '<Made>{rows.map(row)}</Made>', '![picture](/x.png)') },
)
const frontmatter = fc.constantFrom(...['', '', '', 'title: Page', 'openapi: GET /users', 'title: [', 'title: 1'])
const page = fc.record({ frontmatter, blocks: fc.array(block, { maxLength: 6 }) })
type Page = typeof page extends fc.Arbitrary<infer Value> ? Value : never
const textOf = ({ frontmatter, blocks }: Page) =>
  `${frontmatter === '' ? '' : `---\n${frontmatter}\n---\n\n`}${blocks.join('\n\n')}\n`

const config = fc
  .record({
    pages: fc.subarray([...paths, 'gone']),
    openapi: fc.constantFrom(...[undefined, undefined, 'openapi.yaml', 'guides/setup.mdx']),
    redirect: fc.constantFrom(...paths),
    reference: fc.boolean(),
  })
  .map(({ pages, openapi, redirect, reference }) =>
    JSON.stringify({
      navigation: { groups: [{ group: 'G', pages, openapi }], ...(reference ? { $ref: './more.json' } : {}) },
      redirects: [{ source: '/old', destination: `/${redirect}` }],
    }),
  )
const text: Record<string, fc.Arbitrary<string>> = {
  'docs.json': config,
  'more.json': fc.constantFrom('{"tabs": []}', '{"tabs": 1}', '{'),
  'openapi.yaml': fc.constantFrom('paths: {}', 'x-mint: { href: "/nowhere" }'),
  '.mintignore': fc.constantFrom('', 'guides/other.mdx', 'reference'),
  'x.jsx': fc.constantFrom('export default 1', 'export default 2'),
}
const pagePaths = [...paths.map((path) => `${path}.mdx`), 'plain.md', 'README.md']
const tree = fc.record(Object.fromEntries(pagePaths.map((path) => [path, page]))) as fc.Arbitrary<Record<string, Page>>

const rarely = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value })

/** Mostly one block more, less or other: what people and agents do. */
const pageEdit = fc.record({
  path: fc.constantFrom(...pagePaths),
  at: fc.nat(6),
  gone: fc.nat({ max: 1 }),
  added: fc.array(block, { maxLength: 2 }),
  frontmatter: rarely(frontmatter),
})
const fileEdit = fc.constantFrom(...Object.keys(text)).chain((path) => fc.tuple(fc.constant(path), text[path]!))

test('the quick check finds exactly the new problems that checking both trees finds, or says that it cannot', async () => {
  let [answered, withProblems] = [0, 0]
  const input = fc.record({
    pages: tree,
    others: fc.record(text, { requiredKeys: [] }) as fc.Arbitrary<Files>,
    pageEdits: fc.array(pageEdit, { minLength: 1, maxLength: 3 }),
    fileEdits: rarely(fileEdit),
    removed: rarely(fc.constantFrom(...pagePaths)),
  })
  await fc.assert(
    fc.asyncProperty(input, async ({ pages, others, pageEdits, fileEdits, removed }) => {
      const files = {
        ...others,
        ...Object.fromEntries(Object.entries(pages).map(([path, one]) => [path, textOf(one)])),
      }
      const edited = { ...pages }
      for (const { path, at, gone, added, frontmatter } of pageEdits) {
        const { blocks, ...rest } = edited[path]!
        const after = { ...rest, blocks: blocks.toSpliced(at, gone, ...added) }
        edited[path] = frontmatter === null ? after : { ...after, frontmatter }
      }
      const edits: Record<string, string | null> = {}
      for (const { path } of pageEdits) edits[path] = textOf(edited[path]!)
      if (fileEdits) edits[fileEdits[0]] = fileEdits[1]
      if (removed) edits[removed] = null
      const { quick, whole } = await bothWays(files, edits)
      if (!quick) return
      answered++
      if (whole.introduced.length > 0) withProblems++
      expect(quick.introduced).toEqual(whole.introduced)
    }),
    { numRuns: 1500 },
  )
  // Else it would hold by never answering.
  expect(answered).toBeGreaterThan(300)
  expect(withProblems).toBeGreaterThan(50)
})

const site: Files = {
  'docs.json': JSON.stringify({ navigation: { pages: ['index', 'guide', 'other'], openapi: 'openapi.yaml' } }),
  'openapi.yaml': 'paths: {}',
  'index.mdx': '[gone](/gone) [setup](/guide#setup)\n',
  'guide.mdx': '## Setup\n\n[there](/other#here)\n',
  'other.mdx': '## Here\n\n[gone](/gone-too)\n',
  'shown.mdx': "import Note from '/snippets/note.mdx'\n\n<Note />\n",
  'snippets/note.mdx': 'A note.\n',
  'style.css': '',
}

test.each([
  ['other words', { 'guide.mdx': '## Setup\n\nMore. [there](/other#here)\n' }],
  ['another heading', { 'guide.mdx': '## Setup\n\n## More\n' }],
  ['a link to nowhere', { 'guide.mdx': '## Setup\n\n[there](/nowhere)\n' }],
  ['a page that does not parse any more', { 'guide.mdx': '## Setup\n\n{broken\n' }],
  ['other words in a snippet', { 'snippets/note.mdx': 'Another note.\n' }],
  ['a file that is no page', { 'style.css': 'a {}' }],
])('%s: only the changed pages are checked', async (_, edits) => {
  const { quick, whole } = await bothWays(site, edits)
  expect(quick?.introduced).toEqual(whole.introduced)
})

test.each([
  ['a heading that is gone', { 'guide.mdx': '[there](/other#here)\n' }],
  ['a page that is gone', { 'guide.mdx': null }],
  ['a new page', { 'new.mdx': '' }],
  ['another navigation', { 'docs.json': JSON.stringify({ navigation: { pages: ['index'] } }) }],
  ['another specification', { 'openapi.yaml': 'paths: []' }],
  ['another import', { 'guide.mdx': "import Note from '/snippets/note.mdx'\n\n## Setup\n" }],
  ['a snippet that has got a problem', { 'snippets/note.mdx': '[gone](/gone)\n' }],
  ['a file that pages are left out by', { '.mintignore': 'other.mdx\n' }],
])('%s: other pages may have got a problem, so there is no quick answer', async (_, edits) => {
  expect((await bothWays(site, edits)).quick).toBeNull()
})

test('the report tells of the changed pages alone, and what was wrong in them before', async () => {
  const { quick, whole } = await bothWays(site, { 'other.mdx': '## Here\n\n[gone](/gone-too) [more](/more)\n' })
  expect(quick).toMatchObject({ pages: 1, links: 2 })
  expect(quick?.problems.map(({ message }) => message)).toEqual([
    'The link /gone-too leads to nothing.',
    'The link /more leads to nothing.',
  ])
  expect(quick?.introduced).toHaveLength(1)
  expect(whole.problems).toHaveLength(3)
})
