import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateText, type ModelMessage } from 'ai'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startOpenAiServer } from '#tests/harness/models/openai-server.ts'
import { createModels, type ModelSettings } from './models.ts'
import { recordModel } from './record-model.ts'
import { createReplayModel } from './replay-model.ts'

const key = 'key-that-must-not-leak-0123456789'
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-record-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true })
})

const first: ModelMessage[] = [{ role: 'user', content: 'Hello' }]
const second: ModelMessage[] = [...first, { role: 'assistant', content: 'Hi.' }, { role: 'user', content: 'And now?' }]

async function record(): Promise<string> {
  await using server = await startOpenAiServer([{ text: 'Hi.' }, { text: 'Now this.', reasoning: 'Hm.' }])
  const settings = { modelBaseUrl: server.url, modelApiKey: key } as ModelSettings
  const model = await recordModel(await createModels(settings)('openai-compatible/x'), { folder, name: 'job_1' })
  await generateText({ model, instructions: 'Be brief.', messages: first, maxRetries: 0 })
  await generateText({ model, instructions: 'Be brief.', messages: second, maxRetries: 0 })
  expect(await readdir(folder)).toEqual(['job_1.jsonl'])
  return await readFile(join(folder, 'job_1.jsonl'), 'utf8')
}

test('a recording has one line for each exchange, says nothing twice, and holds no key, header or address', async () => {
  const recording = await record()
  const lines = recording.trim().split('\n')
  expect(lines).toHaveLength(2)
  expect(recording.split('Hello')).toHaveLength(2)
  expect(recording).not.toContain(key)
  expect(recording).not.toMatch(/authorization|user-agent|127\.0\.0\.1/i)
})

test('a replay answers the same requests in the same way', async () => {
  const model = createReplayModel(await record())
  const ask = { model, instructions: 'Be brief.', maxRetries: 0 }
  expect((await generateText({ ...ask, messages: first })).text).toBe('Hi.')
  const again = await generateText({ ...ask, messages: second })
  expect(again).toMatchObject({
    text: 'Now this.',
    reasoningText: 'Hm.',
    usage: { inputTokens: 100, outputTokens: 10 },
  })
})

test.each([
  [
    'another system prompt',
    { instructions: 'Be long.' },
    /messages\[0\]\.content, character 3: recorded "Be brief\.", now "Be long\."/,
  ],
  [
    'another message',
    { messages: [{ role: 'user', content: 'Hallo' }] as ModelMessage[] },
    /messages\[1\].*recorded "Hello", now "Hallo"/,
  ],
  ['one message more', { messages: second }, /messages\[2\]: recorded nothing, now/],
  [
    'another tool',
    { tools: { x: { inputSchema: (await import('ai')).jsonSchema({ type: 'object' }) } } },
    /tools\[0\]/,
  ],
])(
  'a replay that is asked something else says where it differs and how to record again: %s',
  async (_what, change, expected) => {
    const model = createReplayModel(await record())
    const asked = generateText({ model, instructions: 'Be brief.', messages: first, maxRetries: 0, ...change })
    await expect(asked).rejects.toThrow(expected)
    await expect(asked).rejects.toThrow(/DOCENT_RECORD/)
  },
)

test('a replay that is asked more often than was recorded says so', async () => {
  const model = createReplayModel('')
  await expect(generateText({ model, messages: first, maxRetries: 0 })).rejects.toThrow(/ends after 0 requests/)
})
