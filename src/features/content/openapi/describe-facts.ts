import type { PageNode } from '../render/component.ts'
import { givenExample } from './example-value.ts'
import { code, codeList, component, paragraph, words } from './page-nodes.ts'
import type { SpecValue } from './parse-spec.ts'
import type { Schema } from './read-schema.ts'
import { enumOf, limitsOf, shortJson } from './schema-facts.ts'

const mostEnum = 60

/** What is said of a value beside its type: options, limits, an example. */
export function describeFacts(schema: Schema, example: SpecValue | undefined): PageNode[] {
  const nodes: PageNode[] = []
  const values = enumOf(schema)
  if (values.length > 0) {
    const more = values.length > mostEnum ? [words(` and ${values.length - mostEnum} more`)] : []
    nodes.push(paragraph(words('Available options: '), ...codeList(values.slice(0, mostEnum).map(shortText)), ...more))
  }
  const limits = limitsOf(schema)
  if (limits.length > 0) {
    nodes.push(
      paragraph(
        ...limits.flatMap(({ label, value }, at) => [words(`${at === 0 ? '' : ' · '}${label}: `), code(value)]),
      ),
    )
  }
  const given = example ?? givenExample({ ...schema.facts, default: null, const: null })
  if (given !== undefined && (typeof given !== 'object' || given === null) && values.length === 0) {
    nodes.push(paragraph(words('Example: '), code(shortJson(given))))
  }
  for (const ref of schema.missing.slice(0, 3)) {
    nodes.push(component('Note', {}, [paragraph(code(ref), words(' is not shown: it is not in this specification.'))]))
  }
  return nodes
}

/** Text as it is, other values as JSON. */
export function shortText(value: SpecValue): string {
  if (value === '') return '""'
  return typeof value === 'string' ? value.slice(0, 200) : shortJson(value)
}
