import { expect, test } from 'vitest'
import { memoryTree } from '#tests/harness/memory-tree.ts'
import { collectRenderInput } from '../render/collect-input.ts'
import { indexPage } from '../render/render-page.ts'
import { readSiteModel } from '../site/site-model.ts'
import { outlineSpec } from './outline-spec.ts'

const spec = {
  openapi: '3.1.0',
  paths: {
    '/pets/{id}': { get: { summary: 'Get a pet' }, delete: { summary: 'Secret', 'x-hidden': true } },
    '/gone': { get: { 'x-excluded': true } },
  },
  webhooks: { sold: { post: { summary: 'A pet was sold' } } },
  components: { schemas: { Pet: { description: 'An animal.' } } },
}
const page = (line: string) => `---\n${line}\n---\n`
const files = {
  'docs.json': JSON.stringify({ name: 'A', navigation: { groups: [{ group: 'API', openapi: 'store.json' }] } }),
  'store.json': JSON.stringify(spec),
  'chat.yaml': 'asyncapi: 3.0.0\nchannels: {room: {title: The room}}\n',
}

async function titleOf(line: string): Promise<string | null> {
  const tree = memoryTree({ ...files, 'a.mdx': page(line) })
  const model = await readSiteModel(tree, { outline: async (one) => outlineSpec(one) })
  const { fields } = await indexPage(await collectRenderInput(tree, { page: { kind: 'file', path: 'a.mdx' }, model }))
  return fields.title
}

test.each([
  ['openapi: GET /pets/{id}', 'Get a pet'],
  ['openapi: "get /pets/{name}/"', 'Get a pet'],
  ["openapi: 'store.json GET /pets/{id}'", 'Get a pet'],
  ['openapi: /store DELETE /pets/{id}', 'Secret'],
  ['openapi: webhook sold', 'A pet was sold'],
  ['openapi: GET /gone', null],
  ['openapi: https://a.example/store.json GET /pets/{id}', null],
  ['openapi-schema: Pet', 'Pet'],
  ['openapi-schema: store.json Pet', 'Pet'],
  ['openapi-schema: Cat', null],
  ['asyncapi: chat.yaml room', 'The room'],
  ['asyncapi: "/chat.yaml channel room"', 'The room'],
])('a page with `%s` is about %j', async (line, title) => {
  expect(await titleOf(line)).toBe(title)
})

test('hidden operations have a page outside the navigation, excluded ones and schemas have none', async () => {
  const model = await readSiteModel(memoryTree(files), { outline: async (one) => outlineSpec(one) })
  expect(model.order).toEqual(['/api-reference/get-a-pet', '/api-reference/a-pet-was-sold'])
  expect([...model.pages.keys()].toSorted()).toEqual([
    '/api-reference/a-pet-was-sold',
    '/api-reference/get-a-pet',
    '/api-reference/secret',
  ])
})
