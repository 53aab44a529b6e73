import { isObject, type SpecObject, type SpecValue } from './parse-spec.ts'
import { fieldOf, type SpecDocument, textOf } from './spec-document.ts'

/** A schema with its references followed and its `allOf` put together: what a value of it looks like. */
export interface Schema {
  /** What the specification calls it. */
  name: string | null
  /** The object that it is written in: a schema that has it inside itself once more goes round in a circle. */
  identity: SpecObject | null
  /** Single fields, of which the first part that has one decides: `description`, `format`, `default`. */
  facts: SpecObject
  /** Without `null`. */
  types: string[]
  isNullable: boolean
  properties: Map<string, SpecValue>
  required: Set<string>
  items: SpecValue | undefined
  /** What further properties are like; false: there are none; undefined: nothing is said. */
  additional: SpecValue | undefined
  /** Of each set, a value is one (`oneOf`) or some (`anyOf`). */
  choices: Choice[]
  /** What could not be followed: references to other files, and to nothing. */
  missing: string[]
}

export interface Choice {
  kind: 'oneOf' | 'anyOf'
  options: SpecValue[]
  /** Which field says which it is, and the values that it has for schemas by reference. */
  discriminator: { field: string; values: Map<string, string> } | null
}

// What real schemas are put together from stays far below these.
const mostParts = 200
const mostProperties = 2_000
const mostOptions = 100

const known = new WeakMap<SpecDocument, WeakMap<SpecObject, Schema>>()

/** Never throws. One schema is often read for many fields, so what was read is kept with the specification. */
export function readSchema(document: SpecDocument, value: SpecValue | undefined): Readonly<Schema> {
  if (!isObject(value)) return putTogether(document, undefined)
  const schemas = known.get(document) ?? new WeakMap<SpecObject, Schema>()
  known.set(document, schemas)
  const schema = schemas.get(value) ?? putTogether(document, value)
  schemas.set(value, schema)
  return schema
}

function putTogether(document: SpecDocument, value: SpecObject | undefined): Schema {
  const schema: Schema = {
    name: null,
    identity: null,
    facts: {},
    types: [],
    isNullable: false,
    properties: new Map(),
    required: new Set(),
    items: undefined,
    additional: undefined,
    choices: [],
    missing: [],
  }
  const seen = new Set<SpecValue>()
  // In the order in which they are written, the outermost first.
  const open: { part: SpecValue; isWhole: boolean }[] = value === undefined ? [] : [{ part: value, isWhole: true }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { part, isWhole } = next
    if (seen.size >= mostParts) break
    if (!isObject(part) || seen.has(part)) continue
    seen.add(part)
    addPart(document, schema, part, isWhole)
    const ref = fieldOf(part, '$ref')
    // Beside a reference, 3.1 lets a schema say more.
    if (typeof ref === 'string') {
      const target = document.step(part)
      if (isObject(target)) open.push({ part: target, isWhole })
      else schema.missing.push(ref.slice(0, 200))
      if (isWhole) schema.name ??= nameOf(ref)
    }
    const parts = fieldOf(part, 'allOf')
    if (Array.isArray(parts)) {
      const isOnly = isWhole && parts.length === 1
      for (const inner of parts.slice(0, mostParts).reverse()) open.push({ part: inner, isWhole: isOnly })
    }
    const only = addChoices(schema, part)
    if (only !== undefined) open.push({ part: only, isWhole })
  }
  if (schema.types.length === 0) schema.types = guessTypes(schema)
  return schema
}

// By name: an object that says it is a schema may have a million others.
const factNames = [
  ...['title', 'description', 'format', 'enum', 'const', 'default', 'example', 'examples', 'pattern', 'multipleOf'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength', 'minItems', 'maxItems'],
  ...['minProperties', 'maxProperties', 'uniqueItems', 'readOnly', 'writeOnly', 'deprecated', 'contentMediaType'],
  ...[
    'contentEncoding',
    'externalDocs',
    'x-mint',
    'x-enumDescriptions',
    'x-enum-descriptions',
    'x-hidden',
    'x-default',
  ],
]
// Of a part of `allOf` they are about that part.
const wholeFields = new Set(['example', 'examples', 'default', 'title'])

function addPart(document: SpecDocument, schema: Schema, part: SpecObject, isWhole: boolean): void {
  if (isWhole) schema.identity = part
  for (const name of factNames) {
    const value = fieldOf(part, name)
    if (value === undefined || Object.hasOwn(schema.facts, name)) continue
    if (isWhole || !wholeFields.has(name)) schema.facts[name] = value
  }
  const type = fieldOf(part, 'type')
  const types = (Array.isArray(type) ? type : [type]).filter((one): one is string => typeof one === 'string')
  if (schema.types.length === 0) schema.types = [...new Set(types)].filter((one) => one !== 'null').slice(0, 10)
  if (types.includes('null') || fieldOf(part, 'nullable') === true) schema.isNullable = true
  const properties = fieldOf(part, 'properties')
  if (isObject(properties)) {
    for (const [name, value] of document.entries(properties)) {
      if (schema.properties.size >= mostProperties) break
      const known = schema.properties.get(name)
      schema.properties.set(name, known === undefined ? value : { allOf: [known, value] })
    }
  }
  const required = fieldOf(part, 'required')
  if (Array.isArray(required)) {
    for (const name of required.slice(0, mostProperties)) if (typeof name === 'string') schema.required.add(name)
  }
  schema.items ??= fieldOf(part, 'items') ?? firstOf(fieldOf(part, 'prefixItems'))
  schema.additional ??=
    fieldOf(part, 'additionalProperties') ?? firstValue(document, fieldOf(part, 'patternProperties'))
}

/** Of one option and `null`, that option is a part as any other. */
function addChoices(schema: Schema, part: SpecObject): SpecValue | undefined {
  let only: SpecValue | undefined
  for (const kind of ['oneOf', 'anyOf'] as const) {
    const written = fieldOf(part, kind)
    if (!Array.isArray(written)) continue
    const options = written.slice(0, mostOptions).filter((option) => {
      const isNull = isObject(option) && fieldOf(option, 'type') === 'null'
      if (isNull) schema.isNullable = true
      return !isNull
    })
    if (options.length === 1) only = options[0]
    else if (options.length > 1) {
      schema.choices.push({ kind, options, discriminator: readDiscriminator(fieldOf(part, 'discriminator')) })
    }
  }
  return only
}

function readDiscriminator(value: SpecValue | undefined): Choice['discriminator'] {
  // In 2.0 it is the name alone.
  if (typeof value === 'string') return { field: value, values: new Map() }
  const field = isObject(value) ? textOf(value, 'propertyName') : null
  if (!isObject(value) || field === null) return null
  const values = new Map<string, string>()
  const mapping = fieldOf(value, 'mapping')
  for (const [name, ref] of Object.entries(isObject(mapping) ? mapping : {}).slice(0, mostOptions)) {
    if (typeof ref === 'string') values.set(ref, name)
  }
  return { field, values }
}

function guessTypes({ properties, items, additional, facts }: Schema): string[] {
  if (properties.size > 0 || isObject(additional)) return ['object']
  if (items !== undefined) return ['array']
  const sample = firstOf(fieldOf(facts, 'enum')) ?? fieldOf(facts, 'const')
  if (typeof sample === 'string') return ['string']
  if (typeof sample === 'number') return [Number.isInteger(sample) ? 'integer' : 'number']
  return typeof sample === 'boolean' ? ['boolean'] : []
}

/** `#/components/schemas/Pet` is `Pet`. */
export function nameOf(ref: string): string | null {
  const name = ref
    .slice(ref.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
  return name === '' || name === '#' ? null : name.slice(0, 100)
}

const firstOf = (value: SpecValue | undefined) => (Array.isArray(value) ? value[0] : undefined)

const firstValue = (document: SpecDocument, value: SpecValue | undefined) =>
  isObject(value) ? document.entries(value)[0]?.[1] : undefined
