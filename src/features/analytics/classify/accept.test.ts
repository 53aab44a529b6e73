import fc from 'fast-check'
import { expect, test } from 'vitest'
import { namesHtml, parseAccept, prefersMarkdown } from './accept.ts'

test.each<[string, boolean]>([
  ['text/markdown', true],
  ['text/markdown, text/html, */*', true],
  ['text/html, text/markdown', false],
  ['text/html;q=0.9, text/markdown', true],
  ['text/markdown;q=0.5, text/html;q=0.9', false],
  ['text/markdown;q=0.9, text/html;q=0.9', true],
  ['text/html;q=0.9, text/markdown;q=0.9', false],
  ['TEXT/Markdown ; Q=0.9 , Text/HTML;q=0.8', true],
  ['text/markdown;charset=utf-8;q=0.3, text/html;q=0.2', true],
  ['text/markdown;q=0, */*', false],
  ['text/markdown, */*', true],
  ['*/*, text/markdown', true],
  ['*/*, text/markdown;q=0.5', false],
  ['text/*;q=0.5, text/markdown;q=0.5', true],
  ['text/*;q=0.9, */*;q=0.1, text/markdown;q=0.5', false],
  ['text/x-markdown, text/html;q=0.9', true],
  ['text/markdown;q=0.7, application/xhtml+xml', false],
  ['text/plain;q=1.0, text/markdown;q=0.9, text/html;q=0.8, */*;q=0.1', true],
  ['*/*', false],
  ['', false],
  ['markdown', false],
  ['text/markdown-ish', false],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', false],
  // Not a quality that exists: as if it were not there.
  ['text/markdown;q=2, text/html;q=0.9', true],
  ['text/markdown;q=-1, text/html;q=0.9', true],
])('%s asks for Markdown before HTML: %s', (header, expected) => {
  expect(prefersMarkdown(header)).toBe(expected)
})

test('qualities and order are kept, and what makes no sense is left out', () => {
  expect(parseAccept('a/b;q=0.5;x=1, , nonsense, c/*;x="1";Q=0.25,*/*;q=0.001')).toEqual([
    { type: 'a/b', quality: 0.5 },
    { type: 'c/*', quality: 0.25 },
    { type: '*/*', quality: 0.001 },
  ])
})

test('the higher quality is preferred, whatever the order and whatever stands between', () => {
  const quality = fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000)
  const others = fc.array(fc.constantFrom('image/png', 'text/plain;q=0.9', 'application/json'), { maxLength: 5 })
  fc.assert(
    fc.property(quality, quality, others, fc.boolean(), (markdown, html, between, first) => {
      const [one, two] = [`text/markdown;q=${markdown}`, `text/html;q=${html}`]
      const header = (first ? [one, ...between, two] : [two, ...between, one]).join(', ')
      const expected = markdown > 0 && (markdown > html || (markdown === html && first))
      expect(prefersMarkdown(header)).toBe(expected)
    }),
  )
})

test('anything is read without an error and in bounded time', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 500 }), (header) => typeof prefersMarkdown(`markdown${header}`) === 'boolean'),
  )
  expect(prefersMarkdown(`${';q=0.1,'.repeat(100_000)}text/markdown`)).toBe(false)
})

test('HTML counts as named only by its own types', () => {
  expect(namesHtml('*/*')).toBe(false)
  expect(namesHtml('text/*')).toBe(false)
  expect(namesHtml('application/json, TEXT/HTML;q=0.1')).toBe(true)
  expect(namesHtml('application/xhtml+xml')).toBe(true)
})
