import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createPageParser } from './page-parser.ts'

const good = (name: string) => ({ source: `# ${name}\n\n[a](/${name})`, path: `${name}.mdx` })
const n = 20_000
const shared = createPageParser()

// Each hides its closing marks, so that only the parser itself finds out how deep it goes.
const deadly = {
  'nested beyond the stack': `{${'(/*)*/'.repeat(n)}1${'/*(*/)'.repeat(n)}}`,
  'elements and braces without end': '{<A>{/*}*/}'.repeat(200),
}

test.each(Object.entries(deadly))('a page that takes the parser down costs no other page: %s', async (_, source) => {
  const parser = createPageParser({ timeoutMs: 500 })
  const pages = [good('one'), { source, path: 'deadly.mdx' }, good('two')]
  const [one, lost, two] = await parser.parse(pages)
  expect(one!.links).toMatchObject([{ target: '/one' }])
  expect(two!.links).toMatchObject([{ target: '/two' }])
  expect(lost).toMatchObject({ links: [], problems: [{ rule: 'mdx', message: expect.stringContaining('cannot be') }] })
})

test.each([
  ['quotes in quotes', '> '.repeat(5_000)],
  ['lists in lists', '- '.repeat(2_000)],
  ['brackets', '['.repeat(100_000)],
  ['elements', '<A>'.repeat(2_000)],
  ['links', '[a](/x) '.repeat(20_000)],
  ['images that are none', '![a]('.repeat(20_000)],
  ['resources that are none', `![${']('.repeat(20_000)}`],
  ['one long line', 'a'.repeat(1_000_000)],
  ['tags on one line', '<A href="/x" />'.repeat(10_000)],
  ['imports', 'import '.repeat(20_000)],
  ['open comments', '{/* '.repeat(50)],
  ['emphasis', '*a _b '.repeat(20_000)],
  ['headings of one name', '# a\n\n'.repeat(10_000)],
  ['frontmatter without end', `---\na: ${'[{'.repeat(50_000)}`],
  ['nul and halves of pairs', '\0\ud800[a](/\udfff\0)'],
])('what is only strange is parsed in good time: %s', async (_, source) => {
  const started = performance.now()
  const pages = await shared.parse([
    { source, path: 'a.mdx' },
    { source, path: 'a.md' },
  ])
  expect(pages).toHaveLength(2)
  expect(performance.now() - started).toBeLessThan(30_000)
})

test('pages come back in the order given, however many there are', async () => {
  const pages = Array.from({ length: 500 }, (_, index) => good(`p${index}`))
  const parsed = await shared.parse(pages)
  expect(parsed.map(({ links }) => links[0]!.target)).toEqual(pages.map((_, index) => `/p${index}`))
  expect(parsed[7]!.anchors).toEqual(new Set(['p7']))
})

test('a parser that was prepared, once or often, parses as ever and keeps nobody from ending', async () => {
  const script = `
    import { createPageParser } from ${JSON.stringify(join(import.meta.dirname, 'page-parser.ts'))}
    const parser = createPageParser()
    parser.prepare()
    parser.prepare()
    const [page] = await parser.parse([{ source: '# One', path: 'a.mdx' }])
    parser.prepare()
    console.log(page.anchors.has('one'), process.getActiveResourcesInfo().filter((one) => one === 'ProcessWrap').length)`
  const started = performance.now()
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  expect(stdout).toBe('true 0\n')
  // Left alone, a child goes on waiting for 30 seconds.
  expect(performance.now() - started).toBeLessThan(25_000)
})

test('stops when it is told to', async () => {
  const parser = createPageParser({ timeoutMs: 60_000 })
  const stop = new AbortController()
  const parsing = parser.parse([{ source: deadly['elements and braces without end'], path: 'a.mdx' }], {
    signal: stop.signal,
  })
  setTimeout(() => stop.abort(new Error('enough')), 200)
  await expect(parsing).rejects.toThrow('enough')
  const [page] = await parser.parse([good('one')])
  expect(page!.links).toHaveLength(1)
})

test('a folder full of pages that take the parser down is given up after a few of them', async () => {
  const parser = createPageParser({ timeoutMs: 500 })
  const source = deadly['nested beyond the stack']
  const pages = Array.from({ length: 150 }, (_, index) => ({ source, path: `${index}.mdx` }))
  const started = performance.now()
  await expect(parser.parse(pages)).rejects.toMatchObject({ kind: 'invalid', code: 'content.too_many_unreadable' })
  expect(performance.now() - started).toBeLessThan(30_000)
})

test('a page that takes the parser down by its frontmatter is not parsed here either', async () => {
  const parser = createPageParser({ timeoutMs: 500 })
  const keys = Array.from({ length: 40_000 }, (_, index) => `"key ${index}": value`).join('\n')
  const started = performance.now()
  const [page] = await parser.parse([{ source: `---\n${keys}\n---\n`, path: 'a.mdx' }])
  expect(page).toMatchObject({ frontmatter: null, problems: [{ rule: 'mdx' }] })
  expect(performance.now() - started).toBeLessThan(20_000)
})
