// Writes src/api/client.ts, the types and addresses of every operation, from docs/openapi.json.
// Run: node_modules/.bin/node web/generate-client.ts
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  description?: string
}

interface Operation {
  operationId: string
  summary?: string
  parameters?: { in: string; name: string; required?: boolean; schema: Schema }[]
  requestBody?: { required?: boolean; content: Record<string, { schema?: Schema }> }
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const header = '// Made from docs/openapi.json by web/generate-client.ts. Not edited by hand.\n'
const plain = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' } as const

/** TypeScript that says what a value of the schema looks like. */
function typeOf(schema: Schema | undefined): string {
  if (!schema) return 'unknown'
  if (schema.$ref) return schema.$ref.split('/').at(-1)!
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const options = schema.anyOf ?? schema.oneOf
  if (options) return [...new Set(options.map(typeOf))].join(' | ')
  if (schema.allOf) return schema.allOf.map((part) => `(${typeOf(part)})`).join(' & ')
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ')
  if (schema.type === 'array') return arrayOf(typeOf(schema.items))
  if (schema.type && schema.type in plain) return plain[schema.type as keyof typeof plain]
  if (schema.properties) return objectOf(schema)
  if (typeof schema.additionalProperties === 'object') return `Record<string, ${typeOf(schema.additionalProperties)}>`
  return schema.type === 'object' ? 'Record<string, unknown>' : 'unknown'
}

function arrayOf(item: string): string {
  return /\W/.test(item) ? `(${item})[]` : `${item}[]`
}

function objectOf({ properties = {}, required = [] }: Schema): string {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const comment = schema.description
      ? `/** ${schema.description.replaceAll('*/', '* /').replaceAll('\n', ' ')} */\n`
      : ''
    const shown = /^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name)
    return `${comment}${shown}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}${required.includes(name) ? '' : ' | undefined'}`
  })
  return fields.length === 0 ? 'Record<string, never>' : `{\n${fields.join('\n')}\n}`
}

function parametersOf({ parameters = [] }: Operation, place: string): string {
  const chosen = parameters.filter((parameter) => parameter.in === place)
  const properties = Object.fromEntries(chosen.map(({ name, schema }) => [name, schema]))
  const required = chosen.filter((parameter) => parameter.required).map(({ name }) => name)
  return chosen.length === 0 ? 'undefined' : objectOf({ properties, required })
}

function answerOf({ responses }: Operation): string {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const types = good.map(([status, { content }]) =>
    status === '204' || !content ? 'undefined' : typeOf(content['application/json']?.schema),
  )
  return [...new Set(types)].join(' | ')
}

/** The whole of src/api/client.ts. */
export function generateClient({ paths, components }: OpenApiDocument): string {
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema)}\n`,
  )
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const types = operations.map(({ operation }) => {
    const body = typeOf(operation.requestBody?.content['application/json']?.schema)
    return `/** ${operation.summary ?? operation.operationId}. */
${operation.operationId}: {
path: ${parametersOf(operation, 'path')}
query: ${parametersOf(operation, 'query')}
body: ${operation.requestBody ? body : 'undefined'}
answer: ${answerOf(operation)}
}`
  })
  const addresses = operations.map(
    ({ path, method, operation }) => `${operation.operationId}: ['${method}', '${path}'],`,
  )
  const text = [
    header,
    ...schemas,
    `export interface Operations {\n${types.join('\n')}\n}\n`,
    `export const addresses = {\n${addresses.join('\n')}\n} satisfies Record<keyof Operations, [method: string, path: string]>\n`,
  ].join('\n')
  return indented(text)
}

/** Two spaces for each bracket that is open at the start of a line; no type here has one in a string. */
function indented(text: string): string {
  let depth = 0
  const lines = text.split('\n').map((line) => {
    const code = line.trim().startsWith('/**') ? '' : line.replace(/"[^"]*"|'[^']*'/g, '')
    const closes = /^[})\]]+/.exec(code.trim())?.[0].length ?? 0
    const shown = line === '' ? '' : '  '.repeat(Math.max(0, depth - closes)) + line
    depth += (code.match(/[{([]/g) ?? []).length - (code.match(/[})\]]/g) ?? []).length
    return shown
  })
  return lines.join('\n')
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const document = JSON.parse(readFileSync(join(root, 'docs', 'openapi.json'), 'utf8')) as OpenApiDocument
  writeFileSync(join(import.meta.dirname, 'src', 'api', 'client.ts'), generateClient(document))
}
