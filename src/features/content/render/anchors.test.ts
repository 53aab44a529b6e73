import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { renderInput } from '#tests/harness/render-input.ts'
import { parsePage } from '../parse/parse-page.ts'
import { indexPage, renderPage } from './render-page.ts'

async function idsOf(source: string): Promise<string[]> {
  const { html } = await renderPage(renderInput(source))
  const text = html.parts.map((part) => (typeof part === 'string' ? part : '')).join('')
  return [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!.replaceAll('&#x27;', "'").replaceAll('&#x26;', '&'))
}

describe('what the check takes for an anchor', () => {
  test.each([
    ['headings', '## One\n\n## One\n\n### It’s a/b & c\n\n## OAuth 2.0\n\n## Then: now', 'oauth-2-0'],
    ['headings with a badge', '### `theme` - <Badge color="red">required</Badge>', 'theme'],
    ['headings as elements', '<h2>Two</h2>\n\n<Heading level={3}>Three</Heading>', 'three'],
    ['ids as written', '## One {#own}\n\n<h2 id="two">Two</h2>\n\n<a name="old"></a>', 'old'],
    [
      'accordions, steps and tabs',
      '<Accordion title="A b" id="x">x</Accordion>\n<Steps><Step title="C">x</Step></Steps>',
      'a-b',
    ],
    ['tabs and views', '<Tabs><Tab title="npm">x</Tab></Tabs>\n\n<View title="Python">x</View>', 'npm'],
    ['cards', '<Card title="A card" href="/x">x</Card>', 'a-card'],
    ['updates', '<Update label="May 2025">x</Update>', 'may-2025'],
    ['fields', '<ParamField query="a.b">x</ParamField>\n<ResponseField name="c.d">x</ResponseField>', 'param-c-d'],
    [
      'expandables',
      '<Expandable title="api.params"><ResponseField name="x">x</ResponseField></Expandable>',
      'api-params',
    ],
  ])('is there on the page: %s', async (_, source, example) => {
    const { anchors } = parsePage(source, { path: 'page.mdx' })
    const ids = await idsOf(source)
    expect([...anchors].filter((anchor) => !ids.includes(anchor))).toEqual([])
    expect(ids).toContain(example)
  })

  test('is there whatever headings say, and no id is there twice', async () => {
    const heading = fc.tuple(fc.constantFrom('#', '##', '###'), fc.stringMatching(/^[A-Za-z0-9 .,:'&/()-]{0,12}$/))
    await fc.assert(
      fc.asyncProperty(fc.array(heading, { maxLength: 8 }), async (headings) => {
        const source = `words\n\n${headings.map(([marks, text]) => `${marks} x${text}`).join('\n\n')}\n`
        const ids = await idsOf(source)
        expect([...parsePage(source, { path: 'page.mdx' }).anchors].filter((anchor) => !ids.includes(anchor))).toEqual(
          [],
        )
        expect(new Set(ids).size).toBe(ids.length)
      }),
      { numRuns: 40 },
    )
  })
})

test('a heading keeps its address beside a card of the same name above it', async () => {
  const { headings } = await indexPage(renderInput('<Card title="Setup" href="/x">x</Card>\n\n## Setup\n'))
  expect(headings).toEqual([{ depth: 2, id: 'setup', title: 'Setup' }])
})

test('a heading that only agents get is not in the contents of the page', async () => {
  const source = '## For all\n\n<Visibility for="agents">\n\n## For agents\n\n</Visibility>\n'
  expect((await indexPage(renderInput(source))).headings.map(({ id }) => id)).toEqual(['for-all'])
  expect(await idsOf(source)).toEqual(['for-all'])
})

test('the contents name a heading without its badge and what sets that apart', async () => {
  const { headings } = await indexPage(renderInput('### `theme` - <Badge>required</Badge>'))
  expect(headings.map(({ title }) => title)).toEqual(['theme'])
})

test('a link inside a link is its words', async () => {
  const source =
    'Ask <a href="mailto:me@example.com">me@example.com</a>, or <a href="https://b.example">**https://a.example**</a>.'
  const { html, markdown } = await renderPage(renderInput(source))
  expect(html.parts.join('')).toBe(
    '<p>Ask <a href="mailto:me@example.com">me@example.com</a>, or <a href="https://b.example" rel="noopener"><strong>https://a.example</strong></a>.</p>',
  )
  expect(markdown.parts.join('').trim()).toBe('Ask <me@example.com>, or [**https://a.example**](https://b.example).')
})

test('headings of an update stand below it in the contents', async () => {
  const { headings } = await indexPage(
    renderInput('<Update label="May">\n## New\n\n#### Small\n</Update>\n\n## After\n'),
  )
  expect(headings.map(({ depth, title }) => `${depth} ${title}`)).toEqual(['2 May', '3 New', '4 Small', '2 After'])
})
