import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CodeBlock } from '../rendered-page.ts'
import { plainBlock } from './block-html.ts'
import { highlightBlocks } from './highlight-blocks.ts'
import { tokenKinds } from './token-kinds.ts'

const block = (language: string, text: string, more: Partial<CodeBlock> = {}): CodeBlock => ({
  language,
  text,
  highlighted: [],
  focused: [],
  hasLineNumbers: false,
  ...more,
})

const token = (name: string, text: string) =>
  `<span class="t${tokenKinds.findIndex((kind) => kind.name === name)}">${text}</span>`

/** What a reader sees, and copies. */
const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')

// What means something to somebody, and what is broken.
const character = fc.constantFrom(...'ab1 \t<>&"\'`/*#{}[]()=-,!;:\\$\0é漢', '\ud800', '😀')

describe('highlightBlocks', () => {
  test.each([
    { language: 'js', text: 'return x // why', has: [token('keyword', 'return'), token('comment', '// why')] },
    { language: 'json', text: '{"a": true}', has: [token('property', '"a"'), token('constant', 'true')] },
    { language: 'yaml', text: 'a: "b"', has: [token('property', 'a'), token('string', '"b"')] },
    { language: 'cURL', text: 'curl -X GET', has: [token('function', 'curl ')] },
    { language: 'html', text: '<a href="x">', has: [token('tag', 'a '), token('string', '"x"')] },
    { language: 'mdx', text: '<Card title="x">', has: [token('tag', 'Card ')] },
    { language: 'diff', text: '+a\n-b', has: [token('inserted', 'a'), token('deleted', 'b')] },
    { language: 'rego', text: 'allow if input.x # c', has: [token('keyword', 'if '), token('comment', '# c')] },
    { language: 'python', text: 'def f(): pass', has: [token('function', 'f')] },
  ])('colours $language by classes', async ({ language, text, has }) => {
    const [html] = await highlightBlocks([block(language, text)])
    for (const part of has) expect(html).toContain(part)
    expect(html).not.toContain('style=')
    expect(textOf(html!)).toBe(text)
  })

  test('a language that nobody wrote a grammar for is shown plain', async () => {
    expect(await highlightBlocks([block('nonsense', 'a < b & c'), block('', '<b>')])).toEqual([
      'a &lt; b &amp; c',
      '&lt;b&gt;',
    ])
    expect(await highlightBlocks([block('__proto__', 'x'), block('constructor', 'y')])).toEqual(['x', 'y'])
  })

  test('says of each line what its author did', async () => {
    const [html] = await highlightBlocks([
      block('text', 'a\nb // [!code ++]\nc\nd', { highlighted: [1], focused: [3], hasLineNumbers: true }),
    ])
    expect(html).toBe(
      '<span class="line highlighted">a\n</span><span class="line added">b\n</span>' +
        '<span class="line focused">c\n</span><span class="line">d\n</span>',
    )
  })

  test('keeps blocks in order, and answers for very long ones in time', async () => {
    const started = performance.now()
    const long = 'a = '.repeat(400_000)
    const wide = `"${'x'.repeat(50_000)}"`
    const [first, second, third] = await highlightBlocks([block('js', long), block('json', wide), block('js', 'let a')])
    expect(textOf(first!)).toBe(long)
    expect(textOf(second!)).toBe(wide)
    expect(third).toContain(token('keyword', 'let'))
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  test('shows every text as it is, whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: character, maxLength: 60 }).map((line) => line.replace(/[\r\n]|\[!code/g, ''))),
        fc.constantFrom('js', 'html', 'text'),
        async (lines, language) => {
          const text = lines.join('\n')
          const [html] = await highlightBlocks([block(language, text)])
          expect(textOf(html!)).toBe(text)
          expect(textOf(plainBlock(block(language, text)))).toBe(text)
          expect(html!.replace(/<\/?span( class="[a-z0-9 ]+")?>/g, '')).not.toMatch(/[<>]/)
        },
      ),
      { numRuns: 50 },
    )
  })
})
