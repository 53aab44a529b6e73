import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { plainBlock } from '../code/block-html.ts'
import { fillTemplate } from '../fill-template.ts'
import { renderPage } from '../render-page.ts'
import type { Template } from '../rendered-page.ts'
import { components } from './registry.ts'

/*
 * A file of fixtures/ has cases between lines of `=====`: what an author writes, the HTML and the Markdown that come of
 * it. Space between elements does not count, and drawings of icons are left out.
 */
const folder = join(import.meta.dirname, 'fixtures')
const fixtures = readdirSync(folder).flatMap((file) =>
  readFileSync(join(folder, file), 'utf8')
    .split(/^={5}\n/m)
    .map((text, at) => {
      const [source, html, markdown] = text.split(/^-{5}\n/m)
      return { name: `${file.replace(/\.txt$/, '')} ${at + 1}`, source: source!, html: html!, markdown: markdown! }
    }),
)

describe('components', () => {
  test.each(fixtures)('$name is shown in both forms', async ({ source, html, markdown }) => {
    const page = await renderPage({
      path: 'page.mdx',
      source,
      imports: {},
      snippets: {},
      variables: {},
      icons: 'fontawesome',
      operation: null,
      exampleLanguages: [],
    })
    expect(tidy(fill(page.html, 'html'))).toBe(tidy(html))
    expect(fill(page.markdown, 'markdown').trim()).toBe(markdown.trim())
  })

  test('each has a fixture', () => {
    const missing = Object.keys(components).filter(
      (name) => !fixtures.some(({ source }) => source.includes(`<${name}`)),
    )
    expect(missing).toEqual([])
  })
})

function fill(template: Template, form: 'html' | 'markdown'): string {
  const blocks = template.parts.flatMap((part) => (typeof part !== 'string' && part.kind === 'code' ? part.block : []))
  return fillTemplate(template, { link: (url) => url, code: (at) => plainBlock(blocks[at]!) }, form)
}

function tidy(html: string): string {
  return html
    .replace(/(<svg class="icon[^"]*").*?focusable="false"([^>]*)>.*?<\/svg>/g, '$1$2>')
    .replace(/>\s+</g, '><')
    .trim()
}
