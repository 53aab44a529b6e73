import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'

let it: TestApp
beforeAll(async () => {
  it = await createTestApp()
})
afterAll(() => it.close())

test('a project is created with a repository of its own', async () => {
  const { status, body } = await it.call('POST', '/v1/projects', { body: { name: 'My docs' } })
  expect(status).toBe(201)
  expect(body).toMatchObject({ name: 'My docs', slug: 'my-docs', source: { provider: 'builtin', ref: 'main' } })
  const shown = await it.call('GET', `/v1/projects/${body.id}`)
  expect(shown.body).toEqual(body)
})
