import fc from 'fast-check'
import { parse, parseTree } from 'jsonc-parser'
import { describe, expect, test } from 'vitest'
import { insertIntoList, insertProperty, removeFromList } from './edit-json.ts'
import { applySplices } from './splice.ts'

const insert = (source: string, index: number, value: unknown) =>
  applySplices(source, insertIntoList(source, parseTree(source)!, { index, value }))
const remove = (source: string, index: number) =>
  applySplices(source, removeFromList(source, parseTree(source)!, index))

describe('an item goes in as its neighbours are written', () => {
  test.each([
    ['["a", "b"]', 0, 'x', '["x", "a", "b"]'],
    ['["a", "b"]', 1, 'x', '["a", "x", "b"]'],
    ['["a", "b"]', 2, 'x', '["a", "b", "x"]'],
    ['[\n  "a",\n  "b"\n]', 1, 'x', '[\n  "a",\n  "x",\n  "b"\n]'],
    ['[\n  "a",\n  "b"\n]', 2, 'x', '[\n  "a",\n  "b",\n  "x"\n]'],
    ['[\r\n\t"a"\r\n]', 1, 'x', '[\r\n\t"a",\r\n\t"x"\r\n]'],
    ['[\n  "a" // first\n]', 1, 'x', '[\n  "a", // first\n  "x"\n]'],
    ['[\n  "a", // first\n]', 1, 'x', '[\n  "a", // first\n  "x",\n]'],
    ['[\n  "a",\n]', 1, 'x', '[\n  "a",\n  "x",\n]'],
    ['[\n  // about a\n  "a"\n]', 0, 'x', '[\n  // about a\n  "x",\n  "a"\n]'],
    ['[]', 0, 'x', '["x"]'],
    ['[\n]', 0, 'x', '[\n  "x"\n]'],
    ['[\n  { "s": 1 }\n]', 1, { s: 2 }, '[\n  { "s": 1 },\n  { "s": 2 }\n]'],
    ['[\n  {"s": 1}\n]', 1, { s: 2 }, '[\n  {"s": 1},\n  {"s": 2}\n]'],
    [
      '[\n    {\n        "s": 1\n    }\n]',
      1,
      { s: 2 },
      '[\n    {\n        "s": 1\n    },\n    {\n        "s": 2\n    }\n]',
    ],
  ])('%j at %i', (source, index, value, expected) => {
    expect(insert(source, index, value)).toBe(expected)
  })
})

describe('an item goes out with its comma and its line', () => {
  test.each([
    ['["a", "b", "c"]', 0, '["b", "c"]'],
    ['["a", "b", "c"]', 1, '["a", "c"]'],
    ['["a", "b", "c"]', 2, '["a", "b"]'],
    ['["a"]', 0, '[]'],
    ['[\n  "a"\n]', 0, '[]'],
    ['[\n  "a",\n  "b"\n]', 0, '[\n  "b"\n]'],
    ['[\n  "a",\n  "b"\n]', 1, '[\n  "a"\n]'],
    ['[\r\n  "a",\r\n  "b",\r\n]', 1, '[\r\n  "a",\r\n]'],
    ['[\n  "a", // about a\n  // about b\n  "b"\n]', 0, '[\n  // about b\n  "b"\n]'],
    ['[\n  "a",\n  {\n    "b": 1\n  }\n]', 1, '[\n  "a"\n]'],
  ])('%j without %i', (source, index, expected) => {
    expect(remove(source, index)).toBe(expected)
  })
})

test('a property goes in at the end', () => {
  const put = (source: string) =>
    applySplices(source, insertProperty(source, parseTree(source)!, { key: 'r', value: [{ s: 1 }] }))
  expect(put('{\n  "a": 1\n}\n')).toBe('{\n  "a": 1,\n  "r": [\n    {\n      "s": 1\n    }\n  ]\n}\n')
  expect(put('{"a": 1}')).toBe('{"a": 1, "r": [\n  {\n    "s": 1\n  }\n]}')
  expect(put('{}')).toMatch(/^\{"r":/)
})

test('for any list the rest stays as it was, and what goes in comes out again', () => {
  const item = fc.oneof(fc.string(), fc.integer(), fc.record({ group: fc.string(), pages: fc.array(fc.string()) }))
  const indent = fc.constantFrom(undefined, '  ', '\t')
  fc.assert(
    fc.property(fc.array(item), indent, fc.nat(), item, (items, unit, at, value) => {
      const source = JSON.stringify(items, null, unit)
      const index = at % (items.length + 1)
      const inserted = insert(source, index, value)
      expect(parse(inserted)).toEqual(items.toSpliced(index, 0, value))
      if (items.length > 0) expect(remove(inserted, index).replace(/\s/g, '')).toBe(source.replace(/\s/g, ''))
      if (items.length > 0 && unit !== undefined) expect(remove(inserted, index)).toBe(source)
    }),
  )
})
