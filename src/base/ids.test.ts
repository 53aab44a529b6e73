import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type IdPrefix, isId, newId, randomBase62 } from './ids.ts'

const prefixes: IdPrefix[] = ['org', 'prj', 'key', 'aud']

test('random text has the length asked for and only base62 characters', () => {
  fc.assert(
    fc.property(fc.nat({ max: 200 }), (length) => {
      expect(randomBase62(length)).toMatch(new RegExp(`^[0-9A-Za-z]{${length}}$`))
    }),
  )
})

test('every base62 character is about equally likely', () => {
  const perCharacter = 2000
  const counts = new Map<string, number>()
  for (const character of randomBase62(62 * perCharacter)) counts.set(character, (counts.get(character) ?? 0) + 1)
  expect(counts.size).toBe(62)
  // Seven standard deviations: fails by chance less often than once in ten billion runs, while the plain `% 62` of a
  // byte would give eight characters a quarter more than the rest.
  const tolerated = 7 * Math.sqrt(perCharacter)
  for (const count of counts.values()) expect(Math.abs(count - perCharacter)).toBeLessThan(tolerated)
})

test('ids are new each time and valid for their own prefix alone', () => {
  const ids = new Set(Array.from({ length: 10_000 }, () => newId('prj')))
  expect(ids.size).toBe(10_000)
  for (const made of prefixes) {
    for (const asked of prefixes) expect(isId(asked, newId(made))).toBe(made === asked)
  }
})

test.each([
  ['prj_0123456789ABCDEFGHIJKL', true],
  ['prj_0123456789abcdefghijkl', true],
  ['prj_0123456789ABCDEFGHIJK', false],
  ['prj_0123456789ABCDEFGHIJKLM', false],
  ['prj-0123456789ABCDEFGHIJKL', false],
  ['PRJ_0123456789ABCDEFGHIJKL', false],
  ['prj_0123456789ABCDEFGHIJK_', false],
  ['prj_0123456789ABCDEFGHIJK\n', false],
  ['prj_0123456789ABCDEFGHIJKL\n', false],
  ['prj_0123456789ABCDEFGHIJKé', false],
  ['prj_../../../../../etc/pw', false],
  ['prj_', false],
  ['', false],
])('as a project id, %j is %s', (text, valid) => {
  expect(isId('prj', text)).toBe(valid)
})

test('nothing but letters and digits passes for an id', () => {
  const almost = fc
    .tuple(fc.nat({ max: 21 }), fc.oneof(fc.string({ minLength: 1, maxLength: 1 }), fc.constantFrom(..."_./\\%\0\n'é")))
    .map(([at, odd]) => '0123456789ABCDEFGHIJKL'.slice(0, at) + odd + '0123456789ABCDEFGHIJKL'.slice(at + 1))
  fc.assert(
    fc.property(fc.oneof(almost, fc.string()), (rest) => {
      expect(isId('prj', `prj_${rest}`)).toBe(rest.length === 22 && !/[^0-9A-Za-z]/.test(rest))
    }),
  )
})
