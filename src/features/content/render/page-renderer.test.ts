import { afterAll, expect, test } from 'vitest'
import { renderInput } from '#tests/harness/render-input.ts'
import { fillTemplate } from './fill-template.ts'
import { createPageRenderer } from './page-renderer.ts'

const input = (source: string, path = 'page.mdx') => renderInput(source, { path })
const fillers = { link: (url: string) => url, code: () => 'code' }

const shared = createPageRenderer()
afterAll(() => shared.close())

const n = 20_000
// Each hides its closing marks, so that only the parser itself finds out how deep it goes.
const deadly = {
  'nested beyond the stack': `{${'(/*)*/'.repeat(n)}1${'/*(*/)'.repeat(n)}}`,
  'elements and braces without end': '{<A>{/*}*/}'.repeat(200),
}

test('pages are indexed in the order given, however many there are, and told as they are done', async () => {
  const pages = Array.from({ length: 150 }, (_, index) => input(`---\ntitle: T${index}\n---\n\n## H${index}`))
  let done = 0
  const indexes = await shared.index(pages, { onPages: (count) => (done += count) })
  expect(indexes.map(({ fields }) => fields.title)).toEqual(pages.map((_, index) => `T${index}`))
  expect(indexes[7]!.headings).toEqual([{ depth: 2, id: 'h7', title: 'H7' }])
  expect(done).toBe(150)
})

test('a page is shown, with its code coloured', async () => {
  const page = await shared.render(input('Hello *you*\n\n```js\nconst a = 1\n```'))
  const blocks = page.html.parts.flatMap((part) =>
    typeof part === 'object' && part.kind === 'code' ? [part.block] : [],
  )
  const code = await shared.highlight(blocks)
  expect(code[0]).toContain('<span')
  expect(fillTemplate(page.html, { ...fillers, code: (index) => code[index]! }, 'html')).toContain(code[0])
  expect(await shared.highlight([])).toEqual([])
})

test.each(Object.entries(deadly))('a page that takes its process down costs no other page: %s', async (_, source) => {
  const renderer = createPageRenderer({ timeoutMs: 500 })
  const [one, lost, two] = await renderer.index([input('# One'), input(source, 'deadly.mdx'), input('# Two')])
  expect(one!.fields.title).toBe('One')
  expect(two!.fields.title).toBe('Two')
  expect(lost!.warnings).toMatchObject([{ path: 'deadly.mdx', message: expect.stringContaining('could not be shown') }])
  const page = await renderer.render(input(source))
  expect(fillTemplate(page.html, fillers, 'html')).toContain('could not be shown')
  expect(fillTemplate(page.markdown, fillers, 'markdown')).toContain('could not be shown')
  const good = await renderer.render(input('Still *here*'))
  expect(fillTemplate(good.html, fillers, 'html')).toBe('<p>Still <em>here</em></p>')
  await renderer.close()
})

test('a folder full of pages that take their process down is given up after a few of them', async () => {
  const renderer = createPageRenderer({ timeoutMs: 500 })
  const source = deadly['nested beyond the stack']
  const started = performance.now()
  const indexes = await renderer.index(Array.from({ length: 300 }, (_, index) => input(source, `${index}.mdx`)))
  expect(indexes.every(({ warnings }) => warnings.length === 1)).toBe(true)
  expect(performance.now() - started).toBeLessThan(60_000)
  await renderer.close()
})

test('a reader waits for what is under way, and not for a whole site that is indexed', async () => {
  const pages = Array.from({ length: 2_000 }, (_, index) => input(`# H${index}\n\n${'Some words. '.repeat(200)}`))
  let isIndexed = false
  const indexing = shared.index(pages).then(() => {
    isIndexed = true
  })
  await shared.render(input('Words'))
  expect(isIndexed).toBe(false)
  await indexing
})

test('stops when it is told to, and goes on for others', async () => {
  const renderer = createPageRenderer({ timeoutMs: 60_000 })
  const stop = new AbortController()
  const source = deadly['elements and braces without end']
  const indexing = renderer.index([input(source)], { signal: stop.signal })
  setTimeout(() => stop.abort(new Error('enough')), 200)
  await expect(indexing).rejects.toThrow('enough')
  expect((await renderer.index([input('# A')]))[0]!.fields.title).toBe('A')
  await renderer.close()
})

test('a specification is outlined; what is none is null', async () => {
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets' },
    paths: { '/pets': { get: { summary: 'List' } } },
  })
  expect(await shared.outline({ path: 'a.json', id: '1', text })).toMatchObject({
    title: 'Pets',
    operations: [{ method: 'GET', path: '/pets' }],
  })
  expect(await shared.outline({ path: 'a.json', id: '2', text: '{}' })).toBeNull()
})

test('the page of an operation says what the specification says', async () => {
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets' },
    paths: {
      '/pets/{id}': {
        get: {
          summary: 'Find a pet',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        },
      },
    },
  })
  const operation = { spec: { id: '1', path: 'a.json', text }, method: 'GET', path: '/pets/{id}' }
  const [index] = await shared.index([{ ...input('', 'a.json'), operation }])
  expect(index!.fields.title).toBe('Find a pet')
  const page = await shared.render({ ...input('Before', 'a.mdx'), operation })
  const html = fillTemplate(page.html, fillers, 'html')
  expect(html).toMatch(/^<p>Before<\/p>[\s\S]*<div class="endpoint">/)
})

test.each([
  ['lists in lists', '- '.repeat(2_000)],
  ['brackets', '['.repeat(100_000)],
  ['links', '[a](/x) '.repeat(5_000)],
  ['one long line', 'a'.repeat(1_000_000)],
  ['emphasis', '*a _b '.repeat(3_000)],
  ['emphasis that closes', '**a** *b* '.repeat(3_000)],
  ['headings of one name', '# a\n\n'.repeat(5_000)],
  ['tables', `| ${'a | '.repeat(300)}\n| ${'- | '.repeat(300)}\n${`| ${'b | '.repeat(300)}\n`.repeat(50)}`],
  ['marks to escape', '\\_*[]<>`|~#'.repeat(5_000)],
  ['addresses', 'http://a.example/@b_c '.repeat(5_000)],
  ['nul and halves of pairs', '\0\ud800[a](/\udfff\0)'],
])('what is only strange is shown in good time: %s', async (_, source) => {
  for (const path of ['a.mdx', 'a.md']) {
    const page = await shared.render(input(source, path))
    expect(fillTemplate(page.html, fillers, 'html').length).toBeGreaterThan(0)
  }
})
