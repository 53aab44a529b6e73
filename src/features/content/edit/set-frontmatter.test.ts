import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { changesOf, editableTree } from '#tests/harness/memory-tree.ts'
import { parseFrontmatter } from '../parse/frontmatter.ts'
import { type FrontmatterValue, setFrontmatter, withFrontmatter } from './set-frontmatter.ts'

const set = (source: string, key: string, value: FrontmatterValue) =>
  withFrontmatter(source, { path: 'a.mdx', key, value })

describe('a key is set and nothing else', () => {
  test.each<[string, string, FrontmatterValue, string]>([
    ['---\ntitle: A\n---\nx', 'title', 'B', '---\ntitle: B\n---\nx'],
    ['---\ntitle: "A"\n---\n', 'title', 'B', '---\ntitle: "B"\n---\n'],
    ["---\ntitle: 'A'\n---\n", 'title', "it's", "---\ntitle: 'it''s'\n---\n"],
    ['---\ntitle: A # why\nicon:   x\n---\n', 'title', 'B', '---\ntitle: B # why\nicon:   x\n---\n'],
    ['---\r\ntitle: A\r\nicon: x\r\n---\r\nx\r\n', 'title', 'B', '---\r\ntitle: B\r\nicon: x\r\n---\r\nx\r\n'],
    ['\uFEFF---\ntitle: A\n---\n', 'title', 'B', '\uFEFF---\ntitle: B\n---\n'],
    ['---\ntitle:\nicon: x\n---\n', 'title', 'B', '---\ntitle: B\nicon: x\n---\n'],
    ['---\ntitle: |\n  A\n  B\nicon: x\n---\n', 'title', 'B', '---\ntitle: B\nicon: x\n---\n'],
    ['---\ntitle: >-\n  A\n---\n', 'title', 'B', '---\ntitle: B\n---\n'],
    ['---\ntags:\n  - a\n  - b\nicon: x\n---\n', 'tags', 'none', '---\ntags: none\nicon: x\n---\n'],
    ['---\ntags: [a, b] # c\n---\n', 'tags', ['c'], '---\ntags: ["c"] # c\n---\n'],
    ['---\n"og:title": A\n---\n', 'og:title', 'B', '---\n"og:title": B\n---\n'],
    ['---\ntitle: A\n---\n', 'icon', 'x', '---\ntitle: A\nicon: x\n---\n'],
    ['---\r\ntitle: A\r\n---\r\n', 'icon', 'x', '---\r\ntitle: A\r\nicon: x\r\n---\r\n'],
    ['---\n---\nx', 'title', 'A', '---\ntitle: A\n---\nx'],
    ['---\n# later\n---\nx', 'title', 'A', '---\n# later\ntitle: A\n---\nx'],
    ['x', 'title', 'A', '---\ntitle: A\n---\n\nx'],
    ['', 'title', 'A', '---\ntitle: A\n---\n'],
    ['\uFEFFx\r\ny', 'title', 'A', '\uFEFF---\r\ntitle: A\r\n---\r\n\r\nx\r\ny'],
    ['---\ntitle: A\n---\n', 'title', 'A: B', '---\ntitle: "A: B"\n---\n'],
    ['---\ntitle: A\n---\n', 'title', 'yes', '---\ntitle: "yes"\n---\n'],
    ['---\ntitle: A\n---\n', 'title', '2024-01-01', '---\ntitle: "2024-01-01"\n---\n'],
    ['---\ntitle: A\n---\n', 'title', '', '---\ntitle: ""\n---\n'],
    ['---\ntitle: A\n---\n', 'title', 'a\nb', '---\ntitle: "a\\nb"\n---\n'],
    ['---\nhidden: false\n---\n', 'hidden', true, '---\nhidden: true\n---\n'],
    ['---\nhidden: "true"\n---\n', 'hidden', true, '---\nhidden: true\n---\n'],
    ['---\norder: 1\n---\n', 'order', 2.5, '---\norder: 2.5\n---\n'],
    ['---\ntitle: A\n---\n', 'title', 'A', '---\ntitle: A\n---\n'],
    ['# Head\n---\ntitle: A\n---\n', 'title', 'B', '---\ntitle: B\n---\n\n# Head\n---\ntitle: A\n---\n'],
  ])('%j: %s = %j', (source, key, value, expected) => {
    expect(set(source, key, value)).toBe(expected)
  })
})

describe('what cannot be edited is said', () => {
  test.each([
    ['---\ntitle: A: B\n---\n', 'title', /frontmatter of a\.mdx does not parse/],
    ['---\ntitle: A\n', 'title', /no second ---/],
    ['---\n- a\n---\n', 'title', /expected lines of `key: value`/],
    ['---\n{title: A}\n---\n', 'title', /expected lines of `key: value`/],
    ['x', 'a\nb', /one line/],
    ['x', '', /1 to 100 characters/],
  ])('%j', (source, key, message) => {
    expect(() => set(source, key, 'x')).toThrow(message)
  })
})

test('a page is found without its extension, and one that is not there is guessed at', async () => {
  const tree = editableTree({ 'guides/setup.mdx': 'Hi', 'guides/index.md': 'Index' })
  expect(await setFrontmatter(tree, { path: '/guides/setup', key: 'title', value: 'A' })).toEqual({
    path: 'guides/setup.mdx',
    changed: true,
  })
  await setFrontmatter(tree, { path: 'guides', key: 'title', value: 'B' })
  expect(changesOf(tree)).toEqual({
    'guides/index.md': '---\ntitle: B\n---\n\nIndex',
    'guides/setup.mdx': '---\ntitle: A\n---\n\nHi',
  })
  const again = await setFrontmatter(tree, { path: 'guides/setup.mdx', key: 'title', value: 'A' })
  expect(again.changed).toBe(false)
  await expect(setFrontmatter(tree, { path: 'guides/stup', key: 'title', value: 'A' })).rejects.toThrow(
    'There is no page guides/stup. Did you mean guides/setup.mdx?',
  )
})

test('a closed page is refused', async () => {
  const tree = { ...editableTree({ 'a.md': '' }), refusal: (path: string) => `${path} is closed.` }
  await expect(setFrontmatter(tree, { path: 'a', key: 'title', value: 'A' })).rejects.toMatchObject({
    kind: 'forbidden',
    message: 'a.md is closed.',
  })
})

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('true', 'null', '1', '- a', '# b', 'a: b', '"', "'", '~'),
)
const key = fc.stringMatching(/^[a-zA-Z][\w-]{0,10}$/)

test('whatever is set is what a YAML parser reads, and every other key reads as before', () => {
  const line = fc.tuple(
    key,
    fc.oneof(
      text.map((one) => JSON.stringify(one)),
      fc.constantFrom('plain', '3', '|\n  x\n  y', '[a]', '\n  - 1'),
    ),
  )
  const lineEnd = fc.constantFrom('\n', '\r\n')
  fc.assert(
    fc.property(
      fc.uniqueArray(line, { selector: ([name]) => name, maxLength: 5 }),
      lineEnd,
      key,
      text,
      (lines, end, name, value) => {
        const yaml = lines.map(([one, written]) => `${one}: ${written}\n`).join('')
        const source = `---\n${yaml}---\n\nBody\n`.replaceAll('\n', end)
        const result = set(source, name, value)
        const { frontmatter } = parseFrontmatter(result)
        const found = parse(result.slice(frontmatter!.start, frontmatter!.end))
        const before = parse(yaml.replaceAll('\n', end)) ?? {}
        expect(found).toEqual({ ...before, [name]: value })
        expect(result.endsWith(`---${end}${end}Body${end}`)).toBe(true)
      },
    ),
  )
})
