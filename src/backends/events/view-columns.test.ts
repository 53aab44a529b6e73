import fc from 'fast-check'
import { expect, test } from 'vitest'
import { verdictOf } from './event-fixture.contract.ts'
import { categories, type View, viewSources } from './view.ts'
import { columnsOf, viewsOf } from './view-columns.ts'

const verdicts = categories.map((category) => verdictOf(category))
const text = fc.constantFrom('/', '/a', '', 'https://a.example/', '😀')
const wide = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const anyView: fc.Arbitrary<View> = fc.record({
  projectId: fc.constantFrom('prj_1', 'prj_2'),
  at: fc.integer({ min: 86_400_000, max: 65_536 * 86_400_000 - 1 }),
  path: text,
  visitor: wide,
  eventId: fc.option(wide),
  verdict: fc.constantFrom(...verdicts),
  referrer: fc.option(text),
  source: fc.constantFrom(...viewSources),
})

test('views are the same after they were columns, in which each text stands once', () => {
  fc.assert(
    fc.property(fc.array(anyView, { maxLength: 40 }), (views) => {
      const columns = columnsOf(views)
      expect(viewsOf(columns)).toEqual(views)
      expect(new Set(columns.texts).size).toBe(columns.texts.length)
    }),
  )
})
