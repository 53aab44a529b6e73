import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DocentError } from '#base/errors.ts'
import { type Instruction, parseInstructions } from './parse-instructions.ts'

const replace = (search: string, replacement: string, within: string | null = null) =>
  ({ kind: 'replace', search, replacement, within }) as const
const move = (from: string, to: string) => ({ kind: 'move', from, to }) as const
const fix = (within: string | null = null) => ({ kind: 'fix_links', within }) as const
const add = (path: string, title: string, text: string | null = null) => ({ kind: 'add', path, title, text }) as const
const set = (key: string, value: string | number | boolean, path: string) =>
  ({ kind: 'set', key, value, path }) as const

const parsed = (prompt: string) => parseInstructions(prompt).map(({ said: _, ...rest }: Instruction) => rest)

describe('an instruction is read', () => {
  test.each([
    ['replace "A" with "B"', [replace('A', 'B')]],
    ['Replace "A" with "B"', [replace('A', 'B')]],
    ['REPLACE "A" WITH "B"', [replace('A', 'B')]],
    ['replace “A” with “B”', [replace('A', 'B')]],
    ['replace ”A” with “B"', [replace('A', 'B')]],
    ["replace 'A' with 'B'", [replace('A', 'B')]],
    ['replace ‘A’ with ‘B’', [replace('A', 'B')]],
    ['replace `A` with `B`', [replace('A', 'B')]],
    ['replace «A» with «B»', [replace('A', 'B')]],
    ['replace "A" by "B".', [replace('A', 'B')]],
    ['  replace   "A"   with   "B"  ', [replace('A', 'B')]],
    ['Please replace "A" with "B"!', [replace('A', 'B')]],
    ['replace all occurrences of "A" with "B"', [replace('A', 'B')]],
    ['replace every instance of "A" with "B" everywhere', [replace('A', 'B')]],
    ['replace the text "A" with "B" in all pages', [replace('A', 'B')]],
    ['replace the word "A" with "B" in the docs', [replace('A', 'B')]],
    ['replace "A" with "B" in docs', [replace('A', 'B')]],
    ['replace "A" with "" in docs/setup.mdx', [replace('A', '', 'docs/setup.mdx')]],
    ['replace "A" with "B" in guides/setup.mdx', [replace('A', 'B', 'guides/setup.mdx')]],
    ['replace "A" with "B" in guides/setup.mdx.', [replace('A', 'B', 'guides/setup.mdx')]],
    ['replace "A" with "B" in the file guides/setup.mdx', [replace('A', 'B', 'guides/setup.mdx')]],
    ['replace "A" with "B" in folder guides/', [replace('A', 'B', 'guides/')]],
    ['replace "A" with "B" in `guides/set up.mdx`', [replace('A', 'B', 'guides/set up.mdx')]],
    ['replace "A" with "B" in "guides/setup"', [replace('A', 'B', 'guides/setup')]],
    ['replace "say \\"hi\\"" with "say \'hi\'"', [replace('say "hi"', "say 'hi'")]],
    ["replace 'don't' with 'do not'", [replace("don't", 'do not')]],
    ['replace “it’s” with “it is”', [replace('it’s', 'it is')]],
    ['replace "C:\\\\docs\\\\" with "/docs"', [replace('C:\\docs\\', '/docs')]],
    ['replace "a\\nb" with "c"', [replace('a\\nb', 'c')]],
    ['replace "two\nlines" with "one"', [replace('two\nlines', 'one')]],
    ['replace "a; b" with "a then b. And then c"', [replace('a; b', 'a then b. And then c')]],
    [
      'replace "https://old.example/x" with "https://new.example/x"',
      [replace('https://old.example/x', 'https://new.example/x')],
    ],
    ['replace "A"\nwith "B"\nin guides', [replace('A', 'B', 'guides')]],
    ['replace "naïve 😀" with "日本"', [replace('naïve 😀', '日本')]],
    ['rename page guides/a to guides/b', [move('guides/a', 'guides/b')]],
    ['Rename page "guides/a.mdx" to "guides/b.mdx"', [move('guides/a.mdx', 'guides/b.mdx')]],
    ['rename the page quickstart to start', [move('quickstart', 'start')]],
    ['move page quickstart to guides/', [move('quickstart', 'guides/')]],
    ['move page /quickstart into folder /guides/.', [move('/quickstart', '/guides/')]],
    ['move guides/a.mdx to guides/b.mdx', [move('guides/a.mdx', 'guides/b.mdx')]],
    ['move the folder guides to manual', [move('guides/', 'manual')]],
    ['fix broken links', [fix()]],
    ['Fix all broken links.', [fix()]],
    ['fix every broken link', [fix()]],
    ['fix the broken internal links', [fix()]],
    ['fix all the dead links and anchors', [fix()]],
    ['repair broken links everywhere', [fix()]],
    ['fix broken links in the documentation', [fix()]],
    ['fix broken links in guides', [fix('guides')]],
    ['add page guides/x titled "X"', [add('guides/x', 'X')]],
    ['add a new page guides/x.md titled “X and Y”', [add('guides/x.md', 'X and Y')]],
    ['create page guides/x with title "X"', [add('guides/x', 'X')]],
    ['create a page at guides/x called "X" with "Hello."', [add('guides/x', 'X', 'Hello.')]],
    [
      'add page guides/x titled "X" with the text "# Hi\n\nthere; then more"',
      [add('guides/x', 'X', '# Hi\n\nthere; then more')],
    ],
    ['add page guides/x titled "X" and with "Hello"', [add('guides/x', 'X', 'Hello')]],
    ['set title to "V" in guides/x', [set('title', 'V', 'guides/x')]],
    ['set the frontmatter sidebarTitle to "V" on page guides/x.mdx', [set('sidebarTitle', 'V', 'guides/x.mdx')]],
    ['set "og:title" to \'V\' for guides/x', [set('og:title', 'V', 'guides/x')]],
    ['set og:title to "V" in guides/x', [set('og:title', 'V', 'guides/x')]],
    ['set hidden to true in guides/x', [set('hidden', true, 'guides/x')]],
    ['set order to -1.5 in guides/x', [set('order', -1.5, 'guides/x')]],
    ['set hidden to "true" in guides/x', [set('hidden', 'true', 'guides/x')]],
  ])('%j', (prompt, expected) => {
    expect(parsed(prompt)).toEqual(expected)
  })
})

describe('several instructions are read', () => {
  const both = [replace('A', 'B'), fix()]
  test.each([
    ['replace "A" with "B"\nfix broken links'],
    ['replace "A" with "B"\r\n\r\nfix broken links\r\n'],
    ['replace "A" with "B"; fix broken links'],
    ['replace "A" with "B";fix broken links;'],
    ['replace "A" with "B" and then fix broken links'],
    ['replace "A" with "B", then fix broken links'],
    ['Replace "A" with "B". Then fix broken links.'],
    ['Replace "A" with "B" and fix broken links.'],
    ['Replace "A" with "B". Fix broken links!'],
    ['First replace "A" with "B". Finally, fix broken links.'],
    ['1. replace "A" with "B"\n2. fix broken links'],
    ['1) Replace "A" with "B".\n2) Fix broken links.'],
    ['- replace "A" with "B"\n- fix broken links'],
    ['* replace "A" with "B"\n* fix broken links'],
    ['• replace "A" with "B"\n  • fix broken links'],
    ['- [ ] replace "A" with "B"\n- [x] fix broken links'],
  ])('%j', (prompt) => {
    expect(parsed(prompt)).toEqual(both)
  })

  test('of every kind, in their order', () => {
    expect(
      parsed(
        'Rename page a to b. Set title to "B" in b. Add page c titled "C" with "See b."\nReplace "x" with "y" in c; fix broken links in c',
      ),
    ).toEqual([move('a', 'b'), set('title', 'B', 'b'), add('c', 'C', 'See b.'), replace('x', 'y', 'c'), fix('c')])
  })

  test('each keeps the words it was asked in', () => {
    const said = parseInstructions('1. Replace "A" with "B".\n2. fix  broken\tlinks').map((one) => one.said)
    expect(said).toEqual(['Replace "A" with "B"', 'fix broken links'])
  })
})

describe('what is none of them fails, and is quoted', () => {
  test.each([
    ['Make the docs better', 'Make the docs better'],
    ['replace A with B', 'replace A with B'],
    ['replace "A" with B', 'replace "A" with B'],
    ['replace "A"', 'replace "A"'],
    ['replace "A with B', 'replace "A with B'],
    ['rename Widgets to Gadgets', 'rename Widgets to Gadgets'],
    ['rename the Widgets feature to Gadgets', 'rename the Widgets feature to Gadgets'],
    ['fix the typos', 'fix the typos'],
    ['fix broken links and the typos', 'the typos'],
    ['add page guides/x', 'add page guides/x'],
    ['add page guides/x about deployment', 'add page guides/x about deployment'],
    ['add page guides/x titled "X" with a nice picture', 'add page guides/x titled "X" with a nice picture'],
    ['set title to Hello in guides/x', 'set title to Hello in guides/x'],
    ['set title to "Hello"', 'set title to "Hello"'],
    ['delete page guides/x', 'delete page guides/x'],
    ['replace "A" with "B"; make it nice; fix broken links', 'make it nice'],
    ['replace "A" with "B" carefully', 'replace "A" with "B" carefully'],
    ['please', 'please'],
    ['...', '...'],
  ])('%j', (prompt, part) => {
    const error = (() => {
      try {
        return parseInstructions(prompt)
      } catch (thrown) {
        return thrown
      }
    })()
    expect(error).toBeInstanceOf(DocentError)
    expect(error).toMatchObject({ kind: 'unsupported', code: 'editor.not_understood' })
    const { message } = error as DocentError
    expect(message).toContain(`“${part}”`)
    expect(message).toContain('`replace "A" with "B" [in PATH]`')
    expect(message).toMatch(/DOCENT_MODEL\b.*DOCENT_MODEL_BASE_URL/)
  })
})

test('any texts come back from between quotes as they were', () => {
  const quoted = (text: string) => `"${text.replace(/[\\"'`“”„‘’«»]/g, '\\$&')}"`
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), (search, replacement) => {
      const prompt = `replace ${quoted(search)} with ${quoted(replacement)}; fix broken links`
      expect(parsed(prompt)).toEqual([replace(search, replacement), fix()])
    }),
  )
})

test('no prompt takes long or fails in another way', () => {
  const words = fc.constantFrom(
    'replace',
    '"',
    'with',
    'in',
    ' ',
    '\n',
    "'",
    '\\',
    'fix broken links',
    ';',
    'and',
    '.',
    'a',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(words, fc.string()), { maxLength: 200 }), (pieces) => {
      try {
        parseInstructions(pieces.join(''))
      } catch (error) {
        expect(error).toBeInstanceOf(DocentError)
      }
    }),
  )
  expect(() => parseInstructions(`"${' '.repeat(19_000)}`)).toThrow(DocentError)
  expect(() => parseInstructions('"a'.repeat(9_000))).toThrow(DocentError)
})
