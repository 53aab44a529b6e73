import fc from 'fast-check'
import { expect, test } from 'vitest'
import { closest } from './closest.ts'

const settings = ['host', 'port', 'baseUrl', 'databaseUrl', 'rateLimitPerMinute', 'data', 'url']

test.each([
  ['prot', 'port', 'two letters swapped'],
  ['hots', 'host', 'two letters swapped'],
  ['PORT', 'port', 'the wrong case'],
  ['baseurl', 'baseUrl', 'the wrong case'],
  ['databaseUri', 'databaseUrl', 'a wrong letter'],
  ['rateLimitPerMin', 'rateLimitPerMinute', 'an end left out'],
  ['ratelimit_per_minute', 'rateLimitPerMinute', 'another spelling'],
  ['dat', 'data', 'a letter left out'],
  ['dataa', 'data', 'a letter too many'],
])('for %s it offers %s: %s', (word, expected) => {
  expect(closest(word, settings)).toBe(expected)
})

test.each(['', 'x', 'zz', 'xyz', 'completely different'])('for %j it offers nothing', (word) => {
  expect(closest(word, settings)).toBeNull()
})

test('without candidates it offers nothing', () => {
  expect(closest('port', [])).toBeNull()
})

test('of two that are equally close it offers the first', () => {
  expect(closest('pork', ['port', 'pore'])).toBe('port')
  expect(closest('pork', ['pore', 'port'])).toBe('pore')
})

const word = fc.string({ unit: fc.constantFrom(...'abcdeXY'), minLength: 1, maxLength: 12 })

test('the word itself is always the closest', () => {
  fc.assert(
    fc.property(word, fc.array(word), (exact, others) => {
      const different = others.filter((other) => other.toLowerCase() !== exact.toLowerCase())
      expect(closest(exact, [...different, exact])).toBe(exact)
    }),
  )
})

test('what it offers is one of the candidates and shares a letter with the word', () => {
  fc.assert(
    fc.property(word, fc.array(word), (mistyped, candidates) => {
      const offered = closest(mistyped, candidates)
      if (offered === null) return
      expect(candidates).toContain(offered)
      const shared = [...offered.toLowerCase()].filter((letter) => mistyped.toLowerCase().includes(letter))
      expect(shared).not.toEqual([])
    }),
  )
})

test('one typing error in a word of three letters or more is always seen through', () => {
  const mistake = fc.record({
    intended: fc.string({ unit: fc.constantFrom(...'abcdefgh'), minLength: 3, maxLength: 12 }),
    at: fc.nat({ max: 10 }),
    kind: fc.constantFrom('replace', 'insert', 'drop', 'swap'),
  })
  fc.assert(
    fc.property(mistake, ({ intended, at, kind }) => {
      const index = at % (intended.length - 1)
      const [before, letter, next, after] = [
        intended.slice(0, index),
        intended[index],
        intended[index + 1],
        intended.slice(index + 2),
      ]
      const typed = {
        replace: `${before}z${next}${after}`,
        insert: `${before}z${letter}${next}${after}`,
        drop: `${before}${next}${after}`,
        swap: `${before}${next}${letter}${after}`,
      }[kind]
      expect(closest(typed!, [intended])).toBe(intended)
    }),
  )
})
