import { boundedValue } from './bounded-value.ts'
import type { SpecObject, SpecValue } from './parse-spec.ts'
import { readSchema, type Schema } from './read-schema.ts'
import { enumOf, isFile } from './schema-facts.ts'
import { fieldOf, type SpecDocument, textOf } from './spec-document.ts'

export interface ExampleOptions {
  /** What is only sent, or only comes back, is left out of the other. */
  use: 'request' | 'response'
}

const mostValues = 600
const mostDepth = 10

/** A value such as the schema describes: its own example, or one made up. */
export function exampleValue(document: SpecDocument, value: SpecValue | undefined, { use }: ExampleOptions): SpecValue {
  let left = mostValues
  const around = new Set<SpecObject>()
  return boundedValue(make(value, 0) ?? null)

  /** Undefined: it would go on for ever. */
  function make(one: SpecValue | undefined, depth: number): SpecValue | undefined {
    left--
    const schema = readSchema(document, one)
    const given = givenExample(schema.facts)
    if (given !== undefined) return given
    const { identity } = schema
    if (depth > mostDepth || left <= 0 || (identity && around.has(identity))) return undefined
    if (identity) around.add(identity)
    try {
      return makeUp(schema, depth)
    } finally {
      if (identity) around.delete(identity)
    }
  }

  function makeUp(schema: Schema, depth: number): SpecValue | undefined {
    const [first] = schema.choices
    if (first && schema.properties.size === 0) return make(first.options[0], depth + 1)
    const [type] = schema.types
    if (type === 'object' || schema.properties.size > 0) return makeObject(schema, depth)
    if (type === 'array') {
      const item = make(schema.items, depth + 1)
      return item === undefined ? [] : [item]
    }
    return primitive(schema)
  }

  function makeObject(schema: Schema, depth: number): SpecValue {
    const made: [string, SpecValue][] = []
    const add = (properties: Map<string, SpecValue>) => {
      for (const [name, property] of properties) {
        if (left <= 0) break
        const { facts } = readSchema(document, property)
        if (fieldOf(facts, use === 'request' ? 'readOnly' : 'writeOnly') === true) continue
        const value = make(property, depth + 1)
        if (value !== undefined) made.push([name, value])
      }
    }
    add(schema.properties)
    // Fields of the first alternative belong to it too.
    for (const { options } of schema.choices) add(readSchema(document, options[0]).properties)
    if (made.length === 0 && typeof schema.additional === 'object') {
      const value = make(schema.additional, depth + 1)
      if (value !== undefined) made.push(['{key}', value])
    }
    return Object.fromEntries(made)
  }
}

/** What the specification itself gives as an example, or as the value if none is given. */
export function givenExample(facts: SpecObject): SpecValue | undefined {
  const examples = fieldOf(facts, 'examples')
  const first = Array.isArray(examples) ? examples[0] : undefined
  return fieldOf(facts, 'example') ?? first ?? fieldOf(facts, 'const') ?? fieldOf(facts, 'default') ?? undefined
}

const byFormat: Record<string, string> = Object.assign(Object.create(null), {
  'date-time': '2026-01-31T09:30:00Z',
  date: '2026-01-31',
  time: '09:30:00Z',
  duration: 'P1D',
  uuid: '3f0c8a52-8d1e-4c5b-9a37-6f2d1b7e9c04',
  email: 'jane@example.com',
  uri: 'https://example.com',
  url: 'https://example.com',
  'uri-reference': '/path',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  byte: 'aGVsbG8=',
})

function primitive(schema: Schema): SpecValue {
  const { facts, types } = schema
  const [first] = enumOf(schema)
  if (first !== undefined) return first
  switch (types[0]) {
    case 'string':
      return isFile(schema) ? '<file>' : (byFormat[textOf(facts, 'format') ?? ''] ?? '<string>')
    case 'integer':
    case 'number':
      return numberBetween(fieldOf(facts, 'minimum'), fieldOf(facts, 'maximum'))
    case 'boolean':
      return true
    case 'file':
      return '<file>'
    default:
      return null
  }
}

function numberBetween(low: SpecValue | undefined, high: SpecValue | undefined): number {
  const usual = 123
  if (typeof low === 'number' && low > usual) return low
  return typeof high === 'number' && high < usual ? high : usual
}
