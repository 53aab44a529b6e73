import fc from 'fast-check'
import { expect, test } from 'vitest'
import { afterEdit, createFileMemory, hasSeen, type LineRange, wholeFile } from './file-memory.ts'

test('what was seen of one content says nothing about another', () => {
  const memory = createFileMemory()
  memory.note('a.mdx', 'one', [1, 5])
  memory.note('a.mdx', 'one', [6, 9])
  expect(memory.find('a.mdx')).toEqual({ id: 'one', ranges: [[1, 9]] })
  memory.note('a.mdx', 'two', [3, 3])
  expect(memory.find('a.mdx')).toEqual({ id: 'two', ranges: [[3, 3]] })
  expect(memory.find('b.mdx')).toBeNull()
})

test('only what changed since is given for storing, and restoring it gives the same memory', () => {
  const memory = createFileMemory()
  const restored = createFileMemory()
  memory.note('a.mdx', 'one', [1, 5])
  memory.note('b.mdx', 'two', wholeFile)
  restored.restore(JSON.parse(JSON.stringify(memory.takeChanges())))
  memory.note('a.mdx', 'one', [8, 9])
  const changes = memory.takeChanges()
  expect(changes.map(([path]) => path)).toEqual(['a.mdx'])
  restored.restore(JSON.parse(JSON.stringify(changes)))
  for (const path of ['a.mdx', 'b.mdx']) expect(restored.find(path)).toEqual(memory.find(path))
})

test('a whole file stays seen through an edit', () => {
  const ranges = afterEdit([wholeFile], [3, 4], 7)
  expect(hasSeen({ id: '', ranges }, [1, 1_000_000])).toBe(true)
})

test('after edits, a line counts as seen exactly when it was seen before or written by the edit', () => {
  const range = fc
    .tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 6 }))
    .map(([from, more]): LineRange => {
      return [from, Math.min(20, from + more)]
    })
  const edits = fc.array(fc.tuple(range, fc.integer({ min: 0, max: 4 })), { maxLength: 4 })
  fc.assert(
    fc.property(fc.array(range, { maxLength: 4 }), edits, (seenAtFirst, changes) => {
      const memory = createFileMemory()
      let lines = Array.from({ length: 20 }, () => false)
      for (const [from, to] of seenAtFirst) {
        memory.note('a', 'id', [from, to])
        lines.fill(true, from - 1, to)
      }
      let ranges = memory.find('a')?.ranges ?? []
      for (const [[from, to], added] of changes) {
        if (to > lines.length) continue
        ranges = afterEdit(ranges, [from, to], added)
        lines = [...lines.slice(0, from - 1), ...Array.from({ length: added }, () => true), ...lines.slice(to)]
      }
      const found = lines.map((_, index) => hasSeen({ id: 'id', ranges }, [index + 1, index + 1]))
      expect(found).toEqual(lines)
    }),
    { numRuns: 500 },
  )
})
