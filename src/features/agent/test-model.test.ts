import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '#tests/harness/free-port.ts'
import { startAnthropicServer } from '#tests/harness/models/anthropic-server.ts'
import { startGoogleServer } from '#tests/harness/models/google-server.ts'
import { startOpenAiResponsesServer } from '#tests/harness/models/openai-responses-server.ts'
import { startOpenAiServer } from '#tests/harness/models/openai-server.ts'
import type { ModelServer, Reply } from '#tests/harness/models/scripted-server.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'

const key = 'sk-key-that-must-not-leak-0123456789'

let it: TestApp
let reply: Reply
const servers: Record<string, ModelServer> = {}
let projectId: string
beforeAll(async () => {
  const script = () => reply
  servers.anthropic = await startAnthropicServer(script)
  servers.openai = await startOpenAiResponsesServer(script)
  servers.google = await startGoogleServer(script)
  servers['openai-compatible'] = await startOpenAiServer(script)
  it = await createTestApp({
    settings: {
      anthropicBaseUrl: servers.anthropic.url,
      anthropicApiKey: key,
      openaiBaseUrl: servers.openai.url,
      openaiApiKey: key,
      googleBaseUrl: servers.google.url,
      googleApiKey: key,
      modelBaseUrl: servers['openai-compatible'].url,
      modelApiKey: key,
    },
  })
  projectId = (await it.call('POST', '/v1/projects', { body: { name: 'Model' } })).body.id
})
afterEach(() => expect(it.logged.join('')).not.toContain(key))
afterAll(async () => {
  await it.close()
  for (const server of Object.values(servers)) await server[Symbol.asyncDispose]()
})

async function tryModel(model: string | null, app = it) {
  const changed = await app.call('PATCH', `/v1/projects/${projectId}`, { body: { model } })
  expect(changed.status).toBe(200)
  const { status, body, text } = await app.call('POST', `/v1/projects/${projectId}/model/test`)
  expect(status).toBe(200)
  expect(text).not.toContain(key)
  return body
}

describe('trying a project’s model', () => {
  test('of the built-in editor says that it needs nothing', async () => {
    expect(await tryModel('builtin/editor')).toEqual({
      ok: true,
      model: 'builtin/editor',
      milliseconds: 0,
      message: expect.stringContaining('needs no key'),
    })
  })

  test.each(['anthropic', 'openai', 'google', 'openai-compatible'])('of %s asks it for a word', async (provider) => {
    reply = { text: 'ready' }
    const model = `${provider}/some-model`
    const before = servers[provider]!.requests.length
    const result = await tryModel(model)
    expect(result).toEqual({ ok: true, model, milliseconds: expect.any(Number), message: `${model} answered.` })
    expect(servers[provider]!.requests.length - before).toBe(1)
  })

  test.each<[string, Reply, RegExp]>([
    ['a key that is refused', { status: 401, body: { error: { message: `bad key ${key}` } } }, /refused our key/],
    ['a model that is not there', { status: 404, body: { error: { message: 'no such model' } } }, /There is no .*name/],
    ['no credit', { status: 402, body: { error: { message: 'pay first' } } }, /no credit left/],
    ['a limit', { status: 429, body: { error: { message: 'slow down' } } }, /wants us to wait/],
    ['a server that fails', { status: 500, body: 'oops' }, /does not answer as it should/],
    ['an answer that breaks off', { breakOff: true }, /does not answer as it should/],
  ])('tells %s in words, and asks once', async (_, answer, words) => {
    reply = answer
    const { requests } = servers['openai-compatible']!
    const before = requests.length
    const result = await tryModel('openai-compatible/x')
    expect(result).toMatchObject({ ok: false, model: 'openai-compatible/x' })
    expect(result.message).toMatch(words)
    expect(requests.length - before).toBe(1)
  })

  test('takes an answer without words for an answer', async () => {
    reply = { text: '', finish: 'length' }
    expect(await tryModel('openai-compatible/thinker')).toMatchObject({ ok: true })
  })

  test('tells an address where nobody listens, and a setting that is missing', async () => {
    const app = await createTestApp({ settings: { modelBaseUrl: `http://127.0.0.1:${await freePort()}/v1` } })
    const own = (await app.call('POST', '/v1/projects', { body: { name: 'Away' } })).body.id
    const attempt = async (model: string) => {
      await app.call('PATCH', `/v1/projects/${own}`, { body: { model } })
      return (await app.call('POST', `/v1/projects/${own}/model/test`)).body
    }
    expect(await attempt('openai-compatible/x')).toMatchObject({
      ok: false,
      message: expect.stringContaining('does not answer'),
    })
    const missing = await attempt('anthropic/claude')
    expect(missing).toMatchObject({ ok: false })
    expect(missing.message).toContain('DOCENT_ANTHROPIC_API_KEY')
    await app.close()
  })

  test('is for those who may write, in their own organization', async () => {
    const { key: theirs } = await it.createOrganization('Others')
    expect((await it.call('POST', `/v1/projects/${projectId}/model/test`, { key: theirs })).status).toBe(404)
    const reader = await it.call('POST', '/v1/keys', { body: { name: 'reader', scopes: ['read'] } })
    const refused = await it.call('POST', `/v1/projects/${projectId}/model/test`, { key: reader.body.key })
    expect(refused.status).toBe(403)
  })
})
