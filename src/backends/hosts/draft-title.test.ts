import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDraftTitle } from './draft-title.ts'

const { isDraft, mark, unmark } = createDraftTitle({ marker: 'Draft: ', known: /^\s*(draft:|\[draft\])\s*/i })

test.each([
  ['Fix links', 'Draft: Fix links'],
  ['draft: Fix links', 'Draft: Fix links'],
  ['[Draft] Draft: Fix links', 'Draft: Fix links'],
  ['Drafting a page', 'Draft: Drafting a page'],
])('marks %s as a draft by %s', (title, marked) => {
  expect(mark(title, true)).toBe(marked)
})

test('a title is a draft if and only if it was marked so, and reads the same afterwards', () => {
  const title = fc.oneof(fc.string(), fc.constantFrom('draft:', '[DRAFT] x', ' Draft: draft: y', 'Drafty'))
  fc.assert(
    fc.property(title, fc.boolean(), (given, draft) => {
      const kept = mark(given, draft)
      expect(isDraft(kept)).toBe(draft)
      expect(unmark(kept)).toBe(unmark(given))
      expect(mark(kept, draft)).toBe(kept)
    }),
  )
})
