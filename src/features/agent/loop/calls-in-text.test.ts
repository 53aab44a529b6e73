import { expect, test } from 'vitest'
import { callsInText, withoutThoughts } from './calls-in-text.ts'

const any = { isTool: (name: string) => ['read', 'write'].includes(name), isMarked: false }

test.each([
  ['Look:\n```json\n{"name": "read", "arguments": {"path": "a"}}\n```\n', 'Look:'],
  ['<tool_call>\n{"name": "read", "arguments": {"path": "a"}}\n</tool_call>', ''],
  ['<tool_call>{"name": "read", "parameters": {"path": "a"}}', ''],
  ['<function=read>{"path": "a"}</function>', ''],
  ['<function=read>\n<parameter=path>\na\n</parameter>\n</function>', ''],
  ['[TOOL_CALLS] [{"name": "read", "arguments": {"path": "a"}}]', ''],
  ['{"tool": "read", "args": {"path": "a"}}', ''],
])('a call written as text is found: %s', (text, words) => {
  expect(callsInText(text, any)).toEqual({ calls: [{ name: 'read', input: { path: 'a' } }], words })
})

test('several calls keep their order', () => {
  const call = (name: string) => `<tool_call>{"name": "${name}", "arguments": {}}</tool_call>`
  const { calls } = callsInText(`${call('write')}${call('read')}`, any)
  expect(calls.map(({ name }) => name)).toEqual(['write', 'read'])
})

test.each([
  'Use ```json\n{"name": "deploy", "arguments": {}}\n``` for that.',
  '```json\n{"name": "read"}\n```',
  '```json\n{"path": "a"}\n```',
  '```bash\nread a\n```',
  'The page says ```json\n{"name": "read", "arguments": {}}\n``` and I leave that.',
  'The field "name" is read, with "arguments" after it.',
  '<tool_call>{"name": "read", "arguments": {"path": "a',
])('what is no call of ours stays text: %s', (text) => {
  expect(callsInText(text, any)).toEqual({ calls: [], words: text })
})

test('what a model thought aloud is left out, also where its beginning is missing', () => {
  expect(withoutThoughts('<think>\nHm.\n</think>\n\nDone.')).toBe('Done.')
  expect(withoutThoughts('Hm.\n</think>Done.')).toBe('Done.')
})

test('a model that calls as it should is not taken by what it quotes, but by its own marks', () => {
  const call = '{"name": "read", "arguments": {}}'
  const marked = { ...any, isMarked: true }
  for (const text of [call, `It says:\n\`\`\`json\n${call}\n\`\`\``])
    expect(callsInText(text, marked).calls).toEqual([])
  expect(callsInText(`<tool_call>${call}</tool_call>`, marked).calls).toHaveLength(1)
})
