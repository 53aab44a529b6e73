import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changesOf, editableTree } from '#tests/harness/memory-tree.ts'
import { replaceText } from './replace-text.ts'

const files = {
  'docs.json': '{"name": "Old"}',
  'index.mdx': 'Old and old.\r\nOld \n',
  'guides.mdx': 'Old guides',
  'guides/a.md': 'Old\u0000binary',
  'guides/b.md': '\uFEFFThe Old way',
  'guides/c.yaml': 'name: Old',
  'guides/d.png': 'Old',
  'guides/e.svg': '<text>Old</text>',
  'api/f.txt': 'Nothing',
}

describe('text is replaced exactly, in any text file', () => {
  test.each<[string | null, Record<string, number>]>([
    [null, { 'docs.json': 1, 'guides.mdx': 1, 'guides/b.md': 1, 'guides/c.yaml': 1, 'index.mdx': 2 }],
    ['index', { 'index.mdx': 2 }],
    ['/index.mdx', { 'index.mdx': 2 }],
    ['guides', { 'guides/b.md': 1, 'guides/c.yaml': 1 }],
    ['guides/', { 'guides/b.md': 1, 'guides/c.yaml': 1 }],
    ['./guides.mdx', { 'guides.mdx': 1 }],
    ['guides/e.svg', { 'guides/e.svg': 1 }],
    ['api', {}],
  ])('within %j', async (within, expected) => {
    const tree = editableTree(files)
    const { files: replaced, count } = await replaceText(tree, { search: 'Old', replacement: 'New $&', within })
    expect(Object.fromEntries(replaced.map((one) => [one.path, one.count]))).toEqual(expected)
    expect(count).toBe(Object.values(expected).reduce((sum, one) => sum + one, 0))
    const written = Object.keys(expected).map((path) => [
      path,
      files[path as keyof typeof files].replaceAll('Old', () => 'New $&'),
    ])
    expect(changesOf(tree)).toEqual(Object.fromEntries(written))
  })
})

test('in JSON the new text is escaped, unless JSON itself was searched for', async () => {
  const tree = editableTree({ 'docs.json': '{"name": "Old"}', 'a.md': 'Old' })
  await replaceText(tree, { search: 'Old', replacement: 'the "new"\nway' })
  expect(changesOf(tree)).toEqual({ 'docs.json': '{"name": "the \\"new\\"\\nway"}', 'a.md': 'the "new"\nway' })
  const raw = editableTree({ 'docs.json': '{"name": "Old"}' })
  await replaceText(raw, { search: '"Old"', replacement: '"New"' })
  expect(changesOf(raw)).toEqual({ 'docs.json': '{"name": "New"}' })
})

test('what cannot be done is said', async () => {
  const tree = editableTree(files)
  await expect(replaceText(tree, { search: '', replacement: 'x' })).rejects.toThrow(/empty/)
  await expect(replaceText(tree, { search: 'Old', replacement: 'x', within: 'gides/c.yaml' })).rejects.toThrow(
    'There is no file gides/c.yaml. Did you mean guides/c.yaml?',
  )
})

test('closed files are left and named; one that was asked for is refused', async () => {
  const tree = { ...editableTree(files), refusal: (path: string) => (path === 'index.mdx' ? 'It is closed.' : null) }
  const { refused, count } = await replaceText(tree, { search: 'Old', replacement: 'x' })
  expect({ refused, count }).toEqual({ refused: ['index.mdx'], count: 4 })
  await expect(replaceText(tree, { search: 'Old', replacement: 'x', within: 'index' })).rejects.toThrow('It is closed.')
})

test('it agrees with replaceAll on any text, and bytes that are no text survive', async () => {
  const piece = fc.constantFrom('a', 'ab', 'é', '😀', '\r\n', ' ')
  const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))
  await fc.assert(
    fc.asyncProperty(
      text,
      text,
      text.filter((one) => one !== ''),
      async (source, replacement, search) => {
        const wild = Buffer.from([0xff, 0xfe, 0xc3])
        const tree = editableTree({ 'a.md': Buffer.concat([Buffer.from(source), wild]) })
        const { count } = await replaceText(tree, { search, replacement })
        const expected = Buffer.concat([Buffer.from(source.replaceAll(search, () => replacement)), wild])
        expect(await tree.read('a.md')).toEqual(expected)
        expect(count).toBe(search === replacement ? 0 : source.split(search).length - 1)
      },
    ),
  )
})
