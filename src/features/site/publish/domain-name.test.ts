import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isDomainName, parseDomainName } from './domain-name.ts'

describe('a domain', () => {
  test.each([
    ['docs.example.com', 'docs.example.com'],
    ['Docs.Example.COM', 'docs.example.com'],
    ['docs.example.com.', 'docs.example.com'],
    ['dokumentáció.example', 'xn--dokumentci-z4a2t.example'],
    ['日本語。jp', 'xn--wgv71a119e.jp'],
    ['xn--wgv71a119e.jp', 'xn--wgv71a119e.jp'],
    ['a-b.c1.museum', 'a-b.c1.museum'],
    [`${'a'.repeat(63)}.com`, `${'a'.repeat(63)}.com`],
  ])('%s is %s', (given, name) => {
    expect(parseDomainName(given)).toBe(name)
  })

  test.each([
    '',
    '.',
    'docs',
    'localhost',
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    '1.2.3',
    'example.1',
    '::1',
    '[::1]',
    'docs.example.com:8080',
    'https://docs.example.com',
    'docs.example.com/path',
    'user@docs.example.com',
    '*.example.com',
    'docs_x.example.com',
    '-docs.example.com',
    'docs-.example.com',
    'docs..example.com',
    '.example.com',
    'docs.example.com..',
    'ex%61mple.com',
    'exa mple.com',
    'exa\0mple.com',
    'example.com\n',
    `${'a'.repeat(64)}.com`,
    `${'a.'.repeat(126)}com`,
  ])('is not %j', (given) => {
    expect(parseDomainName(given)).toBeNull()
  })

  test('is its own only spelling, whatever was given', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.domain(), fc.webAuthority())
    fc.assert(
      fc.property(text, (given) => {
        const name = parseDomainName(given)
        if (name === null) return
        expect(name).toMatch(/^[a-z0-9.-]+$/)
        expect(isDomainName(name)).toBe(true)
        expect(parseDomainName(name)).toBe(name)
        expect(new URL(`http://${name}/`).hostname).toBe(name)
      }),
      { numRuns: 2000 },
    )
  })
})
