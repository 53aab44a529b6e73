import type { ComponentNode, PageNode } from '../render/component.ts'
import { describeFacts, shortText } from './describe-facts.ts'
import { code, component, paragraph, words } from './page-nodes.ts'
import type { SpecObject, SpecValue } from './parse-spec.ts'
import { type Choice, nameOf, readSchema, type Schema } from './read-schema.ts'
import { isMap, typeLabel } from './schema-facts.ts'
import { fieldOf, listOf, objectOf, type SpecDocument, textOf } from './spec-document.ts'
import type { SpecMarkdown } from './spec-markdown.ts'

export interface SchemaDescriber {
  /** Fields of the value itself, for a body: those of an object, or of the items of a list. */
  body(value: SpecValue | undefined, use: Use): PageNode[]
  /** One field, with the fields inside it. */
  field(field: FieldInput, use: Use): PageNode
  /** Whether something had to be left out. */
  readonly isCut: boolean
}

/** Where a field stands decides what is left out (`readOnly` in requests), and what it is shown as. */
export type Use = 'request' | 'response'

export interface FieldInput {
  name: string
  /** `path`, `query` and so on; null: it has none. */
  place: 'path' | 'query' | 'header' | 'cookie' | null
  schema: SpecValue | undefined
  isRequired: boolean
  isDeprecated?: boolean
  /** In place of the schema's own. */
  description?: string | null
  example?: SpecValue | undefined
}

// Of one page. The largest that people read have some hundred.
const mostFields = 1_200
const mostDepth = 10
const mostOptions = 30
const mostWideOpen = 3

export function createSchemaDescriber(document: SpecDocument, markdown: SpecMarkdown): SchemaDescriber {
  let left = mostFields
  const around: SpecObject[] = []

  return {
    get isCut() {
      return left < 0
    },
    field: (field, use) => describeField(field, use),
    body: (value, use) => describeBody(value, use),
  }

  function describeField(input: FieldInput, use: Use, isWideOpen = false): ComponentNode {
    left--
    const { name, place, isRequired, example } = input
    const schema = readSchema(document, input.schema)
    const { facts } = schema
    const mint = objectOf(facts, 'x-mint')
    const byDefault = fieldOf(facts, 'default')
    const description = input.description ?? textOf(facts, 'description') ?? textOf(facts, 'title')
    const post = [
      ...(fieldOf(facts, 'readOnly') === true ? ['read-only'] : []),
      ...(fieldOf(facts, 'writeOnly') === true ? ['write-only'] : []),
      ...labels(mint, 'post'),
    ]
    return component(
      use === 'request' ? 'ParamField' : 'ResponseField',
      {
        [use === 'request' ? (place ?? 'name') : 'name']: name,
        type: typeLabel(document, schema),
        required: isRequired || undefined,
        deprecated: input.isDeprecated || fieldOf(facts, 'deprecated') === true || undefined,
        default: byDefault === undefined || byDefault === null ? undefined : shortText(byDefault),
        pre: labels(mint, 'pre'),
        post,
      },
      [
        ...(description === null ? [] : markdown.field(description)),
        ...describeFacts(schema, example),
        ...describeItems(schema),
        ...describeInside(schema, use, isWideOpen),
      ],
    )
  }

  function describeItems(schema: Schema): PageNode[] {
    const items = listItems(schema)
    return items ? describeFacts({ ...items, missing: [] }, undefined) : []
  }

  function describeBody(value: SpecValue | undefined, use: Use): PageNode[] {
    const schema = readSchema(document, value)
    const { types, choices, properties } = schema
    const isList = types[0] === 'array'
    const inner = isList ? listItems(schema) : schema
    if (inner && isOpen(inner)) {
      const label = typeLabel(document, schema)
      const intro = isList ? [paragraph(words('A list: '), code(label))] : []
      return [...intro, ...within(inner, () => describeFields(inner, use))]
    }
    if (choices.length === 0 && types.length === 0 && properties.size === 0 && schema.missing.length === 0) return []
    const field = describeField({ name: use, place: null, schema: value, isRequired: false }, use)
    // It has no name of its own: its kind stands for it.
    const type = typeof field.props.type === 'string' ? field.props.type : 'any'
    return [component('ResponseField', { ...field.props, name: type, type: undefined }, field.children)]
  }

  /** Properties, alternatives and further properties, as the fields that they are. */
  function describeFields(schema: Schema, use: Use): PageNode[] {
    const nodes: PageNode[] = []
    // A list and how many there are: nobody should have to open the list to see what is in it.
    const isWideOpen = around.length === 1 && schema.properties.size <= mostWideOpen
    const skipped = use === 'request' ? 'readOnly' : 'writeOnly'
    for (const [name, property] of schema.properties) {
      if (left <= 0) {
        left = -1
        break
      }
      const { facts } = readSchema(document, property)
      if (fieldOf(facts, skipped) === true || fieldOf(facts, 'x-hidden') === true) continue
      nodes.push(
        describeField({ name, place: null, schema: property, isRequired: schema.required.has(name) }, use, isWideOpen),
      )
    }
    for (const choice of schema.choices) nodes.push(...describeChoice(choice, use, schema.properties.size > 0))
    if (typeof schema.additional === 'object' && schema.additional !== null && left > 0) {
      nodes.push(
        describeField(
          {
            name: '{key}',
            place: null,
            schema: schema.additional,
            isRequired: false,
            description: additionalText(schema),
          },
          use,
        ),
      )
    }
    return nodes
  }

  function additionalText(schema: Schema): string | null {
    const own = textOf(readSchema(document, schema.additional).facts, 'description')
    return own ?? (schema.properties.size > 0 ? 'Any further field.' : 'Any name.')
  }

  /** What opens below a field. */
  function describeInside(schema: Schema, use: Use, isWideOpen: boolean): PageNode[] {
    const inner = schema.types[0] === 'array' ? listItems(schema) : schema
    if (!inner || !isOpen(inner)) return []
    if (isCircle(inner)) return [paragraph(words(`Has the fields of ${inner.name ?? 'what it stands in'} again.`))]
    if (around.length >= mostDepth) return []
    const children = within(inner, () => describeFields(inner, use))
    if (children.length === 0) return []
    const isOnlyTabs = children.every((child) => child.type === 'component' && child.name === 'Tabs')
    const title = isOnlyTabs ? 'alternatives' : 'child attributes'
    return [component('Expandable', { title, defaultOpen: isWideOpen || undefined }, children)]
  }

  function describeChoice({ kind, options, discriminator }: Choice, use: Use, isFurther: boolean): PageNode[] {
    // Alternatives of alternatives are as many as fields of fields.
    const shown = options.slice(0, Math.min(mostOptions, Math.max(left, 0)))
    left = shown.length < options.length && left <= shown.length ? -1 : left - shown.length
    if (shown.length === 0) return []
    const schemas = shown.map((option) => readSchema(document, option))
    // Of strings and numbers, the type says all there is.
    if (!schemas.some((schema) => isOpen(listItems(schema) ?? schema) || textOf(schema.facts, 'description') !== null))
      return []
    const titles = new Set<string>()
    const tabs = schemas.map((schema, index) => {
      const ref = shown[index]
      const value =
        discriminator && typeof ref === 'object' && ref !== null && !Array.isArray(ref)
          ? discriminatorValue(discriminator, ref)
          : null
      let title = textOf(schema.facts, 'title') ?? schema.name ?? value ?? typeLabel(document, schema)
      if (titles.has(title)) title = `${title} (${index + 1})`
      titles.add(title)
      return component('Tab', { title: title.slice(0, 80) }, describeOption(schema, use))
    })
    const hint = `${isFurther ? 'And ' : ''}${kind === 'anyOf' ? 'any' : 'one'} of these`
    const start = hint.charAt(0).toUpperCase() + hint.slice(1)
    const intro = discriminator
      ? paragraph(words(`${start}. `), code(discriminator.field), words(' says which.'))
      : paragraph(words(`${start}:`))
    return [intro, component('Tabs', { sync: false }, tabs)]
  }

  function describeOption(schema: Schema, use: Use): PageNode[] {
    const description = textOf(schema.facts, 'description')
    const inner = schema.types[0] === 'array' ? listItems(schema) : schema
    const nodes: PageNode[] = [
      ...(description === null ? [] : markdown.field(description)),
      ...describeFacts(schema, undefined),
    ]
    if (inner && isOpen(inner)) {
      if (isCircle(inner)) nodes.push(paragraph(words(`Has the fields of ${inner.name ?? 'what it stands in'} again.`)))
      else if (around.length < mostDepth) nodes.push(...within(inner, () => describeFields(inner, use)))
    }
    return nodes.length > 0 ? nodes : [paragraph(code(typeLabel(document, schema)))]
  }

  function within<T>({ identity }: Schema, work: () => T): T {
    if (identity) around.push(identity)
    try {
      return work()
    } finally {
      if (identity) around.pop()
    }
  }

  function isCircle({ identity }: Schema): boolean {
    return identity !== null && around.includes(identity)
  }

  function listItems(schema: Schema): Schema | null {
    if (schema.types[0] !== 'array' || schema.items === undefined) return null
    const items = readSchema(document, schema.items)
    return items.types[0] === 'array' ? listItemsOnce(items) : items
  }

  function listItemsOnce(items: Schema): Schema {
    return items.items === undefined ? items : readSchema(document, items.items)
  }
}

/** Whether there is something to see inside. */
function isOpen(schema: Schema): boolean {
  return schema.properties.size > 0 || schema.choices.length > 0 || isMap(schema)
}

function discriminatorValue({ values }: NonNullable<Choice['discriminator']>, option: SpecObject): string | null {
  const ref = textOf(option, '$ref')
  return ref === null ? null : (values.get(ref) ?? values.get(nameOf(ref) ?? '') ?? null)
}

function labels(mint: SpecObject, name: string): string[] {
  return listOf(mint, name)
    .filter((label): label is string => typeof label === 'string')
    .slice(0, 10)
}
