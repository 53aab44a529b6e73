import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalPath } from './canonical-path.ts'

describe('the path of a page', () => {
  test.each([
    ['/', '/'],
    ['/guide', '/guide'],
    ['/guide/', '/guide'],
    ['/guide//install///', '/guide/install'],
    ['//guide', '/guide'],
    ['guide/install', '/guide/install'],
    ['/guide?utm_source=x&y=/a/b', '/guide'],
    ['/guide#install', '/guide'],
    ['/guide#a?b', '/guide'],
    ['/?q=1', '/'],
    ['?q=1', '/'],
    ['/guide.md', '/guide'],
    ['/guide.mdx', '/guide'],
    ['/guide.html', '/guide'],
    ['/guide.htm', '/guide'],
    ['/guide.HTML', '/guide'],
    ['/guide.md/', '/guide'],
    ['/guide.html.md', '/guide'],
    ['/index', '/'],
    ['/index.html', '/'],
    ['/index.md?plain=1', '/'],
    ['/guide/index', '/guide'],
    ['/guide/index/', '/guide'],
    ['/guide/index.md', '/guide'],
    ['/index/index', '/'],
    ['/index/guide', '/index/guide'],
    ['/guide/reindex', '/guide/reindex'],
    ['/README', '/README'],
    ['/Guide', '/Guide'],
    ['/v1.2', '/v1.2'],
    ['/releases/3.0', '/releases/3.0'],
    ['/releases/3.0.md', '/releases/3.0'],
    ['/methods/chat.postMessage', '/methods/chat.postMessage'],
    ['/a/./b', '/a/b'],
    ['/a/../b', '/b'],
    ['/../../etc', '/etc'],
    ['/a/%2e%2e/b', '/b'],
    ['/a/b/..', '/a'],
    ['/caf%C3%A9', '/café'],
    ['/cafe%CC%81', '/café'],
    ['/caf\u0065\u0301', '/café'],
    ['/%E6%96%87%E6%A1%A3', '/文档'],
    ['/my%20page', '/my page'],
    ['/%67uide', '/guide'],
    ['/guide%2emd', '/guide'],
    ['/%69ndex', '/'],
    ['/a%2fb', '/a%2Fb'],
    ['/a%3Fb%23c', '/a%3Fb%23c'],
    ['/100%', '/100%25'],
    ['/100%25', '/100%25'],
    ['/%2541', '/%2541'],
    ['/%%34%31', '/%2541'],
    ['/%zz', '/%25zz'],
    ['/a\\b', '/a%5Cb'],
    ['/%00', '/%00'],
    ['/a%0d%0ab', '/a%0D%0Ab'],
    ['/%ff%fe', '/%FF%FE'],
    ['/%C3%A9%C3', '/é%C3'],
    ['/%ED%A0%80', '/%ED%A0%80'],
    ['https://docs.example.com', '/'],
    ['https://docs.example.com/guide/?x#y', '/guide'],
    ['HTTP://docs.example.com:8080/guide.md', '/guide'],
    ['https://user:secret@docs.example.com?x', '/'],
    ['/https://example.com/a', '/https:/example.com/a'],
    [`/guide?${'x'.repeat(8000)}`, '/guide'],
    [`/${'a'.repeat(1023)}`, `/${'a'.repeat(1023)}`],
    ["/'; drop table views; --", "/'; drop table views; --"],
  ])('%j is %j', (raw, path) => {
    expect(canonicalPath(raw)).toBe(path)
  })

  test.each(
    [
      ['', '*', '/app.js', '/app.js?v=1', '/a/style.CSS', '/logo.svg', '/font.woff2', '/search.json', '/feed.xml'],
      ['/robots.txt', '/sitemap.xml', '/llms.txt', '/llms-full.txt', '/favicon.ico', '/app.js.map', '/app.js.md'],
      ['/manual.pdf', '/release.zip', '/release.tar.gz', '/openapi.yaml', '/.well-known/security.txt', '/.well-known'],
      ['/.well-known/http-message-signatures-directory', '/cdn-cgi/rum', '/_next/image?url=x', '/x/../.well-known/y'],
      ['/a\0b', '/a\nb', '/a\u0085b', '/\ud800', '/a/..md', '/a/...md', '/a%5C\u0327', `/${'a'.repeat(1024)}`],
      [`/${'a/'.repeat(4096)}`, `/${'%41'.repeat(1025)}`],
    ].flat(),
  )('%j is none', (raw) => {
    expect(canonicalPath(raw)).toBeNull()
  })
})

/** Texts made of what has a meaning in a path. */
const pieces = fc.constantFrom(
  ...['/', '//', '.', '..', '%', '%2', '%2e', '%2F', '%25', '%5C', '%00', '%C3', '%A9', '%ED%A0%80', '\\', '?', '#'],
  ...[
    'index',
    '.md',
    '.mdx',
    '.html',
    'md',
    'i',
    'n',
    'a',
    'C',
    'é',
    'e\u0301',
    '\u0327',
    '\u0307',
    '\u212a',
    '\ud800',
  ],
  ...[
    '.js',
    '.json',
    'https://',
    'x.com',
    ':',
    ' ',
    '\0',
    '\x7f',
    '.well-known',
    '文',
    '😀',
    '\u1100',
    '\u1161',
    '4',
    '1',
  ],
)
const path = fc.oneof(
  fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
  fc.array(pieces, { maxLength: 12 }).map((parts) => `/${parts.join('')}`),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
)

describe('whatever is asked for', () => {
  test('the path of a path is itself', () => {
    fc.assert(
      fc.property(path, (raw) => {
        const once = canonicalPath(raw)
        if (once !== null) expect(canonicalPath(once)).toBe(once)
      }),
      { numRuns: 20_000 },
    )
  })

  test('a path is whole, normal and harmless', () => {
    fc.assert(
      fc.property(path, (raw) => {
        const once = canonicalPath(raw)
        if (once === null) return
        expect(once).toMatch(/^\/[^?#\\\p{Cc}]*$/u)
        expect(once.length).toBeLessThanOrEqual(1024)
        expect(once.isWellFormed()).toBe(true)
        expect(once.normalize('NFC')).toBe(once)
        expect(once === '/' || !once.endsWith('/')).toBe(true)
        expect(once.split('/').some((segment) => segment === '.' || segment === '..')).toBe(false)
      }),
      { numRuns: 5_000 },
    )
  })

  test('every spelling of a page is one path', () => {
    const name = fc.stringMatching(/^[a-z0-9-]{1,8}$/).filter((text) => text !== 'index')
    const page = fc.array(name, { maxLength: 4 }).map((names) => `/${names.join('/')}`)
    const suffix = fc.constantFrom('', '/', '?x=1', '#y', '/?x#y', '//', '/index', '/index.html', '/index.md', '/./')
    fc.assert(
      fc.property(page, suffix, (one, rest) => {
        expect(canonicalPath(one + rest)).toBe(one)
        expect(canonicalPath(`https://docs.example.com${one}${rest}`)).toBe(one)
        if (one !== '/') expect(canonicalPath(`${one}.md`)).toBe(one)
      }),
    )
  })
})
