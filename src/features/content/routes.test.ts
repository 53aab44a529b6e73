import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

test('the starter of a new project has no problems', async () => {
  const { body: project } = await app.call('POST', '/v1/projects', { body: { name: 'Docs' } })
  const { status, body } = await app.call('GET', `/v1/projects/${project.id}/check`)
  expect(status).toBe(200)
  expect(body).toEqual({
    commit: expect.stringMatching(/^[0-9a-f]{40}$/),
    ref: 'main',
    problems: [],
    pages: 3,
    links: expect.any(Number),
  })
})

test('a project of another organization is not found', async () => {
  const { body: project } = await app.call('POST', '/v1/projects', { body: { name: 'Docs' } })
  const other = await app.createOrganization('Other')
  expect(await app.call('GET', `/v1/projects/${project.id}/check`, { key: other.key })).toMatchObject({ status: 404 })
})

test('a branch that is not there is said', async () => {
  const { body: project } = await app.call('POST', '/v1/projects', { body: { name: 'Docs' } })
  const changed = await app.call('PATCH', `/v1/projects/${project.id}`, { body: { source: { ref: 'gone' } } })
  expect(changed).toMatchObject({ status: 200, body: { source: { ref: 'gone' } } })
  const { status, body } = await app.call('GET', `/v1/projects/${project.id}/check`)
  expect({ status, body }).toMatchObject({ status: 404, body: { code: 'check.branch_not_found' } })
})
