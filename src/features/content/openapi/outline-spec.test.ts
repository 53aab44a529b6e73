import { expect, test } from 'vitest'
import { outlineSpec } from './outline-spec.ts'

const outline = (spec: unknown) => outlineSpec({ path: 'a.json', text: JSON.stringify(spec) })
const titles = (spec: unknown) =>
  outline(spec)?.operations.map(({ method, path, title }) => `${method} ${path}: ${title}`)

test('operations and webhooks are listed in the order of the specification', () => {
  const spec = {
    openapi: '3.1.0',
    info: { title: 'Pets' },
    paths: {
      '/pets': { post: { summary: 'Add a pet' }, get: { summary: 'List  pets' }, parameters: [] },
      '/pets/{id}': { get: { operationId: 'getPet' } },
      '/again': { $ref: '#/paths/~1pets' },
    },
    webhooks: { petSold: { post: { summary: 'A pet was sold' } }, petLost: { post: {} } },
  }
  expect(outline(spec)?.title).toBe('Pets')
  expect(titles(spec)).toEqual([
    'GET /pets: List pets',
    'POST /pets: Add a pet',
    'GET /pets/{id}: GET /pets/{id}',
    'GET /again: List pets',
    'POST /again: Add a pet',
    'WEBHOOK petSold: A pet was sold',
    'WEBHOOK petLost: petLost',
  ])
})

test.each([
  ['the first tag', { tags: ['Pets', 'Other'] }, { tag: 'Pets' }],
  ['no tag', { tags: 'Pets' }, { tag: null }],
  ['what a tag is called', { tags: ['raw'] }, { tag: 'raw', groupTitle: 'Well done' }],
  ['a title of its own', { summary: 'A', 'x-mint': { metadata: { title: 'B' } } }, { title: 'B' }],
  ['an address of its own', { 'x-mint': { href: '/there' } }, { href: '/there' }],
  ['that it is hidden', { 'x-hidden': true }, { isHidden: true }],
  ['that it is deprecated', { deprecated: true }, { isDeprecated: true }],
  ['its name', { operationId: 'getX' }, { operationId: 'getX' }],
])('the outline of an operation has %s', (_, operation, expected) => {
  const tags = [{ name: 'raw', 'x-group': 'Well done' }]
  expect(outline({ openapi: '3.0.3', tags, paths: { '/x': { get: operation } } })?.operations[0]).toMatchObject(
    expected,
  )
})

test('what is excluded is no operation', () => {
  const paths = { '/a': { get: { 'x-excluded': true } }, '/b': { get: {} } }
  expect(titles({ swagger: '2.0', paths })).toEqual(['GET /b: GET /b'])
})

test('schemas can be asked for by name, and have no page by themselves', () => {
  const found = outline({ openapi: '3.1.0', components: { schemas: { Pet: {} } } })?.operations
  expect(found).toMatchObject([{ method: 'SCHEMA', path: 'Pet', title: 'Pet', isHidden: true }])
})

test('channels of AsyncAPI are listed, in YAML too', () => {
  const text =
    'asyncapi: 3.0.0\ninfo: {title: Chat}\nchannels:\n  room: {title: A room, tags: [{name: Live}]}\n  other: {}\n'
  const found = outlineSpec({ path: 'a.yaml', text })
  expect(found?.operations.map(({ method, path, title, tag }) => [method, path, title, tag])).toEqual([
    ['CHANNEL', 'room', 'A room', 'Live'],
    ['CHANNEL', 'other', 'other', null],
  ])
})

test.each(['', '{', '[]', 'null', '"openapi"', '{"paths":{}}', '{"openapi":{}}', 'a: b: c', '%YAML 9', '\u0000'])(
  '%j is no specification',
  (text) => {
    expect(outlineSpec({ path: 'a.json', text })).toBeNull()
  },
)

test.each(['\uFEFF{"openapi":"3.1.0"}', 'openapi: 3.1', '{"openapi": "3.0.0",\n}', '# x\nswagger: "2.0"\n'])(
  '%j is a specification without operations',
  (text) => {
    expect(outlineSpec({ path: 'a.json', text })?.operations).toEqual([])
  },
)

test('operations come in the order of the tags that the specification lists, and otherwise as they stand', () => {
  const of = (tag: string) => ({ get: { tags: [tag] } })
  const paths = { '/a': of('Later'), '/b': of('Unlisted'), '/c': of('First'), '/d': of('Later'), '/e': of('First') }
  const tags = [{ name: 'First' }, { name: 'Later' }]
  expect(outline({ openapi: '3.1.0', tags, paths })?.operations.map(({ path }) => path)).toEqual([
    '/c',
    '/e',
    '/a',
    '/d',
    '/b',
  ])
  expect(outline({ openapi: '3.1.0', paths })?.operations.map(({ path }) => path)).toEqual(Object.keys(paths))
})
