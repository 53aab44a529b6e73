import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'

// biome-ignore lint/suspicious/noExplicitAny: the document is looked into at many places, of many shapes.
type Node = any

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

let it: TestApp
let document: Node
let operations: { name: string; path: string; method: string; operation: Node }[]
beforeAll(async () => {
  it = await createTestApp({ settings: { baseUrl: 'https://docs.example.com' } })
  document = (await it.call('GET', '/openapi.json', { key: null })).body
  operations = Object.entries<Node>(document.paths).flatMap(([path, item]) =>
    Object.entries<Node>(item).map(([method, operation]) => ({ name: `${method} ${path}`, path, method, operation })),
  )
})
afterAll(() => it.close())

/** Every object inside, with where it lies. */
function* walk(node: Node, place = '#'): Generator<[string, Node]> {
  if (typeof node !== 'object' || node === null) return
  yield [place, node]
  for (const [key, child] of Object.entries(node)) yield* walk(child, `${place}/${key}`)
}

function resolve(ref: string): Node {
  expect(ref).toMatch(/^#\//)
  return ref
    .slice(2)
    .split('/')
    .reduce((node, part) => node?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], document)
}

/** The schemas of the document: of parameters, bodies and components, and all inside them. */
function* schemas(): Generator<[string, Node]> {
  for (const [place, node] of walk(document)) {
    if ('schema' in node) yield* subschemas(node.schema, `${place}/schema`)
    if (place === '#/components/schemas') {
      for (const [name, schema] of Object.entries(node)) yield* subschemas(schema, `${place}/${name}`)
    }
  }
}

function* subschemas(schema: Node, place: string): Generator<[string, Node]> {
  yield [place, schema]
  for (const key of ['items', 'additionalProperties', 'not', 'propertyNames']) {
    if (typeof schema[key] === 'object') yield* subschemas(schema[key], `${place}/${key}`)
  }
  for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems']) {
    for (const [index, one] of (schema[key] ?? []).entries()) yield* subschemas(one, `${place}/${key}/${index}`)
  }
  for (const [name, one] of Object.entries(schema.properties ?? {}))
    yield* subschemas(one, `${place}/properties/${name}`)
}

/** What Fastify would answer: `GET /v1/keys`. HEAD comes with GET and is not described. */
function registeredRoutes(): string[] {
  const routes: string[] = []
  const open: string[] = []
  for (const line of it.app.printRoutes({ commonPrefix: false }).trimEnd().split('\n')) {
    const [, indent, segment, names] = /^([│ ]*)[├└]── (\S+) \((.+)\)$/.exec(line) ?? []
    expect(segment, line).toBeDefined()
    open.splice(indent!.length / 4, open.length, segment!)
    const path = open.join('').replace(/:(\w+)/g, '{$1}')
    for (const method of names!.split(', ')) if (method !== 'HEAD') routes.push(`${method.toLowerCase()} ${path}`)
  }
  return routes
}

describe('/openapi.json', () => {
  test('is an OpenAPI 3.1 document about this server', () => {
    expect(document).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\.\d+$/),
      info: { title: 'Docent API', version: '0.0.0-test', description: expect.any(String) },
      servers: [{ url: 'https://docs.example.com' }],
      security: [{ adminKey: [] }],
      components: { securitySchemes: { adminKey: { type: 'http', scheme: 'bearer' } } },
    })
    expect(operations.length).toBeGreaterThan(10)
  })

  test('has every route but those that are not for API clients', () => {
    const hidden = [
      'get /',
      'get /analytics.js',
      'get /app',
      'get /app*',
      'get /git/-/pages.css',
      'get /git/{slug}',
      'get /git/{slug}/info/refs',
      'get /git/{slug}/pulls',
      'get /git/{slug}/pulls/{number}',
      'get /openapi.json',
      'get /reference',
      'get /reference/scalar.js',
      'get /reference/start.js',
      'get /v1/organizations',
      'get /v1/session/oidc',
      'get /v1/session/oidc/callback',
      'post /git/{slug}/git-receive-pack',
      'post /git/{slug}/git-upload-pack',
      'post /git/{slug}/pulls/{number}/close',
      'post /git/{slug}/pulls/{number}/merge',
      'post /v1/analytics/{projectId}/collect',
      'post /v1/hooks/{projectId}/{vendor}',
      'post /v1/organizations',
      'post /v1/setup-link',
    ]
    // Sites answer every path below their own.
    const ofReaders = / (?:\/?\*|\/(?:sites\/\{slug\}|previews\/\{slug\}\/\{name\})\*?)$/
    const registered = registeredRoutes().filter((route) => !ofReaders.test(route))
    expect([...operations.map(({ name }) => name), ...hidden].sort()).toEqual(registered.sort())
  })

  test('has only references that resolve, and no component that nothing refers to', () => {
    const refs = new Set<string>()
    for (const [place, node] of walk(document)) {
      if (!('$ref' in node)) continue
      expect(resolve(node.$ref), `${place} refers to ${node.$ref}`).toBeTypeOf('object')
      refs.add(node.$ref)
    }
    expect([...refs].sort()).toEqual(
      Object.keys(document.components.schemas)
        .map((name) => `#/components/schemas/${name}`)
        .sort(),
    )
  })

  test('names, sums up and sorts each operation', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { name, method, operation } of operations) {
      expect(methods, name).toContain(method)
      expect(operation.operationId, name).toMatch(/^[a-z][a-zA-Z]+$/)
      expect(operation.summary, name).toMatch(/^[A-Z].{5,60}[^.]$/)
      expect(operation.tags, name).toEqual([expect.any(String)])
    }
  })

  test('declares each parameter of a path, and no parameter twice', () => {
    for (const { name, path, operation } of operations) {
      const parameters: Node[] = operation.parameters ?? []
      const inPath = parameters.filter((parameter) => parameter.in === 'path')
      const inTemplate = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      expect(inPath.map((parameter) => parameter.name).sort(), name).toEqual(inTemplate.sort())
      expect(inPath.every((parameter) => parameter.required === true)).toBe(true)
      const places = parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
      expect(new Set(places).size, name).toBe(places.length)
      for (const parameter of parameters) {
        expect(['query', 'path', 'header', 'cookie']).toContain(parameter.in)
        expect(parameter.schema, `${name} ${parameter.name}`).toBeTypeOf('object')
        if (parameter.in === 'query') expect(parameter.description, `${name} ${parameter.name}`).toMatch(/\w/)
      }
    }
  })

  test('describes each answer, good and bad', () => {
    for (const { name, path, method, operation } of operations) {
      const statuses = Object.keys(operation.responses)
      expect(
        statuses.some((status) => /^2\d\d$/.test(status)),
        name,
      ).toBe(true)
      const needsKey = operation.security === undefined
      if (needsKey) expect(statuses, name).toEqual(expect.arrayContaining(['400', '401', '403', '429', '503']))
      if (method !== 'get') expect(statuses, name).toEqual(expect.arrayContaining(['413', '415']))
      if (path.includes('{')) expect(statuses, name).toContain('404')
      for (const [status, response] of Object.entries<Node>(operation.responses)) {
        expect(response.description, `${name} ${status}`).toMatch(/^(?!Default Response).{5,}/)
        const types = Object.keys(response.content ?? {})
        if (status === '204') expect(types).toEqual([])
        // Some answers have two forms, and the caller chooses.
        else if (status < '400') expect([1, 2], `${name} ${status}`).toContain(types.length)
        else
          expect(response.content).toEqual({ 'application/json': { schema: { $ref: '#/components/schemas/Error' } } })
      }
    }
  })

  test('takes JSON bodies only, and only where there can be one', () => {
    for (const { name, path, method, operation } of operations) {
      if (method === 'get' || method === 'delete') expect(operation.requestBody, name).toBeUndefined()
      // What is done to a thing, such as {webhookId}/test, may need no more words.
      else if (operation.requestBody || !/\}\/[a-z-]+(?:\/test)?$/.test(path))
        expect(operation.requestBody, name).toMatchObject({ content: { 'application/json': { schema: {} } } })
    }
  })

  test('asks for a key everywhere but at the probes, and where people get in', () => {
    const schemes = Object.keys(document.components.securitySchemes)
    const named = operations.filter(({ operation }) => operation.security !== undefined)
    expect(Object.fromEntries(named.map(({ name, operation }) => [name, operation.security]))).toEqual({
      'get /healthz': [],
      'get /readyz': [],
      'get /metrics': [{}, { adminKey: [] }],
      'get /v1/session': [],
      'post /v1/session': [],
      'delete /v1/session': [],
      'post /v1/setup': [],
      'post /v1/password': [],
      'post /v1/invitations/lookup': [],
      'post /v1/invitations/accept': [],
    })
    expect(schemes).toEqual(['adminKey'])
  })

  test('bounds no number by what JavaScript can hold, which the reference would show as an example', () => {
    expect(JSON.stringify(document)).not.toContain(String(Number.MAX_SAFE_INTEGER))
  })

  test('has schemas in the vocabulary of JSON Schema 2020-12, which can hold', () => {
    const types = ['string', 'integer', 'number', 'boolean', 'null', 'array', 'object']
    const keywords = [
      ...['$ref', 'type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', 'not', 'items', 'properties', 'required'],
      ...['additionalProperties', 'propertyNames', 'minLength', 'maxLength', 'pattern', 'format', 'minimum', 'maximum'],
      ...['minItems', 'maxItems', 'default', 'description', 'examples', 'title'],
    ]
    let seen = 0
    for (const [place, schema] of schemas()) {
      seen++
      expect(
        Object.keys(schema).filter((key) => !keywords.includes(key)),
        place,
      ).toEqual([])
      for (const type of [schema.type ?? []].flat()) expect(types, place).toContain(type)
      if ('pattern' in schema) expect(() => new RegExp(schema.pattern, 'u'), place).not.toThrow()
      for (const name of schema.required ?? []) expect(schema.properties, place).toHaveProperty(name)
      if ('enum' in schema) expect(new Set(schema.enum).size, place).toBe(schema.enum.length)
      if (schema.type === 'array') expect(schema.items, place).toBeTypeOf('object')
    }
    expect(seen).toBeGreaterThan(100)
  })

  test('tells nothing of what is only inside', () => {
    expect(JSON.stringify(document)).not.toMatch(/organizationId|hash|sealed|localOnly/)
  })
})

describe('answers', () => {
  test.each(['/v1/projects', '/v1/keys', '/nothing', '/healthz', '/metrics', '/openapi.json'])(
    'of %s are nothing a browser would run, frame or guess about',
    async (url) => {
      for (const key of [null, undefined]) {
        const { headers } = await it.call('GET', url, key === null ? { key } : {})
        expect(headers).toMatchObject({
          'content-security-policy': "default-src 'none';frame-ancestors 'none'",
          'x-content-type-options': 'nosniff',
          'x-frame-options': expect.any(String),
          'referrer-policy': 'no-referrer',
          'cross-origin-opener-policy': 'same-origin',
          'cross-origin-resource-policy': 'same-origin',
        })
        // What tells an attacker the version, or lets another origin read along.
        for (const name of ['x-powered-by', 'server', 'access-control-allow-origin', 'set-cookie']) {
          expect(headers).not.toHaveProperty(name)
        }
      }
    },
  )
})

describe('/reference', () => {
  test('is a page without inline scripts, and its policy allows none', async () => {
    const { status, headers, text } = await it.call('GET', '/reference', { key: null })
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    const scripts = [...text.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/gi)]
    expect(scripts.length).toBeGreaterThan(0)
    for (const [, attributes, content] of scripts) {
      expect(attributes).toMatch(/^ src="\/reference\/[\w.]+"$/)
      expect(content).toBe('')
    }
    expect(text).not.toMatch(/\son\w+\s*=|javascript:|https?:\/\//i)
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy.replace("style-src 'self' 'unsafe-inline'", '')).not.toMatch(/unsafe|\*|https?:/)
  })

  test('brings its scripts along, compressed for those who take it', async () => {
    const page = await it.call('GET', '/reference', { key: null })
    for (const [, src] of page.text.matchAll(/src="([^"]+)"/g)) {
      const script = await it.call('GET', src!, { key: null })
      expect(script.status).toBe(200)
      expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8')
      expect(script.text.length).toBeGreaterThan(100)
    }
    const plain = await it.app.inject({ url: '/reference/scalar.js' })
    const packed = await it.app.inject({ url: '/reference/scalar.js', headers: { 'accept-encoding': 'gzip, br' } })
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    expect(gunzipSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true)
  })

  test('reads the document that this server has', async () => {
    const { text } = await it.call('GET', '/reference/start.js', { key: null })
    expect(text).toContain(`url: '/openapi.json'`)
    expect(text).not.toMatch(/https?:\/\//)
  })
})
