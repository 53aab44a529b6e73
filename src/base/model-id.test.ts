import { expect, test } from 'vitest'
import { modelIdFault } from './model-id.ts'

test.each([
  'builtin/editor',
  'anthropic/claude-sonnet-4',
  'openai/gpt-5',
  'google/gemini-2.5-pro',
  'openai-compatible/llama3',
  'openai-compatible/meta-llama/Llama-3.1-8B:free',
])('%s is a model id', (id) => {
  expect(modelIdFault(id)).toBeNull()
})

test.each([
  ['builtin/other', 'the only builtin model is builtin/editor'],
  ['builtin', 'the only builtin model is builtin/editor'],
  ['', 'expected <provider>/<model>'],
  ['gpt-5', 'expected <provider>/<model>'],
  ['openai/', 'expected <provider>/<model>'],
  ['/gpt-5', 'expected <provider>/<model>'],
  ['OpenAI/gpt-5', 'expected <provider>/<model>'],
  ['mistral/large', 'builtin, anthropic, openai, google, openai-compatible'],
  ['openai/gpt 5', 'expected <provider>/<model>'],
  ['openai/gpt-5\n', 'expected <provider>/<model>'],
  ['openai/gpt-é', 'expected <provider>/<model>'],
  [`openai/${'x'.repeat(200)}`, 'expected <provider>/<model>'],
  ['constructor/x', 'expected <provider>/<model>'],
])('%j is none, and the fault says: %s', (id, fault) => {
  expect(modelIdFault(id)).toContain(fault)
})
