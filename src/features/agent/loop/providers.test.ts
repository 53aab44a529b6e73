import { describe, expect, test } from 'vitest'
import { createModels, type ModelSettings } from '#backends/models/models.ts'
import { systemClock } from '#base/clock.ts'
import { createLog } from '#base/log.ts'
import { changesOf } from '#tests/harness/memory-tree.ts'
import { startAnthropicServer } from '#tests/harness/models/anthropic-server.ts'
import { startGoogleServer } from '#tests/harness/models/google-server.ts'
import { startOpenAiResponsesServer } from '#tests/harness/models/openai-responses-server.ts'
import { startOpenAiServer } from '#tests/harness/models/openai-server.ts'
import type { ModelServer, Reply } from '#tests/harness/models/scripted-server.ts'
import { createTestRun, pageCache } from '#tests/harness/models/test-run.ts'
import { createLoopAgent } from './run-loop.ts'

const log = createLog({ level: 'silent', format: 'json', destination: { write() {} } })

const script: Reply[] = [
  {
    reasoning: 'First I look.',
    text: 'Looking.',
    calls: [
      { name: 'read', input: { path: 'index.mdx' } },
      { name: 'read', input: { path: 'no-such-page' } },
    ],
  },
  {
    reasoning: 'Now I edit.',
    calls: [{ name: 'edit', input: { path: 'index.mdx', oldText: 'Acme', newText: 'Apex' } }],
  },
  { calls: [{ name: 'finish', input: { title: 'Rename Acme', summary: 'Renamed it.' } }] },
]

async function work(model: string, server: ModelServer, settings: Partial<ModelSettings>) {
  const openModel = createModels(settings as ModelSettings)
  const run = createTestRun({ model })
  const outcome = await createLoopAgent({ openModel, clock: systemClock, log, pageCache })(run)
  expect(outcome).toEqual({ title: 'Rename Acme', summary: 'Renamed it.' })
  expect(changesOf(run.tree)['index.mdx']).toContain('Welcome to Apex.')
  expect(run.saved).toHaveLength(3)
  return server.requests.map(({ body }) => body)
}

describe('a job runs over the wire of', () => {
  test('Anthropic, which is told what to cache, gets signed thoughts back and knows errors as such', async () => {
    await using server = await startAnthropicServer(script)
    const bodies = await work('anthropic/claude-sonnet-4-5', server, {
      anthropicBaseUrl: server.url,
      anthropicApiKey: 'k',
    })
    const mark = { type: 'ephemeral' }
    expect(bodies[0].system).toEqual([expect.objectContaining({ cache_control: mark })])
    const marked = (body: { messages: { content: object[] }[] }) =>
      body.messages.flatMap(({ content }, index) => (JSON.stringify(content).includes('cache_control') ? [index] : []))
    expect(bodies.map(marked)).toEqual([[0], [0, 2], [0, 4]])
    const results = bodies[1].messages[2].content
    expect(results.map((result: { is_error?: boolean }) => result.is_error ?? false)).toEqual([false, true])
    expect(bodies[1].messages[1].content[0]).toMatchObject({
      type: 'thinking',
      thinking: 'First I look.',
      signature: 'signed',
    })
    expect(bodies[0].max_tokens).toBe(32_000)
  })

  test('OpenAI’s Responses API, which keeps nothing and gets its sealed thoughts back', async () => {
    await using server = await startOpenAiResponsesServer(script)
    const bodies = await work('openai/gpt-5', server, { openaiBaseUrl: server.url, openaiApiKey: 'k' })
    expect(bodies.map(({ store }) => store)).toEqual([false, false, false])
    expect(bodies[0].include).toContain('reasoning.encrypted_content')
    const kinds = bodies[1].input.map(({ type, role }: { type?: string; role?: string }) => type ?? role)
    expect(kinds).toEqual([
      'developer',
      'user',
      'reasoning',
      'assistant',
      'function_call',
      'function_call',
      'function_call_output',
      'function_call_output',
    ])
    expect(JSON.stringify(bodies[1].input)).not.toContain('item_reference')
  })

  test('Google, which gets its thoughts’ signatures back', async () => {
    await using server = await startGoogleServer(script)
    const bodies = await work('google/gemini-2.5-pro', server, { googleBaseUrl: server.url, googleApiKey: 'k' })
    const parts = bodies[1].contents.flatMap(({ parts }: { parts: object[] }) => parts)
    expect(parts.filter((part: object) => 'functionCall' in part && 'thoughtSignature' in part)).toHaveLength(2)
    expect(parts.filter((part: object) => 'functionResponse' in part)).toHaveLength(2)
  })

  test('any server that is compatible with OpenAI', async () => {
    await using server = await startOpenAiServer(script)
    const bodies = await work('openai-compatible/llama', server, { modelBaseUrl: server.url })
    const roles = bodies[1].messages.map(({ role }: { role: string }) => role)
    expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'tool'])
    expect(bodies[1].messages[2]).toMatchObject({ content: 'Looking.', reasoning_content: 'First I look.' })
  })
})
