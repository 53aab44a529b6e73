import { afterAll, expect, test } from 'vitest'
import { createHighlighter } from './highlight.ts'
import { tokenKinds } from './token-theme.ts'

const highlighter = createHighlighter({ timeoutMs: 30_000 })
afterAll(() => highlighter.close())

/** Each piece of a text with the name of its kind. */
async function kindsOf(path: string, text: string): Promise<string[] | null> {
  const [lines] = await highlighter.highlight([{ path, text }])
  const source = text.split('\n')
  return (
    lines?.flatMap((tokens, index) => {
      let at = 0
      return tokens.map(([length, kind]) => {
        const piece = source[index]!.slice(at, at + length)
        at += length
        return `${tokenKinds[kind]!.name} ${piece.trim()}`
      })
    }) ?? null
  )
}

test.each([
  ['a.mdx', '# Title', 'heading Title'],
  ['a.mdx', '<Note title="x">text</Note>', 'keyword Note'],
  ['A.MD', '# Title', 'heading Title'],
  ['docs.json', '{"a": true}', 'constant true'],
  ['a.yml', 'a: "b"', 'keyword a'],
])('%s is coloured by its grammar', async (path, text, expected) => {
  expect(await kindsOf(path, text)).toContain(expected)
})

test('what has no grammar, is empty or is too long stays plain', async () => {
  const texts = [
    { path: 'a.txt', text: 'x' },
    { path: 'mdx', text: 'x' },
    { path: 'a.mdx', text: '' },
    { path: 'a.mdx', text: 'x'.repeat(100_001) },
  ]
  expect(await highlighter.highlight(texts)).toEqual([null, null, null, null])
})

test('what takes too long stays plain, and the next text is coloured again', async () => {
  const hasty = createHighlighter({ timeoutMs: 1 })
  const text = '# Title\n'.repeat(10_000)
  expect(await hasty.highlight([{ path: 'a.mdx', text }])).toEqual([null])
  await hasty.close()
  await highlighter.close()
  expect(await kindsOf('a.mdx', '# Again')).toContain('heading Again')
})
