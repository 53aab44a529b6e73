import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRecent } from './recent.ts'

test('it keeps what was used last, and never more than it may', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e')
  const step = fc.record({ key, isKept: fc.boolean(), weight: fc.integer({ min: 1, max: 6 }) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const recent = createRecent<{ weight: number }>({ most: 10, weigh: ({ weight }) => weight })
      // The same in plain words: a list in the order of use, cut from its old end.
      let model: { key: string; value: { weight: number } }[] = []
      for (const { key, isKept, weight } of steps) {
        const known = model.find((one) => one.key === key)
        if (isKept && !known) {
          const value = { weight }
          recent.keep(key, value)
          model.push({ key, value })
          while (model.reduce((sum, one) => sum + one.value.weight, 0) > 10) model.shift()
        } else if (!isKept) {
          expect(recent.find(key)).toBe(known?.value ?? null)
          if (known) model = [...model.filter((one) => one !== known), known]
        }
      }
      for (const { key, value } of model) expect(recent.find(key)).toBe(value)
    }),
  )
})

test('what is too large for it is not kept, and drives nothing out', () => {
  const recent = createRecent<string>({ most: 5, weigh: ({ length }) => length })
  recent.keep('small', 'abc')
  recent.keep('large', 'abcdef')
  expect([recent.find('small'), recent.find('large')]).toEqual(['abc', null])
})
