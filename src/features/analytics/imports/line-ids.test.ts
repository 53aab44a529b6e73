import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLineIds, restartOf, stretchBytes } from './line-ids.ts'

const idsOf = (lines: { raw: string; start: number }[]) => {
  const ids = createLineIds()
  return lines.map((line) => ids.idOf(line)).map(({ high, low }) => `${high} ${low}`)
}

test('equal lines in one file have different ids, and the same ones when the file is read again', () => {
  const lines = ['a', 'b', 'a', 'a'].map((raw, index) => ({ raw, start: index * 2 }))
  const ids = idsOf(lines)
  expect(new Set(ids).size).toBe(4)
  expect(idsOf(lines)).toEqual(ids)
})

test('lines at other places, as in a renamed or cut log, have the same ids', () => {
  const first = idsOf(['x', 'a', 'a'].map((raw, index) => ({ raw, start: index * 2 })))
  const second = idsOf(['a', 'a'].map((raw, index) => ({ raw, start: 1000 + index * 2 })))
  expect(second).toEqual(first.slice(1))
})

test('whoever goes on from a position gives the same ids as who reads from the start', () => {
  // Lines of half a megabyte: a few make a stretch.
  const step = stretchBytes / 8
  const texts = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(texts, fc.nat(), (raws, place) => {
      const lines = raws.map((raw, index) => ({ raw, start: index * step }))
      const position = (place % lines.length) * step
      const again = lines.filter(({ start }) => start >= restartOf(position))
      const whole = idsOf(lines)
      const resumed = idsOf(again)
      const isNew = ({ start }: { start: number }) => start >= position
      expect(resumed.filter((_, index) => isNew(again[index]!))).toEqual(
        whole.filter((_, index) => isNew(lines[index]!)),
      )
    }),
  )
})

test('a hundred thousand lines in one stretch are told apart', () => {
  const lines = Array.from({ length: 100_000 }, (_, index) => ({ raw: `line ${index % 50_000}`, start: index }))
  expect(new Set(idsOf(lines)).size).toBe(100_000)
})
