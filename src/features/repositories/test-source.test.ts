import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '#tests/harness/free-port.ts'
import { startGiteaServer } from '#tests/harness/hosts/gitea-server.ts'
import type { VendorServer } from '#tests/harness/hosts/vendor-server.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'

let it: TestApp
let vendor: VendorServer
beforeAll(async () => {
  it = await createTestApp()
  vendor = await startGiteaServer()
  await vendor.repository.commitTo('trunk', { 'index.mdx': 'Hello' })
})
beforeEach(() => vendor.recover())
afterAll(async () => {
  await it.close()
  await vendor[Symbol.asyncDispose]()
})

async function trySource(source: object, app = it) {
  const made = await app.call('POST', '/v1/projects', { body: { name: 'Source', source } })
  expect(made.status).toBe(201)
  const { status, body, text } = await app.call('POST', `/v1/projects/${made.body.id}/source/test`)
  expect(status).toBe(200)
  expect(text).not.toContain(vendor.token)
  return body
}

const good = () => ({
  provider: 'gitea',
  repository: vendor.repositoryUrl,
  apiUrl: vendor.apiUrl,
  token: vendor.token,
})

describe('trying a project’s source', () => {
  test('on the built-in host finds its branch', async () => {
    const result = await trySource({ provider: 'builtin' })
    expect(result).toMatchObject({ ok: true, branch: 'main', commit: expect.stringMatching(/^[0-9a-f]{40}$/) })
  })

  test('elsewhere finds the default branch, by its API and by git', async () => {
    const before = vendor.requests.length
    const result = await trySource(good())
    expect(result).toMatchObject({ ok: true, branch: 'trunk', milliseconds: expect.any(Number) })
    expect(result.message).toContain(result.commit.slice(0, 10))
    const asked = vendor.requests.slice(before).map(({ url }) => url)
    expect(asked.some((url) => url.startsWith('/api/'))).toBe(true)
    expect(asked.some((url) => url.includes('info/refs'))).toBe(true)
  })

  test.each<[string, () => object, RegExp]>([
    ['a token that is refused', () => ({ ...good(), token: 'expired' }), /refuses the token/],
    ['a repository that is not there', () => ({ ...good(), repository: `${vendor.origin}/acme/gone` }), /no such repo/],
    ['a branch that is not there', () => ({ ...good(), ref: 'gone' }), /has no branch gone/],
  ])('tells %s in words', async (_, source, words) => {
    const result = await trySource(source())
    expect(result).toMatchObject({ ok: false, branch: null, commit: null })
    expect(result.message).toMatch(words)
  })

  test('tells a host that cannot be reached', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`
    const result = await trySource({ ...good(), repository: `${nobody}/a/b`, apiUrl: `${nobody}/api/v1` })
    expect(result).toMatchObject({ ok: false })
    expect(result.message).toMatch(/cannot be reached|does not answer/)
  })

  test('is for those who may write, in their own organization', async () => {
    const { id } = (await it.call('POST', '/v1/projects', { body: { name: 'Own' } })).body
    const { key } = await it.createOrganization('Others')
    expect((await it.call('POST', `/v1/projects/${id}/source/test`, { key })).status).toBe(404)
    const reader = await it.call('POST', '/v1/keys', { body: { name: 'reader', scopes: ['read'] } })
    expect((await it.call('POST', `/v1/projects/${id}/source/test`, { key: reader.body.key })).status).toBe(403)
  })
})
