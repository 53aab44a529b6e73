import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { createDomainRewrite, domainOf } from './internal-address.ts'

test.each([
  ['docs.example.com', 'docs.example.com'],
  ['Docs.Example.COM:8080', 'docs.example.com'],
  ['docs.example.com.', 'docs.example.com'],
  ['docs.example.com.:443', 'docs.example.com'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  [undefined, null],
  ['', null],
  ['localhost:4000', null],
  ['127.0.0.1:4000', null],
  ['[::1]:4000', null],
  ['a/../b.com', null],
  ['a.com/x', null],
  ['a.com?x', null],
  ['evil.com\\@docs.example.com', null],
  [`${'a.'.repeat(200)}com`, null],
])('Host %s is the domain %s', (host, expected) => {
  expect(domainOf(host)).toBe(expected)
})

const rewriteOf = (host: string, url: string) => {
  const { prefix, rewrite } = createDomainRewrite({ has: (domain) => domain === 'docs.example.com' })
  return rewrite({ url, headers: { host } } as IncomingMessage).replace(prefix, '«internal»')
}

test.each([
  ['docs.example.com', '/guides?x=1', '«internal»/docs.example.com/guides?x=1'],
  ['DOCS.example.com:80', '/v1/projects', '«internal»/docs.example.com/v1/projects'],
  ['docs.example.com', 'http://other.example/v1/projects', '«internal»/docs.example.com/v1/projects'],
  ['docs.example.com', 'http://other.example', '«internal»/docs.example.com/'],
  ['docs.example.com', '*', '«internal»/docs.example.com/*'],
  ['docs.example.com', '//x/y', '«internal»/docs.example.com//x/y'],
  ['other.example.com', '/v1/projects', '/v1/projects'],
  ['localhost', '/v1/projects', '/v1/projects'],
])('%s %s becomes %s', (host, url, expected) => {
  expect(rewriteOf(host, url)).toBe(expected)
})

test('the internal address is another one in every process', () => {
  const has = () => false
  expect(createDomainRewrite({ has }).prefix).not.toBe(createDomainRewrite({ has }).prefix)
})
