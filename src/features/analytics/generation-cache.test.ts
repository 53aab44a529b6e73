import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createGenerationCache } from './generation-cache.ts'

test('what was set last is found', () => {
  const recent = createGenerationCache<number>({ mostEntries: 4, mostCharacters: 1000 })
  recent.set('a', 1)
  recent.set('b', 2)
  expect([recent.get('a'), recent.get('b'), recent.get('c')]).toEqual([1, 2, undefined])
})

test('what is asked for again outlives what is not', () => {
  const recent = createGenerationCache<number>({ mostEntries: 10, mostCharacters: 1000 })
  recent.set('kept', 0)
  recent.set('left', 0)
  for (let number = 1; number <= 50; number++) {
    recent.set(`other ${number}`, number)
    expect(recent.get('kept')).toBe(0)
  }
  expect(recent.get('left')).toBeUndefined()
})

test('never more is remembered than allowed, and never a wrong value', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 30 }), { maxLength: 100 }), (keys) => {
      const recent = createGenerationCache<string>({ mostEntries: 10, mostCharacters: 120 })
      for (const key of keys) recent.set(key, `value of ${key}`)
      const found = [...new Set(keys)].filter((key) => {
        const value = recent.get(key)
        expect([undefined, `value of ${key}`]).toContain(value)
        return value !== undefined
      })
      // Asking may drop some of them again, so this counts a few too many at the most.
      expect(found.length).toBeLessThanOrEqual(15)
    }),
  )
})
