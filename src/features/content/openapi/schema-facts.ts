import { isObject, type SpecObject, type SpecValue } from './parse-spec.ts'
import { readSchema, type Schema } from './read-schema.ts'
import { fieldOf, type SpecDocument, textOf } from './spec-document.ts'

const mostTypes = 6
const longestPattern = 120
// `string[][][]` is as far as anybody reads.
const mostNested = 3

/** `string<date-time>`, `enum<string>`, `Pet[]`, `string | null`. */
export function typeLabel(document: SpecDocument, schema: Schema, depth = 0): string {
  const { types, choices, isNullable, facts } = schema
  let labels: string[]
  if (Object.hasOwn(facts, 'const')) labels = [shortJson(facts.const)]
  else if (types.length > 0) labels = types.map((type) => oneType(document, schema, type, depth))
  else labels = choiceLabels(document, choices, depth)
  const distinct = [...new Set(labels)]
  const shown = distinct.length > mostTypes ? [...distinct.slice(0, mostTypes), '…'] : distinct
  if (shown.length === 0) shown.push('any')
  return [...shown, ...(isNullable && !shown.includes('null') ? ['null'] : [])].join(' | ')
}

function oneType(document: SpecDocument, schema: Schema, type: string, depth: number): string {
  if (type === 'array') {
    if (depth >= mostNested || schema.items === undefined) return 'any[]'
    const inner = typeLabel(document, readSchema(document, schema.items), depth + 1)
    return inner.includes(' | ') ? `(${inner})[]` : `${inner}[]`
  }
  if (type === 'object') return isMap(schema) ? mapLabel(document, schema, depth) : 'object'
  if (enumOf(schema).length > 0) return `enum<${type}>`
  const format = isFile(schema) ? 'file' : (textOf(schema.facts, 'format') ?? '')
  return format === '' ? type.slice(0, 40) : format === 'file' ? 'file' : `${type.slice(0, 40)}<${format.slice(0, 40)}>`
}

function mapLabel(document: SpecDocument, { additional }: Schema, depth: number): string {
  if (depth >= mostNested || !isObject(additional)) return 'object'
  return `map<string, ${typeLabel(document, readSchema(document, additional), depth + 1)}>`
}

function choiceLabels(document: SpecDocument, choices: Schema['choices'], depth: number): string[] {
  if (depth >= mostNested) return []
  return choices.flatMap(({ options }) =>
    options
      .slice(0, depth === 0 ? mostTypes + 1 : 3)
      .map((option) => typeLabel(document, readSchema(document, option), depth + 1)),
  )
}

/** An object of which only the further properties are said. */
export function isMap({ properties, additional, choices }: Schema): boolean {
  return properties.size === 0 && choices.length === 0 && isObject(additional)
}

const binaryMedia = /^(?:image|audio|video|font)\/|octet-stream|pdf|zip|gzip|tar/i

export function isFile({ facts, types }: Schema): boolean {
  const format = textOf(facts, 'format')
  return (
    types.includes('file') ||
    (types.includes('string') && (format === 'binary' || binaryMedia.test(textOf(facts, 'contentMediaType') ?? '')))
  )
}

export function enumOf({ facts }: Pick<Schema, 'facts'>): SpecValue[] {
  const values = fieldOf(facts, 'enum')
  return Array.isArray(values) ? values : []
}

/** Limits on the value, each as `name` and what it is. */
export function limitsOf(schema: Schema): { label: string; value: string }[] {
  const { facts } = schema
  const found: { label: string; value: string }[] = []
  const add = (label: string, value: string | null) => value !== null && found.push({ label, value })
  add('Required range', rangeOf(facts))
  add('Required length', countsOf(facts, 'minLength', 'maxLength'))
  add('Required items', countsOf(facts, 'minItems', 'maxItems'))
  add('Required properties', countsOf(facts, 'minProperties', 'maxProperties'))
  add('Multiple of', numberText(fieldOf(facts, 'multipleOf')))
  // Of a known format, or longer than a line, it tells a reader nothing.
  const pattern = textOf(facts, 'format') === null ? textOf(facts, 'pattern') : null
  if (pattern !== null && pattern.length <= longestPattern) add('Pattern', pattern)
  if (fieldOf(facts, 'uniqueItems') === true) add('Items', 'unique')
  return found
}

function rangeOf(facts: SpecObject): string | null {
  const minimum = numberText(fieldOf(facts, 'minimum'))
  const maximum = numberText(fieldOf(facts, 'maximum'))
  const above = fieldOf(facts, 'exclusiveMinimum')
  const below = fieldOf(facts, 'exclusiveMaximum')
  // Flags in 3.0, numbers in 3.1.
  const low = typeof above === 'number' ? `${above} <` : minimum && `${minimum} ${above === true ? '<' : '<='}`
  const high = typeof below === 'number' ? `< ${below}` : maximum && `${below === true ? '<' : '<='} ${maximum}`
  if (low && high) return `${low} x ${high}`
  if (low) return `x ${low.endsWith('=') ? '>=' : '>'} ${low.split(' ')[0]}`
  return high ? `x ${high}` : null
}

function countsOf(facts: SpecObject, least: string, most: string): string | null {
  const low = numberText(fieldOf(facts, least))
  const high = numberText(fieldOf(facts, most))
  if (low !== null && high !== null) return low === high ? low : `${low} - ${high}`
  if (low !== null && low !== '0') return `at least ${low}`
  return high === null ? null : `at most ${high}`
}

function numberText(value: SpecValue | undefined): string | null {
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null
}

const longestValue = 200

/** A value in a line of text. */
export function shortJson(value: SpecValue | undefined): string {
  if (typeof value === 'object' && value !== null) {
    // It may hold itself, or far more than a line.
    if (!Array.isArray(value)) return Object.keys(value).length === 0 ? '{}' : '{…}'
    const isShort = value.length <= 10 && value.every((item) => typeof item !== 'object' || item === null)
    const text = isShort ? `[${value.map(shortJson).join(', ')}]` : '[…]'
    return text.length > longestValue ? '[…]' : text
  }
  const text = typeof value === 'string' ? JSON.stringify(value.slice(0, longestValue + 1)) : String(value)
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text
}
