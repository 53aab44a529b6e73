import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { renderInput } from '#tests/harness/render-input.ts'
import { fillTemplate } from '../render/fill-template.ts'
import { createPageRenderer } from '../render/page-renderer.ts'
import { describeOperation } from './describe-operation.ts'
import { outlineSpec } from './outline-spec.ts'

const renderer = createPageRenderer()
afterAll(() => renderer.close())

async function show(text: string, { method, path }: { method: string; path: string }) {
  const spec = { id: `${text.length} ${text.slice(0, 60)} ${method} ${path}`, path: 'api/spec.json', text }
  const input = renderInput('', {
    path: 'api/spec.json',
    operation: { spec, method, path },
    exampleLanguages: ['curl', 'python', 'javascript', 'go', 'php', 'java', 'ruby'],
  })
  const page = await renderer.render(input)
  const blocks = page.html.parts.flatMap((part) => (typeof part === 'object' && part.kind === 'code' ? part.block : []))
  const fill = { link: (url: string) => url, code: (at: number) => blocks[at]!.text.replaceAll('<', '&lt;') }
  return {
    html: fillTemplate(page.html, fill, 'html'),
    markdown: fillTemplate(page.markdown, fill, 'markdown'),
  }
}

const body = (schema: unknown, components: unknown = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Hostile' },
  paths: {
    '/x': {
      post: {
        summary: 'Hostile',
        requestBody: { content: { 'application/json': { schema } } },
        responses: { 200: { description: 'Fine', content: { 'application/json': { schema } } } },
      },
    },
  },
  components,
})

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const nested = (depth: number): unknown => {
  let schema: unknown = { type: 'string' }
  for (let level = 0; level < depth; level++) schema = { type: 'object', properties: { a: schema } }
  return schema
}
const doubling = (levels: number) => {
  const schemas: Record<string, unknown> = { [`S${levels}`]: { type: 'string' } }
  for (let level = 0; level < levels; level++) {
    const properties = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`p${at}`, ref(`S${level + 1}`)]))
    schemas[`S${level}`] = { type: 'object', properties }
  }
  return { schemas }
}
const many = (count: number, one: (at: number) => unknown) => Array.from({ length: count }, (_, at) => one(at))

const hostile: Record<string, unknown> = {
  'a schema inside itself': body(ref('A'), { schemas: { A: { type: 'object', properties: { a: ref('A') } } } }),
  'a list of itself': body(ref('A'), { schemas: { A: { type: 'array', items: ref('A') } } }),
  'a reference to itself': body(ref('A'), { schemas: { A: ref('A') } }),
  'references in a circle': body(ref('A'), { schemas: { A: ref('B'), B: { allOf: [ref('A')] } } }),
  'alternatives that are themselves': body(ref('A'), {
    schemas: { A: { oneOf: [ref('A'), ref('A'), ref('B')] }, B: { anyOf: [ref('A'), ref('B')] } },
  }),
  'a reference elsewhere': body({ $ref: 'https://evil.example/schema.json#/A' }),
  'deep nesting': body(nested(2_000)),
  'eight times eight times eight': body(ref('S0'), doubling(12)),
  'a huge enumeration': body({ type: 'string', enum: many(200_000, (at) => `value-${at}`) }),
  'a hundred thousand properties': body({
    properties: Object.fromEntries(many(100_000, (at) => [`p${at}`, { type: 'string' }]) as never),
  }),
  'allOf of many': body({ allOf: many(20_000, (at) => ({ properties: { [`p${at}`]: { type: 'string' } } })) }),
  'alternatives upon alternatives': body({
    oneOf: many(200, () => ({ oneOf: many(50, () => ({ oneOf: many(5, () => ({ properties: { a: {} } })) })) })),
  }),
  'markup in all words': body({
    description:
      '<script>alert(1)</script><img src=x onerror=alert(1)> [x](javascript:alert(1)) {alert(1)} <Card title="x">',
    properties: {
      '<img src=x onerror=alert(1)>': {
        type: '<script>',
        description: '# Heading\n\n<svg onload=alert(1)>',
        default: '</code><script>',
      },
    },
  }),
  'long words': body({
    description: '['.repeat(40_000),
    properties: { a: { pattern: '('.repeat(10_000), description: '*a '.repeat(20_000) } },
  }),
}

test.each(Object.entries(hostile))('a specification with %s is a page, soon', async (_, spec) => {
  // Whoever takes too long is ended, and shown as a page that could not be.
  const { html, markdown } = await show(JSON.stringify(spec), { method: 'POST', path: '/x' })
  expect(html).toContain('class="endpoint"')
  expect(html.length).toBeLessThan(5_000_000)
  expect(html).not.toMatch(/<(?:script|svg onload|img[^>]*onerror)|href="javascript:/i)
  expect(markdown).toContain('**POST** `/x`')
})

test.each([
  [
    'aliases of aliases',
    `openapi: 3.1.0\na: &a [x,x,x,x,x,x,x,x,x]\n${many(30, (at) => `b${at}: &b${at} [${'*'.concat(at === 0 ? 'a' : `b${Number(at) - 1}`, ',').repeat(9)}]`).join('\n')}\npaths: {/x: {post: {}}}\n`,
  ],
  [
    'an alias to itself',
    'openapi: 3.1.0\npaths: {/x: {post: {requestBody: {content: {application/json: {schema: &a {properties: {b: *a}, example: *a}}}}}}}\n',
  ],
  ['a million brackets', `openapi: 3.1.0\npaths: ${'['.repeat(1_000_000)}`],
  ['too much of it', `openapi: 3.1.0\n${'a: b\n'.repeat(800_000)}`],
])('YAML with %s does no harm', async (_, text) => {
  const started = performance.now()
  await renderer.outline({ path: 'a.yaml', id: text.slice(0, 50), text })
  const { html } = await show(text, { method: 'POST', path: '/x' })
  expect(html).toMatch(/class="endpoint"|has no operation|could not be/)
  expect(performance.now() - started).toBeLessThan(12_000)
})

const names = [
  'type',
  'properties',
  'items',
  'allOf',
  'oneOf',
  '$ref',
  'required',
  'enum',
  'schema',
  'content',
  'parameters',
]
const further = [
  'responses',
  'requestBody',
  'servers',
  'security',
  'description',
  'example',
  'in',
  'name',
  '__proto__',
  'x-mint',
]
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, 0, -1, 1e300, '', '#', '#/paths/~1x', 'object', 'array', 'string', 'path', '/x', '<b>'),
    fc.string({ maxLength: 10 }),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...names, ...further, '200', 'application/json'), tie('any'), { maxKeys: 6 }),
  ),
})).any

test('no value as a specification, or as a part of one, throws', () => {
  fc.assert(
    fc.property(value, value, fc.constantFrom('openapi', 'swagger', 'asyncapi'), (first, second, kind) => {
      const specs = [
        first,
        { [kind]: '3', paths: first, webhooks: second, channels: first, components: second, info: first, tags: second },
        { [kind]: '3', paths: { '/x': { get: first, parameters: second } }, components: { schemas: second } },
        { [kind]: '3', channels: { '/x': first }, operations: second, security: second, servers: first },
        { [kind]: '3', paths: { '/x': { get: { responses: { 200: first }, requestBody: second, callbacks: first } } } },
        body(first, second),
      ]
      for (const spec of specs) {
        const text = JSON.stringify(spec) ?? ''
        for (const { method, path } of outlineSpec({ path: 'a.json', text })?.operations ?? []) {
          describeOperation({ id: text, path: 'a.json', text }, { method, path, exampleLanguages: ['curl', 'php'] })
        }
      }
    }),
    // A name that every object has, and none of them as a text.
    { numRuns: 150, examples: [[JSON.parse('{"responses":{"__proto__":{}}}'), [], 'openapi']] },
  )
})
