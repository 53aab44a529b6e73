import crawlerUserAgents from 'crawler-user-agents'
import fc from 'fast-check'
import { isbot } from 'isbot'
import { expect, test } from 'vitest'
import { findListedCrawler, findListedLibrary, hasBotShape, hintsAtBot, saysBot } from './crawler-list.ts'
import { createPatternSearch } from './pattern-search.ts'

const patterns = ['Googlebot\\/', '^curl', 'a\\.b', '(^| )x\\/', 'foo|bar', '[cC]law', 'Go', 'crawl$', 'ü.ber', 'abc']

test('the first pattern that matches is found, as trying one after the other would', () => {
  const find = createPatternSearch(patterns)
  const part = fc.constantFrom(
    'Googlebot/',
    'Google',
    'curl',
    ' x/',
    'x/',
    'a.b',
    'aXb',
    'foo',
    'bar',
    'claw',
    'Claw',
    'Go',
    'crawl',
    'ü.ber',
    'üxber',
    'abc',
    ' ',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(part, fc.string({ maxLength: 4 })), { maxLength: 8 }), (parts) => {
      const text = parts.join('')
      expect(find(text)).toBe(patterns.findIndex((pattern) => new RegExp(pattern).test(text)))
    }),
  )
})

test('no patterns match nothing', () => {
  expect(createPatternSearch([])('abc')).toBe(-1)
})

const instances = crawlerUserAgents.flatMap(({ pattern, instances }) =>
  instances.map((userAgent) => ({ pattern, userAgent })),
)

test('every user agent that crawler-user-agents gives as an instance is found', () => {
  const missed = instances.filter(({ userAgent }) => !findListedCrawler(userAgent) && !findListedLibrary(userAgent))
  expect(missed).toEqual([])
})

const isOne = (userAgent: string) => saysBot(userAgent) || hintsAtBot(userAgent) || hasBotShape(userAgent)

test('isbot’s words and shapes together say what isbot says', () => {
  const differing = instances.filter(({ userAgent }) => isbot(userAgent) !== isOne(userAgent))
  expect(differing).toEqual([])
  fc.assert(fc.property(fc.string({ minLength: 1 }), (text) => isbot(text) === isOne(text)))
})
