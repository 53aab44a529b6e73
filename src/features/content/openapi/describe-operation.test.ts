import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { renderInput } from '#tests/harness/render-input.ts'
import { fillTemplate } from '../render/fill-template.ts'
import { indexPage, renderPage } from '../render/render-page.ts'

type Target = { method?: string; path?: string; source?: string; languages?: string[]; form?: 'json' | 'yaml' }

/** A page about one operation, as agents read it. */
async function show(
  spec: unknown,
  { method = 'GET', path = '/x', source = '', languages = ['curl'], form = 'json' }: Target = {},
) {
  const text = form === 'json' ? JSON.stringify(spec) : stringify(spec)
  const input = renderInput(source, {
    operation: spec === null ? null : { spec: { id: text, path: 'api/spec.json', text }, method, path },
    exampleLanguages: languages,
  })
  const [page, index] = [await renderPage(input), await indexPage(input)]
  const fill = { link: (url: string) => url, code: () => '' }
  return {
    ...index,
    markdown: fillTemplate(page.markdown, fill, 'markdown'),
    html: fillTemplate(page.html, fill, 'html'),
  }
}

const operation = (get: object, rest: object = {}) => ({ openapi: '3.1.0', paths: { '/x': { get } }, ...rest })
const body = (schema: unknown, rest: object = {}) =>
  operation({ requestBody: { content: { 'application/json': { schema } } } }, rest)

test('title, description and endpoint come from the operation', async () => {
  const page = await show(
    operation(
      {
        summary: 'List pets',
        description: 'All *pets*\nthere are.\n\n## More\n\nOf them <b>all</b>.',
        deprecated: true,
      },
      { servers: [{ url: 'https://api.example.com/v1/' }] },
    ),
  )
  expect(page.fields).toMatchObject({ title: 'List pets', description: 'All *pets* there are.', isDeprecated: true })
  expect(page.headings.map(({ title }) => title)).toEqual(['More'])
  expect(page.markdown).toContain('**GET** `https://api.example.com/v1/x`')
  expect(page.markdown).not.toContain('All *pets*')
  expect(page.markdown).toContain('This operation is deprecated.')
  expect(page.warnings).toEqual([])
})

test.each<[string, unknown, string]>([
  ['type and format', { type: 'string', format: 'date' }, '**`a`** (`string<date>`)'],
  ['null as a type', { type: ['string', 'null'] }, '(`string | null`)'],
  ['nullable', { type: 'integer', nullable: true }, '(`integer | null`)'],
  ['anyOf with null', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, '(`integer | null`)'],
  ['lists', { type: 'array', items: { type: 'array', items: { type: 'number' } } }, '(`number[][]`)'],
  ['maps', { type: 'object', additionalProperties: { type: 'string' } }, '(`map<string, string>`)'],
  ['options', { enum: ['red', 'green'] }, 'Available options: `red`, `green`'],
  ['options of items', { type: 'array', items: { enum: ['red'] } }, 'Available options: `red`'],
  ['constants', { const: 'red' }, '(`"red"`)'],
  ['defaults', { type: 'boolean', default: false }, 'default `false`'],
  ['lists as defaults', { type: 'array', items: {}, default: ['a', 1] }, 'default `["a", 1]`'],
  ['ranges', { type: 'integer', minimum: 1, exclusiveMaximum: 9 }, 'Required range: `1 <= x < 9`'],
  ['one end of a range', { type: 'integer', exclusiveMinimum: true, minimum: 3 }, 'Required range: `x > 3`'],
  [
    'lengths',
    { type: 'string', minLength: 2, maxLength: 5, pattern: '^a+$' },
    'Required length: `2 - 5` · Pattern: `^a+$`',
  ],
  ['examples', { type: 'string', examples: ['Rex'] }, 'Example: `"Rex"`'],
  ['deprecation', { type: 'string', deprecated: true }, '(`string`, deprecated)'],
  ['labels', { type: 'string', writeOnly: true, 'x-mint': { post: ['unique'] } }, '(`string`, write-only, unique)'],
  ['files', { type: 'string', format: 'binary' }, '(`file`)'],
  ['references', { $ref: '#/components/schemas/Name', description: 'Closer.' }, '(`string`): Closer.'],
  ['other files', { $ref: 'other.json#/Name' }, '`other.json#/Name` is not shown: it is not in this specification.'],
  ['nothing', {}, '**`a`** (`any`)'],
  ['nonsense', 7, '**`a`** (`any`)'],
])('a field shows %s', async (_, schema, expected) => {
  const components = { schemas: { Name: { type: 'string', description: 'A name.' } } }
  const { markdown } = await show(body({ type: 'object', properties: { a: schema } }, { components }))
  expect(markdown).toContain(expected)
})

test('fields nest, allOf is put together, and what goes round in a circle ends', async () => {
  const components = {
    schemas: {
      Node: {
        allOf: [
          { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
          { properties: { children: { type: 'array', items: { $ref: '#/components/schemas/Node' } } } },
        ],
      },
    },
  }
  const { markdown } = await show(
    body({ type: 'object', properties: { root: { $ref: '#/components/schemas/Node' } } }, { components }),
  )
  expect(markdown).toContain('- **`root`** (`object`)\n')
  expect(markdown).toContain('  - **`id`** (`string`, required)')
  expect(markdown).toContain('  - **`children`** (`object[]`): Has the fields of Node again.')
})

test('alternatives are tabs, and say what tells them apart', async () => {
  const pet = (name: string) => ({ type: 'object', properties: { kind: { const: name }, [`${name}Name`]: {} } })
  const { markdown, html } = await show(
    body(
      {
        oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
        discriminator: { propertyName: 'kind' },
      },
      { components: { schemas: { Cat: pet('cat'), Dog: pet('dog') } } },
    ),
  )
  expect(markdown).toMatch(
    /One of these\. `kind` says which\.\n\n\*\*Cat\*\*\n\n- [\s\S]*catName[\s\S]*\*\*Dog\*\*\n\n- [\s\S]*dogName/,
  )
  expect(html).toContain('data-title="Dog"')
})

test('what is only read is not sent, and what is only sent does not come back', async () => {
  const schema = { properties: { id: { type: 'string', readOnly: true }, secret: { type: 'string', writeOnly: true } } }
  const content = { 'application/json': { schema } }
  const { markdown } = await show(operation({ requestBody: { content }, responses: { 200: { content } } }))
  const [request = '', response = ''] = markdown.split('## Response')
  expect(request).toContain('`secret`')
  expect(request).not.toContain('`id`')
  expect(response).toContain('`id`')
  expect(response).not.toContain('**`secret`**')
})

test('parameters stand under where they are sent, those of the path included', async () => {
  const spec = {
    openapi: '3.0.0',
    paths: {
      '/x/{id}': {
        parameters: [{ $ref: '#/components/parameters/id' }, { in: 'query', name: 'q', description: 'Of the path.' }],
        get: {
          parameters: [
            {
              in: 'query',
              name: 'q',
              required: true,
              description: 'Of the operation.',
              schema: { type: 'string' },
              example: 'a b',
            },
            { in: 'header', name: 'X-Trace', schema: { type: 'string' } },
            { in: 'cookie', name: 'session', schema: { type: 'string' } },
          ],
        },
      },
    },
    components: { parameters: { id: { in: 'path', name: 'id', schema: { type: 'integer' } } } },
  }
  const { headings, markdown } = await show(spec, { path: '/x/{id}' })
  expect(headings.map(({ title }) => title)).toEqual(['Path parameters', 'Query parameters', 'Headers', 'Cookies'])
  expect(markdown).toContain('- **`id`** (`integer`, in path, required)')
  expect(markdown).toContain('- **`q`** (`string`, in query, required): Of the operation.')
  expect(markdown).not.toContain('Of the path.')
  expect(markdown).toContain("--url 'https://api.example.com/x/{id}?q=a%20b'")
})

test.each([
  ['bearer', { type: 'http', scheme: 'bearer' }, 'in header, required', "'Authorization: Bearer <token>'"],
  ['basic', { type: 'http', scheme: 'basic' }, '`username:password` in Base64', "'Authorization: Basic <credentials>'"],
  ['a key', { type: 'apiKey', in: 'header', name: 'X-Key' }, '**`X-Key`**', "'X-Key: <api-key>'"],
  ['a key in the address', { type: 'apiKey', in: 'query', name: 'key' }, 'in query', '?key=<api-key>'],
  [
    'OAuth',
    {
      type: 'oauth2',
      flows: { clientCredentials: { tokenUrl: 'https://a.example/token', scopes: { read: 'Reads' } } },
    },
    'Scopes: `read` (Reads)',
    "'Authorization: Bearer <token>'",
  ],
])('authorization by %s is described and part of the example', async (_, scheme, words, example) => {
  const { markdown } = await show(
    operation({ security: [{ it: ['read'] }] }, { components: { securitySchemes: { it: scheme } } }),
  )
  expect(markdown).toContain('## Authorization')
  expect(markdown).toContain(words)
  expect(markdown).toContain(example)
})

test('errors that look the same are shown once', async () => {
  const error = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } }
  const statuses = ['400', '401', '404', '500']
  const responses = {
    200: { description: 'Fine.' },
    ...Object.fromEntries(statuses.map((status) => [status, { description: `Status ${status}.`, ...error }])),
  }
  const components = { schemas: { Error: { properties: { reason: { type: 'string' } } } } }
  const { markdown } = await show(operation({ responses }, { components }))
  expect(markdown.match(/\*\*`reason`\*\*/g)).toHaveLength(1)
  expect(markdown).toContain('**400 – 500**')
  for (const status of statuses) expect(markdown).toContain(`\`${status}\` Status ${status}.`)
  expect(markdown.match(/```json/g)).toHaveLength(1)
})

test('examples of responses are those given, else made from the schema', async () => {
  const { markdown } = await show(
    operation({
      responses: {
        200: {
          content: {
            'application/json': { examples: { one: { value: { a: 1 } }, two: { summary: 'Second', value: 2 } } },
          },
        },
        201: {
          content: { 'application/json': { schema: { properties: { at: { type: 'string', format: 'date' } } } } },
        },
        202: { content: { 'text/plain': { example: 'words' } } },
      },
    }),
  )
  expect(markdown).toContain('```json 200 one\n{\n  "a": 1\n}\n```')
  expect(markdown).toContain('```json 200 Second\n2\n```')
  expect(markdown).toContain('```json 201\n{\n  "at": "2026-01-31"\n}\n```')
  expect(markdown).toContain('```text 202\nwords\n```')
})

test('samples of the specification stand in place of those made', async () => {
  const samples = [
    { lang: 'Shell', label: 'The tool', source: 'acme list' },
    { lang: 'elixir', source: 'Acme.list()' },
  ]
  const { markdown } = await show(operation({ 'x-codeSamples': samples }), { languages: ['curl', 'go'] })
  expect(markdown).toContain('```bash The tool\nacme list\n```')
  expect(markdown).toContain('```elixir elixir\nAcme.list()\n```')
  expect(markdown).toContain('```go Go\n')
  expect(markdown).not.toContain('curl --request')
})

test('servers with variables are addressed by their usual values, and listed', async () => {
  const servers = [
    { url: 'https://{region}.example.com', variables: { region: { default: 'eu', enum: ['eu', 'us'] } } },
    { url: 'https://test.example.com', description: 'For trying.' },
  ]
  const { markdown } = await show(operation({}, { servers }))
  expect(markdown).toContain('**GET** `https://eu.example.com/x`')
  expect(markdown).toContain('Available options: `eu`, `us`')
  expect(markdown).toContain('`https://test.example.com` For trying.')
})

test('version 2.0 reads like the later ones', async () => {
  const spec = {
    swagger: '2.0',
    host: 'api.example.com',
    basePath: '/v1',
    schemes: ['http', 'https'],
    securityDefinitions: { it: { type: 'basic' } },
    security: [{ it: [] }],
    definitions: { Pet: { properties: { name: { type: 'string' } } } },
    paths: {
      '/x': {
        post: {
          parameters: [
            { in: 'query', name: 'dry', type: 'boolean', description: 'Only tries.' },
            { in: 'body', name: 'pet', schema: { $ref: '#/definitions/Pet' }, required: true },
          ],
          responses: { 200: { description: 'It.', schema: { $ref: '#/definitions/Pet' } } },
        },
        put: {
          consumes: ['multipart/form-data'],
          parameters: [{ in: 'formData', name: 'photo', type: 'file', required: true }],
        },
      },
    },
  }
  const post = await show(spec, { method: 'POST', form: 'yaml' })
  expect(post.headings.map(({ title }) => title)).toEqual(['Authorization', 'Query parameters', 'Body', 'Response'])
  expect(post.markdown).toContain('**POST** `https://api.example.com/v1/x`')
  expect(post.markdown).toContain('- **`dry`** (`boolean`, in query): Only tries.')
  expect(post.markdown).toContain('"name": "<string>"')
  const put = await show(spec, { method: 'PUT' })
  expect(put.markdown).toContain('- **`photo`** (`file`, required)')
  expect(put.markdown).toContain("--form 'photo=@example-file'")
})

test('a webhook shows what is sent, and no request to copy', async () => {
  const spec = {
    openapi: '3.1.0',
    webhooks: {
      sold: {
        post: {
          summary: 'Sold',
          requestBody: { content: { 'application/json': { schema: { properties: { id: { example: 7 } } } } } },
        },
      },
    },
  }
  const { markdown, fields } = await show(spec, { method: 'WEBHOOK', path: 'sold' })
  expect(fields.title).toBe('Sold')
  expect(markdown).toContain('**WEBHOOK** `sold`')
  expect(markdown).toContain('## Payload')
  expect(markdown).toContain('```json Payload\n{\n  "id": 7\n}\n```')
  expect(markdown).not.toContain('curl')
})

test.each([
  [
    '3.0.0',
    {
      channels: { room: { address: '/room', messages: { Hi: { $ref: '#/components/messages/Hi' } } } },
      operations: { talk: { action: 'receive', channel: { $ref: '#/channels/room' } } },
    },
  ],
  ['2.6.0', { channels: { room: { publish: { message: { $ref: '#/components/messages/Hi' } } } } }],
])('a channel of AsyncAPI %s shows its messages', async (asyncapi, rest) => {
  const components = { messages: { Hi: { title: 'Greeting', payload: { properties: { text: { type: 'string' } } } } } }
  const { markdown, headings } = await show({ asyncapi, components, ...rest }, { method: 'CHANNEL', path: 'room' })
  expect(headings.map(({ title }) => title)).toEqual(['Send', 'Greeting'])
  expect(markdown).toContain('- **`text`** (`string`)')
  expect(markdown).toContain('```json Greeting\n{\n  "text": "<string>"\n}\n```')
})

test('a schema has a page where one asks for it', async () => {
  const components = {
    schemas: { Pet: { description: 'An animal.', properties: { name: { type: 'string', example: 'Rex' } } } },
  }
  const { markdown, fields } = await show({ openapi: '3.1.0', components }, { method: 'SCHEMA', path: 'Pet' })
  expect(fields).toMatchObject({ title: 'Pet', description: 'An animal.' })
  expect(markdown).toContain('- **`name`** (`string`)')
  expect(markdown).toContain('```json Pet\n{\n  "name": "Rex"\n}\n```')
})

test('what a page says itself comes first, and wins', async () => {
  const source = '---\ntitle: Mine\nopenapi: GET /x\n---\n\nOwn words.\n'
  const { markdown, fields } = await show(
    operation({ summary: 'Theirs', 'x-mint': { content: '<Note>Read *this*.</Note>' } }),
    { source },
  )
  expect(fields.title).toBe('Mine')
  expect(markdown).toMatch(/^Own words\.\n\n\*\*GET\*\* `\/x`\n\n> [\s\S]*Read _this_/)
})

test('names of parameters and a slash at the end make no other operation', async () => {
  const { fields } = await show(
    { openapi: '3.1.0', paths: { '/x/{id}/': { get: { summary: 'Found' } } } },
    { path: '/x/{name}' },
  )
  expect(fields.title).toBe('Found')
})

test('an operation that is not there is a note and a warning', async () => {
  const gone = await show(operation({}), { path: '/gone' })
  expect(gone.warnings).toMatchObject([{ message: 'api/spec.json has no operation GET /gone.' }])
  expect(gone.markdown).toContain('has no operation GET /gone')
  const elsewhere = await show(null, { source: '---\nopenapi: https://a.example/spec.json GET /x\n---\n' })
  expect(elsewhere.warnings).toMatchObject([
    { message: 'No specification of this site has https://a.example/spec.json GET /x.' },
  ])
})

test('a page that describes an operation by itself gets its endpoint and an example', async () => {
  const source = `---
api: "POST https://api.example.com/users/{id}"
---

<ParamField path="id" type="string">Whose.</ParamField>
<ParamField query="dry" type="boolean" required default="true">Only tries.</ParamField>
<ParamField body="age" type="number">How old.</ParamField>
<ParamField header="X-Key" placeholder="abc">The key.</ParamField>
`
  const { markdown } = await show(null, { source })
  expect(markdown).toMatch(/^\*\*POST\*\* `https:\/\/api\.example\.com\/users\/\{id\}`/)
  expect(markdown).toContain("--url 'https://api.example.com/users/{id}?dry=true'")
  expect(markdown).toContain("--header 'X-Key: abc'")
  expect(markdown).toContain('"age": 123')
  const own = await show(null, { source: `${source}\n<RequestExample>\n\`\`\`bash\nown\n\`\`\`\n</RequestExample>\n` })
  expect(own.markdown).not.toContain('curl')
})
