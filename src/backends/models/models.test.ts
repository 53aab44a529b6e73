import { generateText, jsonSchema, type ToolSet, tool } from 'ai'
import { describe, expect, test } from 'vitest'
import { type Config, environmentName } from '#infra/config/settings.ts'
import { startAnthropicServer } from '#tests/harness/models/anthropic-server.ts'
import { startGoogleServer } from '#tests/harness/models/google-server.ts'
import { startOpenAiResponsesServer } from '#tests/harness/models/openai-responses-server.ts'
import { startOpenAiServer } from '#tests/harness/models/openai-server.ts'
import type { ModelServer, Script } from '#tests/harness/models/scripted-server.ts'
import { createModels, type ModelSettings } from './models.ts'

const key = 'key-that-must-not-leak-0123456789'

interface Provider {
  model: string
  start(script: Script): Promise<ModelServer>
  settings(url: string): Partial<Config>
  keyHeader: [string, string]
  path: RegExp
}

const providers: Provider[] = [
  {
    model: 'openai-compatible/some/model:7b',
    start: startOpenAiServer,
    settings: (url) => ({ modelBaseUrl: url, modelApiKey: key }),
    keyHeader: ['authorization', `Bearer ${key}`],
    path: /^\/v1\/chat\/completions$/,
  },
  {
    model: 'openai/gpt-5',
    start: startOpenAiResponsesServer,
    settings: (url) => ({ openaiBaseUrl: url, openaiApiKey: key }),
    keyHeader: ['authorization', `Bearer ${key}`],
    path: /^\/v1\/responses$/,
  },
  {
    model: 'anthropic/claude-sonnet-4-5',
    start: startAnthropicServer,
    settings: (url) => ({ anthropicBaseUrl: url, anthropicApiKey: key }),
    keyHeader: ['x-api-key', key],
    path: /^\/v1\/messages$/,
  },
  {
    model: 'google/gemini-2.5-pro',
    start: startGoogleServer,
    settings: (url) => ({ googleBaseUrl: url, googleApiKey: key }),
    keyHeader: ['x-goog-api-key', key],
    path: /^\/v1beta\/models\/gemini-2\.5-pro:streamGenerateContent\?alt=sse$/,
  },
]

function settingsOf(given: Partial<Config>): ModelSettings {
  return given as ModelSettings
}

const tools: ToolSet = {
  read: tool({
    description: 'Read a file.',
    inputSchema: jsonSchema({ type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }),
  }),
}

describe.each(providers)('$model', ({ model, start, settings, keyHeader, path }) => {
  test('is asked by stream and answers whole: words, calls, why it ended and what it cost', async () => {
    const calls = [
      { name: 'read', input: { path: 'index.mdx' } },
      { name: 'read', input: { path: 'guides/ä.mdx' } },
    ]
    await using server = await start([{ text: 'I look first.', calls, usage: { input: 1234, output: 56 } }])
    const opened = await createModels(settingsOf(settings(server.url)))(model)

    const result = await generateText({
      model: opened,
      instructions: 'Be brief.',
      prompt: 'Hello',
      tools,
      maxRetries: 0,
    })

    expect(result.text).toBe('I look first.')
    expect(result.toolCalls.map(({ toolName, input }) => ({ name: toolName, input }))).toEqual(calls)
    expect(result.finishReason).toBe('tool-calls')
    expect(result.usage).toMatchObject({ inputTokens: 1234, outputTokens: 56 })
    const [request] = server.requests
    expect(request!.url).toMatch(path)
    expect(request!.headers[keyHeader[0]]).toBe(keyHeader[1])
    expect(request!.text).not.toContain(key)
  })

  test('gets back what it thought, as its provider wants it', async () => {
    const replies = [
      { reasoning: 'Hmm, a plan.', calls: [{ name: 'read', input: { path: 'a.mdx' } }] },
      { text: 'Done.' },
    ]
    await using server = await start(replies)
    const opened = await createModels(settingsOf(settings(server.url)))(model)
    const ask = { model: opened, tools, maxRetries: 0, providerOptions: { openai: { store: false } } }
    const first = await generateText({ ...ask, prompt: 'Hello' })

    await generateText({
      ...ask,
      messages: [
        { role: 'user', content: 'Hello' },
        ...first.response.messages,
        {
          role: 'tool',
          content: first.toolCalls.map(({ toolCallId, toolName }) => {
            return { type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: 'the text' } }
          }),
        },
      ],
    })

    const returned = {
      'openai-compatible': '"reasoning_content":"Hmm, a plan."',
      openai: '"encrypted_content":"sealed Hmm, a plan."',
      anthropic: '"signature":"signed"',
      google: '"thoughtSignature":"signed"',
    }[model.split('/')[0]!]!
    expect(server.requests[1]!.text).toContain(returned)
    expect(server.requests[1]!.text).toContain('the text')
  })

  test.each([
    { status: 401, kind: 'forbidden', code: 'model.key_refused' },
    { status: 403, kind: 'forbidden', code: 'model.key_refused' },
    { status: 404, kind: 'not_found', code: 'model.not_found' },
    { status: 429, kind: 'rate_limited', code: 'model.rate_limited', headers: { 'retry-after': '17' }, seconds: 17 },
    {
      status: 429,
      kind: 'rate_limited',
      code: 'model.rate_limited',
      headers: { 'retry-after-ms': '2500' },
      seconds: 3,
    },
    { status: 500, kind: 'unavailable', code: 'model.unavailable' },
    { status: 503, kind: 'unavailable', code: 'model.unavailable', headers: { 'retry-after': '4' }, seconds: 4 },
    { status: 529, kind: 'unavailable', code: 'model.unavailable' },
    {
      status: 400,
      kind: 'too_large',
      code: 'model.context_exceeded',
      message: 'maximum context length is 8192 tokens',
    },
    { status: 413, kind: 'too_large', code: 'model.context_exceeded', message: 'request_too_large: exceeds context' },
    { status: 400, kind: 'invalid', code: 'model.filtered', message: 'blocked by the content filter' },
    { status: 400, kind: 'invalid', code: 'model.refused', message: 'temperature must be 1' },
    { status: 402, kind: 'forbidden', code: 'model.out_of_credit' },
  ])('answers $status ($code) as a $kind error that never quotes the key', async (row) => {
    const message = `${row.message ?? 'went wrong'} (key ${key})`
    const body = { error: { message, type: 'some_error', code: row.status, status: 'FAILED', param: null } }
    await using server = await start([{ status: row.status, body, ...(row.headers ? { headers: row.headers } : {}) }])
    const opened = await createModels(settingsOf(settings(server.url)))(model)

    const error = await generateText({ model: opened, prompt: 'Hello', maxRetries: 0 }).catch((thrown) => thrown)

    expect(error).toMatchObject({ name: 'DocentError', kind: row.kind, code: row.code })
    expect(error.retryAfterSeconds).toBe(row.seconds)
    expect(`${error.stack} ${JSON.stringify(error)} ${error.cause?.stack}`).not.toContain(key)
  })

  test('is unavailable when nothing listens', async () => {
    const gone = await start([])
    await gone[Symbol.asyncDispose]()
    const opened = await createModels(settingsOf(settings(gone.url)))(model)
    const asked = generateText({ model: opened, prompt: 'Hello', maxRetries: 0 })
    await expect(asked).rejects.toMatchObject({ kind: 'unavailable', code: 'model.unavailable' })
  })

  test('stops at once when it is told to', async () => {
    await using server = await start([{ hang: true }])
    const opened = await createModels(settingsOf(settings(server.url)))(model)
    const reason = new Error('archived')
    const signal = AbortSignal.any([AbortSignal.timeout(5000)])
    const controller = new AbortController()
    const asked = generateText({
      model: opened,
      prompt: 'Hello',
      maxRetries: 0,
      abortSignal: AbortSignal.any([signal, controller.signal]),
    })
    setTimeout(() => controller.abort(reason), 50)
    await expect(asked).rejects.toBe(reason)
  })
})

test.each(providers.slice(1))(
  'the base URL of $model may be set without its path, and is not taken from the environment',
  async ({ model, start, settings, path }) => {
    await using server = await start([{ text: 'So.' }])
    process.env.OPENAI_BASE_URL = process.env.ANTHROPIC_BASE_URL = 'http://127.0.0.1:1/elsewhere'
    try {
      const opened = await createModels(settingsOf(settings(new URL('/', server.url).href)))(model)
      await generateText({ model: opened, prompt: 'Hello', maxRetries: 0 })
    } finally {
      delete process.env.OPENAI_BASE_URL
      delete process.env.ANTHROPIC_BASE_URL
    }
    expect(server.requests[0]!.url).toMatch(path)
  },
)

test.each([
  ['anthropic/x', 'anthropicApiKey'],
  ['openai/x', 'openaiApiKey'],
  ['google/x', 'googleApiKey'],
  ['openai-compatible/x', 'modelBaseUrl'],
])('%s without its setting says to set %s', async (model, setting) => {
  const opening = createModels(settingsOf({}))(model)
  await expect(opening).rejects.toMatchObject({
    kind: 'invalid',
    code: 'model.not_configured',
    message: expect.stringContaining(environmentName(setting)),
  })
})

test.each(['builtin/editor', 'nobody/x', 'anthropic/', 'constructor/x', ''])('%j cannot be asked', async (model) => {
  await expect(createModels(settingsOf({}))(model)).rejects.toMatchObject({ kind: 'invalid', code: 'model.unknown' })
})

describe('a server that speaks almost as OpenAI documents', () => {
  test('may answer with one plain object where a stream was asked for', async () => {
    const calls = [{ name: 'read', input: { path: 'a.mdx' } }]
    await using server = await startOpenAiServer([{ plain: true, text: 'So.', calls }])
    const opened = await createModels(settingsOf({ modelBaseUrl: server.url }))('openai-compatible/x')
    const result = await generateText({ model: opened, prompt: 'Hello', tools, maxRetries: 0 })
    expect(result.text).toBe('So.')
    expect(result.toolCalls[0]!.input).toEqual({ path: 'a.mdx' })
    expect(result.usage.inputTokens).toBe(100)
  })

  test('may say nothing of what kind its answer is', async () => {
    const message = { role: 'assistant', content: 'So.' }
    const body = { choices: [{ index: 0, message, finish_reason: 'stop' }] }
    await using server = await startOpenAiServer([{ status: 200, body, headers: { 'content-type': 'text/plain' } }])
    const opened = await createModels(settingsOf({ modelBaseUrl: server.url }))('openai-compatible/x')
    expect((await generateText({ model: opened, prompt: 'Hello', maxRetries: 0 })).text).toBe('So.')
  })

  test('may refuse stream_options, and is asked without', async () => {
    await using server = await startOpenAiServer(({ body }) => {
      if (!body.stream_options) return { text: 'So.' }
      return { status: 422, body: { error: { message: 'Extra inputs are not permitted: stream_options' } } }
    })
    const opened = await createModels(settingsOf({ modelBaseUrl: server.url }))('openai-compatible/x')
    expect((await generateText({ model: opened, prompt: 'Hello', maxRetries: 0 })).text).toBe('So.')
  })

  test('may be set without the /v1 of its address', async () => {
    await using server = await startOpenAiServer(({ url }) => {
      return url === '/v1/chat/completions' ? { text: 'So.' } : { status: 404, body: 'not found' }
    })
    const opened = await createModels(settingsOf({ modelBaseUrl: new URL('/', server.url).href }))(
      'openai-compatible/x',
    )
    expect((await generateText({ model: opened, prompt: 'Hello', maxRetries: 0 })).text).toBe('So.')
  })

  test('may need no key, and gets none', async () => {
    await using server = await startOpenAiServer([{ text: 'So.' }])
    const opened = await createModels(settingsOf({ modelBaseUrl: server.url }))('openai-compatible/x')
    await generateText({ model: opened, prompt: 'Hello', maxRetries: 0 })
    expect(server.requests[0]!.headers.authorization).toBeUndefined()
  })

  test.each([
    ['a page of HTML', { status: 200, body: '<html>Bad gateway</html>', headers: { 'content-type': 'text/html' } }],
    [
      'an error inside of a stream',
      {
        status: 200,
        headers: { 'content-type': 'text/event-stream' },
        body: 'data: {"error":{"message":"Internal error, server is busy"}}\n\n',
      },
    ],
    ['half of an object', { status: 200, body: '{"choices":[{"mess' }],
    ['a connection that breaks off', { breakOff: true as const, text: 'never ends' }],
  ])('is unavailable when it answers with %s', async (_what, reply) => {
    await using server = await startOpenAiServer([reply])
    const opened = await createModels(settingsOf({ modelBaseUrl: server.url }))('openai-compatible/x')
    const asked = generateText({ model: opened, prompt: 'Hello', maxRetries: 0 })
    await expect(asked).rejects.toMatchObject({ kind: 'unavailable' })
  })
})
