import { expect, test } from 'vitest'
import { renderInput } from '#tests/harness/render-input.ts'
import { indexPage, renderPage } from './render-page.ts'

async function warningsOf(source: string): Promise<string[]> {
  const { warnings } = await indexPage(renderInput(source))
  return warnings.map(({ line, message }) => `${line} ${message}`)
}

test('an icon that no library has is reported once, with its line', async () => {
  expect(
    await warningsOf(
      '<Card title="A" icon="rocket">x</Card>\n\n<Card title="B" icon="no-such-icon">x</Card>\n\n<Icon icon="no-such-icon" />',
    ),
  ).toEqual(['3 There is no icon "no-such-icon"; it is left out.'])
})

test.each([
  ['a name of the site’s library', 'rocket'],
  ['a name of another library, which is named', 'brand-github" iconLibrary="tabler'],
  ['the style before it', 'fa-brands fa-github'],
  ['an address', '/images/own.svg'],
  ['a picture as a character', '🚀'],
  ['nothing', ''],
])('an icon is no fault as %s', async (_, icon) => {
  expect(await warningsOf(`<Card title="A" icon="${icon}">x</Card>`)).toEqual([])
})

test('a GitHub card without a repository is reported, and a note for readers', async () => {
  const source = '<GitHub.Repo repo="not one" />'
  const message = 'A GitHub card needs a repo like "owner/name".'
  expect(await warningsOf(source)).toEqual([`1 ${message}`])
  const { html, markdown } = await renderPage(renderInput(source))
  expect(JSON.stringify(html)).toContain('unrendered')
  expect(JSON.stringify(markdown)).toContain('A GitHub card needs a repo')
})
