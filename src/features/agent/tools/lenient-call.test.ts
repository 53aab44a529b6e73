import { describe, expect, test } from 'vitest'
import { lenientInput, toolNamed } from './lenient-call.ts'
import { parseLooseObject } from './loose-json.ts'
import { inputSchema } from './run-tool.ts'
import { tools } from './tools.ts'

const byName = new Map(tools.map((tool) => [tool.name, tool]))
const inputOf = (name: string, written: object) => lenientInput(name, inputSchema(byName.get(name)!), written)

describe('a tool', () => {
  test.each([
    ['read_file', 'read'],
    ['ReadFile', 'read'],
    ['functions.read', 'read'],
    ['list_files', 'list'],
    ['grep', 'search'],
    ['str_replace', 'edit'],
    ['edit-file', 'edit'],
    ['create_file', 'write'],
    ['replace_all', 'replace'],
    ['rename', 'move'],
    ['remove_file', 'delete'],
    ['fix-broken-links', 'fix_links'],
    ['fixLinks', 'fix_links'],
    ['done', 'finish'],
  ])('called %s is %s', (written, name) => {
    expect(toolNamed(byName, written)?.name).toBe(name)
  })

  test.each(['raed', 'bash', 'shell', 'fetch', '', 'files', '__proto__', 'constructor'])('%j is none', (written) => {
    expect(toolNamed(byName, written)).toBeNull()
  })

  test('has names that no other has', () => {
    for (const { name } of tools) expect(toolNamed(byName, name)?.name).toBe(name)
  })
})

describe('an input', () => {
  test.each([
    ['read', { file_path: 'a', start_line: 2, end_line: null }, { path: 'a', from: 2 }],
    [
      'edit',
      { file: 'a', old_string: 'x', new_string: 'y', replace_all: 'true' },
      { path: 'a', oldText: 'x', newText: 'y', replaceAll: true },
    ],
    [
      'search',
      { query: 'x', path: 'guides', case_sensitive: 'False' },
      { text: 'x', folder: 'guides', caseSensitive: false },
    ],
    ['search', { text: 7 }, { text: '7' }],
    ['replace', { old: 'a', new: 'b', exclude: 'changelog' }, { text: 'a', replacement: 'b', except: ['changelog'] }],
    [
      'replace',
      { text: 'a', replacement: 'b', except: '["c", "d"]' },
      { text: 'a', replacement: 'b', except: ['c', 'd'] },
    ],
    ['move', { source: 'a', destination: 'b' }, { from: 'a', to: 'b' }],
    ['navigation', { action: 'addPage', path: 'a' }, { action: 'add_page', page: 'a' }],
    ['navigation', { action: 'remove', page: 'a' }, { action: 'remove_page', page: 'a' }],
    ['finish', { title: 'T', description: 'S' }, { title: 'T', summary: 'S' }],
  ])('of %s is understood: %j', (name, written, expected) => {
    expect(inputOf(name, written)).toEqual(expected)
  })

  test('keeps the field that the tool has where another could mean it too', () => {
    expect(inputOf('edit', { path: 'a', oldText: 'x', newText: 'y', text: 'z' })).toMatchObject({ oldText: 'x' })
  })
})

describe('JSON', () => {
  test.each([
    ['{"a": 1,}', { a: 1 }],
    ['```json\n{"a": 1}\n```', { a: 1 }],
    ['"{\\"a\\": 1}"', { a: 1 }],
    ['{"a": "one\ntwo\tthree"}', { a: 'one\ntwo\tthree' }],
    ["{'a': 'it is \"so\"', 'b': True, 'c': None}", { a: 'it is "so"', b: true, c: null }],
    ['{"a": "None of it is True"}', { a: 'None of it is True' }],
    ['{"a": "don\'t", "b": "won\'t",}', { a: "don't", b: "won't" }],
  ])('of a careless kind is understood: %s', (written, expected) => {
    expect(parseLooseObject(written)).toEqual(expected)
  })

  test.each([
    '{"a": "cut o',
    '{"a": 1',
    '[1]',
    '"text"',
    'a: 1',
    '',
    '{a}',
    `{"a": ${'['.repeat(100_000)}`,
    7,
    null,
    undefined,
  ])('%j is no object', (written) => {
    expect(parseLooseObject(written)).toBeNull()
  })
})
