import fc from 'fast-check'
import type { Root } from 'mdast'
import remarkFrontmatter from 'remark-frontmatter'
import remarkGfm from 'remark-gfm'
import remarkMdx from 'remark-mdx'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { describe, expect, test } from 'vitest'
import { parsePage } from './parse-page.ts'

const parse = (source: string, path = 'page.mdx') => parsePage(source, { path })
const targets = (source: string, path?: string) => parse(source, path).links.map(({ kind, target }) => [kind, target])

describe('links', () => {
  test.each([
    ['a link', '[a](/x)', [['link', '/x']]],
    ['a link with a title', '[a](/x "title (with) ]( marks")', [['link', '/x']]],
    ['brackets in the text', '[a [b] `](/no)`](/x)', [['link', '/x']]],
    ['angle brackets around it', '[a](</x y>)', [['link', '/x y']]],
    ['parentheses in it', '[a](/x_(y))', [['link', '/x_(y)']]],
    ['an escape, as it is written', '[a](/x\\_y)', [['link', '/x\\_y']]],
    [
      'an image inside a link',
      '[![i](/i.png)](/x)',
      [
        ['link', '/x'],
        ['image', '/i.png'],
      ],
    ],
    ['a definition', '[a][b]\n\n[b]: /x "t"', [['definition', '/x']]],
    ['one on the next line of a quote', '> [a](\n> /x)', [['link', '/x']]],
    ['an element', '<a href="/x">y</a>', [['attribute', '/x']]],
    [
      'an element over several lines',
      '<Card\n  title="T"\n  href="/x"\n>\n  no href="/no" here\n</Card>',
      [['attribute', '/x']],
    ],
    [
      'an expression that is one text',
      "<Card href={'/x'} src={`/y`} />",
      [
        ['attribute', '/x'],
        ['attribute', '/y'],
      ],
    ],
    ['braces and quotes before it', '<A b={() => { return "}" }} c=\'>\' href="/x" />', [['attribute', '/x']]],
    ['an element in a list', '- <A\n    b={[\n      1,\n    ]}\n    href="/x"\n  />', [['attribute', '/x']]],
    ['an element in a quote', '> <A\n>   b={`\n> `}\n>   href="/x"\n> />', [['attribute', '/x']]],
    ['an element in an expression', '{show && <a href="/x">y</a>}', [['attribute', '/x']]],
    ['an element in an attribute', '<A icon={<img src="/x.svg" />} />', [['attribute', '/x.svg']]],
    [
      'an element in an export',
      'export const A = () => {\n  const b = 1\n\n  return <a href="/x">y</a>\n}',
      [['attribute', '/x']],
    ],
    ['an image of a card', '<Card img="/x.png" />', [['attribute', '/x.png']]],
    ['a table', '| a |\n|-|\n| [b](/x) |', [['link', '/x']]],
    ['an import', "import A, { b as c } from '/snippets/a.mdx'", [['import', '/snippets/a.mdx']]],
    ['code', '`[a](/no)`\n\n```mdx\n[a](/no)\n<A href="/no" />\n```', []],
    ['a comment', '{/* <a href="/no">a</a> */}', []],
    ['an expression that is computed', '<A href={base + "/no"} />', []],
    ['an import shown in a template', 'export const code = `\nimport A from "/no.mdx"\n`', []],
  ])('%s', (_, source, expected) => {
    expect(targets(source)).toEqual(expected)
  })

  test('in Markdown, tags are HTML and braces are text', () => {
    const source = '<p>\n<a href="/x" id="here">{y</a>\n</p>\n\n<!-- <a href="/no"> -->\n\n<https://a.example>'
    expect(targets(source, 'page.md')).toEqual([
      ['attribute', '/x'],
      ['link', 'https://a.example'],
    ])
    expect(parse(source, 'page.md').anchors).toContain('here')
  })

  test('escapes and character references are decoded in the address and kept in the span', () => {
    const source = '[a](/x\\_y&amp;z) <A href="/p?a=1&amp;b=2" />'
    expect(parse(source).links.map(({ url }) => url)).toEqual(['/x_y&z', '/p?a=1&b=2'])
  })

  test('line and column are where the address begins', () => {
    const { links } = parse('---\r\ntitle: T\r\n---\r\n\r\nTwo words [a](/x)\r\n')
    expect(links).toMatchObject([{ line: 5, column: 15 }])
  })

  const piece = fc.constantFrom(
    ...['[é😀](/a)', '![b](/b.png "t")', '<Card href="/c" />', '<Card\n  href="/d"\n>\n\nin\n\n</Card>', '`x`'],
    ...['# Ünïcode 😀', '> [q](/e)', '- [l](</f g>)', '\n\n', ' text ', '\n\n[r]: /h\n\n', '{"/no"}', '😀', "don't"],
  )
  const page = fc
    .record({
      pieces: fc.array(piece, { maxLength: 12 }),
      mark: fc.constantFrom('', '\ufeff'),
      frontmatter: fc.constantFrom('', '---\ntitle: "É 😀"\n---\n\n'),
      newline: fc.constantFrom('\n', '\r\n'),
    })
    .map(
      ({ pieces, mark, frontmatter, newline }) => mark + (frontmatter + pieces.join('\n\n')).replaceAll('\n', newline),
    )

  test('replacing the span of a link changes that link and nothing else', () => {
    fc.assert(
      fc.property(page, fc.nat(), (source, pick) => {
        const before = parse(source)
        expect(before.problems).toEqual([])
        if (before.links.length === 0) return
        const chosen = pick % before.links.length
        const { start, end } = before.links[chosen]!
        const after = parse(`${source.slice(0, start)}/moved/😀${source.slice(end)}`)
        const expected = before.links.map(({ target }, index) => (index === chosen ? '/moved/😀' : target))
        expect(after.links.map(({ target }) => target)).toEqual(expected)
        expect(after.anchors).toEqual(before.anchors)
      }),
    )
  })

  test('links and headings are those that remark finds', () => {
    const remark = unified().use(remarkParse).use(remarkFrontmatter).use(remarkGfm).use(remarkMdx)
    fc.assert(
      fc.property(page, (source) => {
        const found: string[] = []
        const visit = (node: Root | Root['children'][number]): void => {
          if ('url' in node) found.push(node.url)
          if (node.type === 'mdxJsxFlowElement' || node.type === 'mdxJsxTextElement') {
            for (const attribute of node.attributes) {
              if (attribute.type === 'mdxJsxAttribute' && attribute.name === 'href') found.push(String(attribute.value))
            }
          }
          if ('children' in node) for (const child of node.children) visit(child as Root['children'][number])
        }
        visit(remark.parse(source))
        expect(parse(source).links.map(({ url }) => url)).toEqual(found)
      }),
      { numRuns: 50 },
    )
  })
})

describe('anchors', () => {
  test.each([
    ['a heading', '## Getting started', 'getting-started'],
    ['a heading with code and marks', '## The `docs.json` *file*', 'the-docsjson-file'],
    ['the way Mintlify writes dots', '## Config.json options', 'config-json-options'],
    ['the way Mintlify writes apostrophes', "## What's new", 'what’s-new'],
    ['the way GitHub writes apostrophes', "## What's new", 'whats-new'],
    ['slashes and ampersands', '## Fees & read/write', 'fees-&-read/write'],
    ['the second of two on GitHub', '# A\n\n# A', 'a-1'],
    ['the second of two on Mintlify', '# A\n\n# A', 'a-2'],
    ['an id given to a heading', '## Options {#config}', 'config'],
    ['an id of an element', '<div id="here">x</div>', 'here'],
    ['a heading that is an element', '<h2>Some *words*</h2>', 'some-words'],
    ['a heading with a badge, without it', '### `navigation` <Badge>required</Badge>', 'navigation'],
    ['an accordion', '<Accordion title="How so?">x</Accordion>', 'how-so'],
    ['a step', '<Steps><Step title="Install it">x</Step></Steps>', 'install-it'],
    ['an update', '<Update label="v1.0">x</Update>', 'v1-0'],
    ['a field', '<ParamField path="user.name">x</ParamField>', 'param-user-name'],
  ])('%s', (_, source, anchor) => {
    const page = parse(source)
    expect([...page.anchors]).toContain(anchor)
    expect(page.hasUnknownAnchors).toBe(false)
  })

  test.each([
    ['a heading with an expression', '## {title}'],
    ['an id that is computed', '<div id={name} />'],
    ['a component from a file of code', 'import A from "/snippets/a.jsx"\n\n<A />'],
    ['a page made from a specification', '---\nopenapi: GET /users\n---\n'],
  ])('%s may have anchors that are not known', (_, source) => {
    expect(parse(source).hasUnknownAnchors).toBe(true)
  })
})

describe('frontmatter', () => {
  test.each([
    ['plain fields', 'title: Some words', { title: 'Some words' }],
    ['quotes', 'title: "A: b"\nicon: \'x\'', { title: 'A: b', icon: 'x' }],
    ['what only YAML reads', 'tags: [a, b]\nn: 1\nyes: true', { tags: ['a', 'b'], n: 1, yes: true }],
    ['a number and an empty field as a title', 'title: 404\ndescription:', { title: 404, description: null }],
    ['nothing', '', {}],
  ])('%s', (_, yaml, data) => {
    const source = `---\n${yaml}\n---\n\n# T\n`
    const page = parse(source)
    expect(page).toMatchObject({ frontmatter: { data }, problems: [] })
    expect(source.slice(page.frontmatter!.start, page.frontmatter!.end)).toBe(`${yaml}\n`)
  })

  test('the quick way of reading it agrees with YAML', async () => {
    const { parse: parseYaml } = await import('yaml')
    const value = fc.oneof(
      fc.string(),
      fc.constantFrom('"a"', "'b'", 'yes', 'null', 'a b', 'a: b', 'a #b', '[x]'),
      fc.constantFrom(
        '1',
        '0',
        '007',
        '1e3',
        'true',
        'True',
        '["a", \'b\']',
        '[ "a" ]',
        '["a",]',
        '["a" "b"]',
        "['it''s']",
      ),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('title', 'icon', 'a-b'), value), { maxLength: 3 }), (fields) => {
        const yaml = fields.map(([name, text]) => `${name}: ${text.replaceAll('\n', ' ')}`).join('\n')
        const page = parse(`---\n${yaml}\n---\n`, 'page.md')
        let expected: unknown
        try {
          expected = parseYaml(yaml, { logLevel: 'error' })
        } catch {
          expect(page.problems).not.toEqual([])
          return
        }
        if (typeof expected === 'object' && !Array.isArray(expected))
          expect(page.frontmatter?.data).toEqual(expected ?? {})
      }),
    )
  })

  test.each([
    ['no YAML', 'title: A: b', 'no YAML', 2],
    ['a list', '- a', 'a list', 2],
    ['a field twice', 'title: a\ntitle: b', 'no YAML', 3],
    ['a title that is a list', 'icon: x\ntitle: [a]', '"title"', 3],
    [
      'aliases without end',
      'a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]',
      'aliases',
      2,
    ],
  ])('%s is a problem', (_, yaml, said, line) => {
    const { problems } = parse(`---\n${yaml}\n---\n`)
    expect(problems).toMatchObject([{ rule: 'frontmatter', line }])
    expect(problems[0]!.message).toContain(said)
  })

  test('one that is never closed is a problem; a line across the page is none', () => {
    expect(parse('---\ntitle: a\n\n# T').problems).toMatchObject([{ rule: 'frontmatter', line: 1 }])
    expect(parse('---\n\nwords\n').problems).toEqual([])
  })
})

describe('pages that do not parse', () => {
  test.each([
    ['an element that is not closed', '# T\n\n<Note>\n\nx', 3, 'closing tag', null],
    ['a comment in HTML', 'a\n\n<!-- b -->', 3, 'HTML comments', '{/* comment */}'],
    ['a brace that is not closed', 'a {b', 1, 'never closed', '\\{'],
    ['braces without JavaScript', 'a {b c}', 1, 'no JavaScript', '\\{'],
    ['a smaller-than before a number', 'a <5 b', 1, 'after `<`', '&lt;'],
    ['an import that is none', '# T\n\nimport {', 3, 'import or export', null],
    ['an export that is none', 'words\n\nexport const a = (', 3, 'import or export', null],
  ])('%s', (_, source, line, message, hint) => {
    const page = parse(source)
    expect(page.problems).toMatchObject([{ rule: 'mdx', line }])
    expect(page.problems[0]!.message).toContain(message)
    if (hint !== null) expect(page.problems[0]!.hint).toContain(hint)
    expect(page.links).toEqual([])
  })

  test('formulas may hold braces', () => {
    expect(parse('$\\frac{\\alpha}{2}$ and\n\n$$\nx_{\\beta}\n$$\n\n[a](/x)')).toMatchObject({
      problems: [],
      links: [{}],
    })
  })
})
