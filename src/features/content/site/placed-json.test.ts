import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ConfigValue } from './docs-config.ts'
import { readPlacedJson } from './placed-json.ts'

const read = (text: string, mostDepth = 100) => readPlacedJson(text, { file: 'docs.json', mostDepth })

function plain(value: ConfigValue): unknown {
  if (value.kind === 'scalar') return value.value
  if (value.kind === 'list') return value.items.map(plain)
  return Object.fromEntries([...value.fields].map(([name, field]) => [name, plain(field)]))
}

function* every(value: ConfigValue): Generator<ConfigValue> {
  yield value
  const inner = value.kind === 'list' ? value.items : value.kind === 'object' ? [...value.fields.values()] : []
  for (const one of inner) yield* every(one)
}

test('whatever JSON says is read as JSON.parse reads it, and stands where its place says', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom('', '  ', '\t'), (json, indent) => {
      const text = `\n ${JSON.stringify(JSON.parse(json), null, indent)} \n`
      const placed = read(text)!
      expect(JSON.stringify(plain(placed.value))).toBe(JSON.stringify(JSON.parse(text)))
      for (const value of every(placed.value)) {
        const isText = value.kind === 'scalar' && typeof value.value === 'string'
        const written = isText ? text.slice(value.start - 1, value.end + 1) : text.slice(value.start, value.end)
        expect(JSON.stringify(JSON.parse(written))).toBe(JSON.stringify(plain(value)))
      }
      expect(placed.count).toBe([...every(placed.value)].length)
    }),
  )
})

test('texts with escapes, numbers in every form and names that come twice are read', () => {
  const { value, references } = read(
    '{"a\\"b": "\\u00e9\\\\", "n": [-1.5E+3, 1e-7, 0], "t": [true, false, null], "a": 1, "a": 2, "$ref": "x.json"}',
  )!
  expect(plain(value)).toEqual({
    'a"b': 'é\\',
    n: [-1500, 1e-7, 0],
    t: [true, false, null],
    a: 2,
    $ref: 'x.json',
  })
  expect(references).toEqual(['x.json'])
})

test('what nests deeper than allowed is not read', () => {
  expect(read('[[[1]]]', 4)?.depth).toBe(4)
  expect(read('[[[1]]]', 3)).toBeNull()
  expect(read(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toBeNull()
})
