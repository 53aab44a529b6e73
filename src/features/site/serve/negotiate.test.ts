import { describe, expect, test } from 'vitest'
import { chooseEncoding, hasAlready, prefersMarkdown } from './negotiate.ts'

describe('Markdown is for clients that name it', () => {
  const chrome = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
  test.each([
    // What browsers and plain programs send.
    [undefined, false],
    ['', false],
    ['*/*', false],
    [chrome, false],
    ['text/html', false],
    ['text/*', false],
    ['application/json', false],
    // What agents send.
    ['text/markdown', true],
    ['text/x-markdown', true],
    ['TEXT/Markdown', true],
    ['text/markdown; charset=utf-8', true],
    ['text/markdown, */*', true],
    ['text/markdown, text/html, */*', true],
    ['text/markdown;q=1.0, text/html;q=0.9, text/plain;q=0.8', true],
    ['text/html;q=0.9, text/markdown', true],
    ['text/plain;q=1.0, text/markdown;q=0.9, text/html;q=0.8', true],
    // Those that take it, but would rather have HTML.
    ['text/html, text/markdown', false],
    ['text/html, text/markdown;q=0.9', false],
    [`${chrome},text/markdown;q=0.5`, false],
    ['application/xhtml+xml, text/markdown;q=0.8', false],
    ['text/markdown;q=0.5, */*', false],
    ['text/markdown;q=0', false],
    ['text/markdown;q=0, */*', false],
    // What is none of it.
    ['text/markdownish', false],
    ['text/markdown;q=nonsense', true],
    [`${'a/b,'.repeat(5000)}text/markdown`, false],
  ])('%s: %s', (accept, expected) => {
    expect(prefersMarkdown(accept)).toBe(expected)
  })
})

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['br;q=0.5, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', 'identity'],
  ['identity', 'identity'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['GZIP', 'gzip'],
  ['deflate', 'identity'],
])('%s is answered with %s', (accept, expected) => {
  expect(chooseEncoding(accept)).toBe(expected)
})

test.each([
  [undefined, false],
  ['W/"a"', true],
  ['"a"', true],
  ['"b", W/"a"', true],
  ['*', true],
  ['"b"', false],
  ['a', false],
  ['W/"a', false],
])('If-None-Match: %s has W/"a" already: %s', (header, expected) => {
  expect(hasAlready(header, 'W/"a"')).toBe(expected)
})
