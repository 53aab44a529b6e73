import fc, { type Arbitrary } from 'fast-check'

/** A JSON schema with its references resolved; the part of the vocabulary that our routes use. */
export interface JsonSchema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  examples?: unknown[]
}

/** The schema with each `$ref` replaced by what it refers to in the document. None of ours refer to themselves. */
export function withoutRefs<Part>(part: Part, document: unknown): Part {
  if (Array.isArray(part)) return part.map((one) => withoutRefs(one, document)) as Part
  if (typeof part !== 'object' || part === null) return part
  if ('$ref' in part && typeof part.$ref === 'string') {
    const path = part.$ref.replace('#/', '').split('/')
    const target = path.reduce((node, key) => (node as Record<string, unknown>)[key], document)
    return withoutRefs(target as Part, document)
  }
  return Object.fromEntries(Object.entries(part).map(([key, child]) => [key, withoutRefs(child, document)])) as Part
}

/** Values that the schema allows. What it does not know it refuses, rather than make values that say nothing. */
export function conforming(schema: JsonSchema): Arbitrary<unknown> {
  const plain = withoutExamples(schema)
  return schema.examples ? fc.oneof(plain, fc.constantFrom(...schema.examples)) : plain
}

function withoutExamples(schema: JsonSchema): Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const branches = schema.anyOf ?? schema.oneOf
  if (branches) return fc.oneof(...branches.map(conforming))
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => conforming({ ...schema, type })))
  const makers: Record<string, (schema: JsonSchema) => Arbitrary<unknown>> = {
    string: text,
    integer: ({ minimum, maximum }) => fc.integer({ min: minimum ?? -1000, max: maximum ?? 1000 }),
    number: ({ minimum, maximum }) => fc.double({ min: minimum ?? -1000, max: maximum ?? 1000, noNaN: true }),
    boolean: () => fc.boolean(),
    null: () => fc.constant(null),
    array: ({ items = {}, minItems = 0, maxItems = 5 }) =>
      fc.array(conforming(items), { minLength: minItems, maxLength: Math.min(maxItems, minItems + 5) }),
    object: object,
  }
  const make = makers[schema.type ?? '']
  if (!make) throw new Error(`No values for the schema ${JSON.stringify(schema)}.`)
  return make(schema)
}

function text({ minLength = 0, maxLength: most, pattern, format }: JsonSchema): Arbitrary<string> {
  const maxLength = most ?? minLength + 30
  if (format === 'date-time' || format === 'date') {
    const [min, max] = [new Date('1970-01-01T00:00:00Z'), new Date('9999-12-31T23:59:59Z')]
    const times = fc.date({ min, max, noInvalidDate: true }).map((date) => date.toISOString())
    return format === 'date' ? times.map((time) => time.slice(0, 10)) : times
  }
  if (format === 'uri') return fc.webUrl().filter((url) => url.length <= maxLength)
  if (pattern) {
    // A pattern may say the length itself: then nothing shorter is ever made, however long one waits.
    const isFitting = ({ length }: string) => length >= minLength && length <= (most ?? Number.POSITIVE_INFINITY)
    return fc.stringMatching(new RegExp(pattern)).filter(isFitting)
  }
  const longest = Math.min(maxLength, minLength + 30)
  return fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: 'grapheme-ascii', minLength, maxLength: longest }) },
    // Graphemes have several code units each; the schema counts characters, and we send no more than it allows.
    {
      weight: 2,
      arbitrary: fc
        .string({ unit: 'grapheme', minLength, maxLength: longest })
        .map((all) => [...all].slice(0, maxLength).join('')),
    },
    { weight: 1, arbitrary: fc.constant('x'.repeat(maxLength)) },
  )
}

function object({ properties = {}, required = [], additionalProperties }: JsonSchema): Arbitrary<unknown> {
  if (typeof additionalProperties === 'object') {
    return fc.dictionary(fc.string({ maxLength: 10 }), conforming(additionalProperties), { maxKeys: 5 })
  }
  const values = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, conforming(schema)]))
  return fc.record(values, { requiredKeys: required })
}

/** Texts that break things: where they end, what they are stored in, what they are shown in, what they name. */
export const hostileText: Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      ' ',
      '\0',
      'a\0b',
      '\ud800',
      'a\udc00b',
      '\ufeff',
      '\u202e',
      '\u2028',
      '\r\nset-cookie: a=b',
      '\x7f',
      '💥'.repeat(50),
    ],
    ...[
      'null',
      'undefined',
      'NaN',
      'true',
      '-1',
      '1e400',
      '0x10',
      '9'.repeat(400),
      '__proto__',
      'constructor',
      'toString',
    ],
    ...[
      '../../etc/passwd',
      '%00',
      '%',
      '%ZZ',
      '$(id)',
      "' or 1=1; --",
      '<script>alert(1)</script>',
      '{{x}}',
      '\\',
      '"',
    ],
    ...[
      'https://user:pass@x.test',
      'https://x.test/\0',
      'https://x.test/\ud800',
      'file:///etc/passwd',
      '-x',
      '.git',
      'a'.repeat(100_000),
      'é'.repeat(300),
      '(a+)+$'.repeat(50),
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 300 }),
)

/** Anything that JSON can hold, and what a schema seldom expects. */
const hostileValue: Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e308, -0, Number.MAX_SAFE_INTEGER + 2, [], {}, [[]], [null], {
    length: -1,
  }),
  fc.integer({ min: 1, max: 500 }).map((depth) => nested(depth)),
  fc.array(fc.constantFrom<unknown>('x', 1, null), { minLength: 200, maxLength: 2_000 }),
  fc.jsonValue(),
)

function nested(depth: number): unknown {
  let value: unknown = 'deep'
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { value }
  return value
}

/** The value with a few things wrong in it: replaced, left out, or too much. */
export function spoiled(values: Arbitrary<unknown>): Arbitrary<unknown> {
  const names = ['extra', '', '__proto__', 'constructor', 'toString', 'id', 'organizationId', '\0', 'a'.repeat(5_000)]
  const fault = fc.record({
    pick: fc.nat(),
    kind: fc.constantFrom('replace', 'replace', 'remove', 'add'),
    hostile: hostileValue,
    name: fc.constantFrom(...names),
  })
  return fc.tuple(values, fc.array(fault, { minLength: 1, maxLength: 3 })).map(([value, faults]) => {
    const whole = { root: structuredClone(value) }
    for (const { pick, kind, hostile, name } of faults) {
      const places = placesIn(whole)
      const place = places[pick % places.length]
      if (!place) break
      const { holder, key } = place
      if (kind === 'add') define(isObject(holder[key]) ? holder[key] : holder, name, structuredClone(hostile))
      else if (kind === 'remove') delete holder[key]
      else holder[key] = structuredClone(hostile)
    }
    return whole.root
  })
}

interface Place {
  holder: Record<string, unknown>
  key: string
}

/** The places near the top; the hostile values themselves can be hundreds of levels deep. */
function placesIn(holder: Record<string, unknown>, levels = 6): Place[] {
  return Object.keys(holder).flatMap((key) => {
    const value = holder[key]
    return [{ holder, key }, ...(isObject(value) && levels > 0 ? placesIn(value, levels - 1) : [])]
  })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Also for `__proto__`, which an assignment would not make a property of. */
function define(holder: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true })
}
