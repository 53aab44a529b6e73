import { describe, expect, test } from 'vitest'
import { renderInput } from '#tests/harness/render-input.ts'
import { fillTemplate } from './fill-template.ts'
import { indexPage, renderPage } from './render-page.ts'
import type { RenderInput } from './rendered-page.ts'

const input = (source: string, more?: Partial<RenderInput>) => renderInput(source, { path: 'guides/page.mdx', ...more })

const fillers = {
  link: (url: string, from: string) => `{${from}}${url}`,
  code: (index: number) => `CODE${index}`,
}

async function show(source: string, more?: Partial<RenderInput>) {
  const page = await renderPage(input(source, more))
  const index = await indexPage(input(source, more))
  return {
    ...index,
    ...page,
    html: fillTemplate(page.html, fillers, 'html'),
    markdown: fillTemplate(page.markdown, fillers, 'markdown').trim(),
    warnings: index.warnings.map(({ path, line, message }) => `${path}:${line} ${message}`),
  }
}

/** A page with files beside it; what it imports leads to the file of that path. */
function withFiles(files: Record<string, string>): Partial<RenderInput> {
  const paths = Object.keys(files)
  const imports = Object.fromEntries(paths.map((path) => [`/${path}`, path]))
  const snippets = Object.fromEntries(Object.entries(files).map(([path, source]) => [path, { source, imports }]))
  return { imports, snippets }
}

describe('Markdown', () => {
  test.each([
    ['words', 'Some *words* and `code`.', '<p>Some <em>words</em> and <code>code</code>.</p>'],
    ['a link of ours', '[a](../x#y)', '<p><a href="{guides/page.mdx}../x#y">a</a></p>'],
    ['a link elsewhere', '[a](https://a.example)', '<p><a href="https://a.example" rel="noopener">a</a></p>'],
    ['a link on the page', '[a](#here)', '<p><a href="#here">a</a></p>'],
    ['a link by reference', '[a][b]\n\n[b]: /x "t"', '<p><a href="{guides/page.mdx}/x" title="t">a</a></p>'],
    [
      'an image',
      '![alt](a.png)',
      '<p><img src="{guides/page.mdx}a.png" alt="alt" loading="lazy" decoding="async"></p>',
    ],
    ['a task list', '- [x] done', '<input type="checkbox" checked disabled> done'],
    ['a footnote', 'a[^1]\n\n[^1]: why', 'id="fnref-1"'],
    [
      'a table that scrolls',
      '| a |\n|---|\n| b |',
      '<div class="table-wrap" tabindex="0" role="group" aria-label="Table">',
    ],
    [
      'code',
      '```js app.js\nlet a\n```',
      '<div class="code-title">app.js</div><pre tabindex="0"><code>CODE0</code></pre>',
    ],
    ['an alert', '> [!WARNING]\n> Look *out*', 'data-kind="warning"'],
    ['a formula', 'Mass is $E = mc^2$.', '<math>'],
    ['a formula with braces', 'So $\\frac{a}{b}$.', '<mfrac>'],
    ['a block of a formula', '$$\nx^2\n$$', '<div class="math" data-display="">'],
  ])('%s', async (_, source, expected) => {
    expect((await show(source)).html).toContain(expected)
  })

  test.each([
    ['prices', 'From $5 to $10 a month.'],
    ['names of a shell', 'Set $HOME and $PATH.'],
  ])('%s are no formulas', async (_, source) => {
    const { html } = await show(source)
    expect(html).toBe(`<p>${source}</p>`)
  })
})

describe('headings', () => {
  test('have an id as GitHub makes it, and beside it the one that Mintlify makes', async () => {
    const { html, headings } = await show("## What's new\n\n## What's new\n\n### Config.json {#config}")
    expect(headings).toEqual([
      { depth: 2, id: 'whats-new', title: "What's new" },
      { depth: 2, id: 'whats-new-1', title: "What's new" },
      { depth: 3, id: 'config', title: 'Config.json' },
    ])
    expect(html).toContain('<h2 id="whats-new"><span id="what’s-new" class="anchor-alias"></span>')
    expect(html).toContain('<span id="what’s-new-2" class="anchor-alias"></span>')
    expect(html).toContain('<h3 id="config">Config.json<a href="#config"')
  })

  test('ids are never there twice, whatever the author calls them', async () => {
    const { html } = await show(
      '## A\n\n## A\n\n## A-1\n\n## B {#a}\n\n<h2>A</h2>\n\n<Accordion title="A">x</Accordion>',
    )
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toContain('a')
  })

  test('so have components with a title', async () => {
    const { html } = await show('<Accordion title="What\'s new">x</Accordion>')
    expect(html).toMatch(
      /^<details class="accordion" id="whats-new"[^>]*><summary><span id="what’s-new" class="anchor-alias">/,
    )
  })

  test('a first one that is the title is not shown again', async () => {
    const page = await show('---\ntitle: Setting up\n---\n\n# Setting up\n\nWords')
    expect(page.html).toBe('<p>Words</p>')
    expect(page.markdown).toBe('Words')
    const other = await show('---\ntitle: Setting up\n---\n\n# Another\n\nWords')
    expect(other.html).toContain('<h1 id="another">')
  })

  test('the first one is the title where there is no other', async () => {
    const { fields, html } = await show('# From *here*\n\nWords')
    expect(fields.title).toBe('From here')
    expect(html).toBe('<p>Words</p>')
  })
})

describe('expressions', () => {
  const page = `export const name = 'Docent'
export const list = [{ id: 1, label: 'one' }, { id: 2, label: 'two' }]
export const isNew = false

`
  test.each([
    ['a text', '{"a"}b', 'ab'],
    ['a name', 'I am {name}.', 'I am Docent.'],
    ['a template', `{\`\${name}!\`}`, 'Docent!'],
    ['a sum', '{1 + 2}', '3'],
    ['text and number', '{name + 1}', 'Docent1'],
    ['a field', '{list[1].label}', 'two'],
    ['a field that is not there', 'a{list[0].nothing}b', 'ab'],
    ['a length', '{list.length}', '2'],
    ['a choice', "{isNew ? 'new' : 'old'}", 'old'],
    ['a condition', 'a{isNew && "new"}b', 'ab'],
    ['a fallback', '{undefined ?? "none"}', 'none'],
    ['a comparison', "{name === 'Docent' && 'yes'}", 'yes'],
    ['a negation', "{!isNew ? 'a' : 'b'}", 'a'],
    ['a list of elements', '{list.map(({ id, label }) => <b key={id}>{label}</b>)}', '<b>one</b><b>two</b>'],
    ['an element', '{<b>x</b>}', '<b>x</b>'],
    ['a fragment', '{<>x<b>y</b></>}', 'x<b>y</b>'],
    ['a comment', 'a{/* b */}c', 'ac'],
    ['nothing', 'a{}b{null}{true}c', 'abc'],
    ['an object that is spread', '<b {...{ title: "t" }}>x</b>', '<b title="t">x</b>'],
  ])('%s', async (_, source, expected) => {
    const { html, warnings } = await show(`${page}x ${source} x`)
    expect(html).toBe(`<p>x ${expected} x</p>`)
    expect(warnings).toEqual([])
  })

  test('what needs JavaScript is a note in its place and a warning with its line', async () => {
    const { html, markdown, warnings } = await show('One\n\nTwo {compute(1)} three\n\n{new Date().getFullYear()}')
    expect(html).toContain(
      '<p>Two <code class="unrendered" title="{compute(1)} is not shown: functions are not called here.">{compute(1)}</code> three</p>',
    )
    expect(html).toContain('<div class="callout unrendered" role="note" data-kind="warning">')
    expect(markdown).toContain('Two `{compute(1)}` three')
    expect(warnings).toEqual([
      'guides/page.mdx:3 {compute(1)} is not shown: functions are not called here.',
      'guides/page.mdx:5 {new Date().getFullYear()} is not shown: functions are not called here.',
    ])
  })
})

describe('components of a page', () => {
  test('are shown where their body is plain elements', async () => {
    const { html, warnings } = await show(`export const Tile = ({ title, size = 2, children, ...rest }) => {
  const label = \`\${title} (\${size})\`
  if (!title) return null
  return (
    <div className="tile" {...rest}>
      <b>{label}</b>{children}
    </div>
  )
}

<Tile title="One" id="t">*inside*</Tile>

<Tile />`)
    expect(html.trim()).toBe('<div class="tile" id="t"><b>One (2)</b><em>inside</em></div>')
    expect(warnings).toEqual([])
  })

  test('that need hooks are a note; what they enclose stays', async () => {
    const { html, warnings } = await show(`export const Counter = ({ children }) => {
  const [count, setCount] = useState(0)
  return <button onClick={() => setCount(count + 1)}>{count}{children}</button>
}

<Counter />

<Counter>inside</Counter>`)
    expect(html).toContain('&#x3C;Counter> is not shown: it needs JavaScript, which is not run.')
    expect(html).toContain('inside')
    expect(html).not.toContain('<button')
    expect(warnings).toHaveLength(2)
  })

  test('that nobody knows show what is inside them, or a note', async () => {
    const { html, warnings } = await show('<Strange>inside</Strange>\n\n<Stranger />')
    expect(html).toContain('inside')
    expect(html).toContain('&#x3C;Stranger> is not shown')
    expect(warnings).toEqual([
      'guides/page.mdx:1 There is no component <Strange>; what is inside it is shown alone.',
      'guides/page.mdx:3 There is no component <Stranger>; what is inside it is shown alone.',
    ])
  })

  test('may be imported from a package that brings what we have', async () => {
    const { html, warnings } = await show("import { Note } from '@mintlify/components'\n\n<Note>Words</Note>")
    expect(html).toContain('data-kind="note"')
    expect(warnings).toEqual([])
  })
})

describe('snippets', () => {
  test('are put in with their properties, as {props.x} and {x}; links in them count from their file', async () => {
    const files = withFiles({ 'snippets/a.mdx': 'Hello {name} and {props.name}: [a](./b)' })
    const { html } = await show('import A from \'/snippets/a.mdx\'\n\n<A name="you" />', files)
    expect(html).toBe('<p>Hello you and you: <a href="{snippets/a.mdx}./b">a</a></p>')
  })

  test('of one paragraph are part of the line they stand in', async () => {
    const files = withFiles({ 'snippets/a.mdx': 'the *name*' })
    const { html } = await show("import A from '/snippets/a.mdx'\n\nThis is <A />.", files)
    expect(html).toBe('<p>This is the <em>name</em>.</p>')
  })

  test('give names away, also from scripts and data', async () => {
    const files = withFiles({
      'snippets/a.mdx': "export const version = '1.2'\n\nexport const Box = ({ children }) => <div>{children}</div>",
      'snippets/b.jsx': "const word = 'b'\nexport function B() { return <i>{word}</i> }\nexport default B",
      'data.json': '{ "items": ["x", "y"] }',
    })
    const source = `import { version as v, Box } from '/snippets/a.mdx'
import C, { B } from '/snippets/b.jsx'
import data from '/data.json'

{v} <B /> <C /> {data.items[1]}

<Box>in</Box>`
    const { html, warnings } = await show(source, files)
    expect(html).toBe('<p>1.2 <i>b</i> <i>b</i> y</p>\n<div>in</div>')
    expect(warnings).toEqual([])
  })

  test('by the older element, from the folder of snippets', async () => {
    const more = {
      imports: { 'a.mdx': 'snippets/a.mdx' },
      snippets: { 'snippets/a.mdx': { source: 'Words', imports: {} } },
    }
    expect((await show('<Snippet file="a.mdx" />', more)).html).toBe('<p>Words</p>')
    const missing = await show('<Snippet file="b.mdx" />', more)
    expect(missing.html).toContain('The snippet b.mdx is not shown: there is no such file.')
  })

  test('that are missing, broken or contain themselves are a note each, and a warning', async () => {
    const files = withFiles({
      'snippets/broken.mdx': 'Words\n\n<b>never closed',
      'snippets/a.mdx': "import B from '/snippets/b.mdx'\n\nA <B />",
      'snippets/b.mdx': "import A from '/snippets/a.mdx'\n\nB <A />",
    })
    const source = `import M from '/snippets/missing.mdx'
import Broken from '/snippets/broken.mdx'
import A from '/snippets/a.mdx'

<M />

<Broken />

<A />

The end`
    const imports = { ...files.imports, '/snippets/missing.mdx': null }
    const { html, warnings } = await show(source, { ...files, imports })
    expect(html).toContain('The snippet snippets/broken.mdx is not shown: it could not be read.')
    expect(html).toContain('The snippet snippets/a.mdx is not shown: it contains itself.')
    expect(html).toContain('<p>The end</p>')
    expect(warnings.join('\n')).toContain('guides/page.mdx:1 Imports /snippets/missing.mdx, which does not exist.')
    expect(warnings.join('\n')).toContain('snippets/broken.mdx:3 ')
  })
})

describe('elements', () => {
  test.each([
    ['classes and ids stay', '<div className="a b" id="x">y</div>', '<div class="a b" id="x">y</div>'],
    ['classes of headings too', '<h2 className="a">y</h2>', '<h2 class="a" id="y">y<a '],
    ['styles go', '<div style={{ color: "red" }}>y</div>', '<div>y</div>'],
    ['handlers go', '<button onClick={() => go()}>y</button>', '<button type="button">y</button>'],
    ['scripts go', 'a<script>{`go()`}</script>b', '<p>ab</p>'],
    ['sizes of images stay', '<img src="a.png" width="10" height={20} />', 'width="10" height="20"'],
    [
      'frames become a card',
      '<iframe src="https://www.youtube.com/embed/abc" title="T" />',
      'href="https://www.youtube.com/watch?v=abc">T</a>',
    ],
    ['videos stay', '<video src="/v.mp4" controls></video>', '<video src="{guides/page.mdx}/v.mp4" controls>'],
    [
      'drawings stay',
      '<svg viewBox="0 0 1 1"><path d="M0 0" stroke-width="2" /></svg>',
      '<path d="M0 0" stroke-width="2">',
    ],
    ['tables scroll', '<table><tbody><tr><td>x</td></tr></tbody></table>', '<div class="table-wrap"'],
  ])('%s', async (_, source, expected) => {
    expect((await show(source)).html).toContain(expected)
  })
})

describe('pages in .md', () => {
  const md = { path: 'page.md' }

  test.each([
    ['an element in a line', 'a <b class="x">c</b> d', '<p>a <b class="x">c</b> d</p>'],
    [
      'one around Markdown',
      '<details>\n<summary>S</summary>\n\n*x*\n\n</details>',
      '<details>\n<summary>S</summary><p><em>x</em></p></details>',
    ],
    ['one that is never closed', '<div>\n\nx', '<div><p>x</p></div>'],
    ['braces are text', 'a {b} {{c}', '<p>a {b} {{c}</p>'],
    ['a comment', 'a <!-- b --> c', '<p>a  c</p>'],
    ['a break', 'a<br>c', '<p>a<br>\nc</p>'],
    ['a link', '<a href="x.md">y</a>', '<a href="{page.md}x.md">y</a>'],
  ])('HTML is part of the page: %s', async (_, source, expected) => {
    expect((await show(source, md)).html.replace(/\n+</g, '\n<')).toContain(expected)
  })

  test('and of its Markdown', async () => {
    const { markdown } = await show('<p align="center"><img src="a.png" alt="A"> <b>bold</b></p>', md)
    expect(markdown).toBe('![A](%7Bpage.md%7Da.png) **bold**'.replace(/%7B/, '{').replace(/%7D/, '}'))
  })
})

test('variables of docs.json are filled wherever they stand, others stay', async () => {
  const variables = { name: 'Docent', 'base-url': 'https://a.example' }
  const source = `---\ntitle: About {{name}}\n---\n\n{{ name }} \`{{name}}\` [x]({{base-url}}/y)\n\n~~~\n\${{ secrets.KEY }}\n~~~`
  const page = await show(source, { variables })
  expect(page.fields.title).toBe('About Docent')
  expect(page.html).toContain('<p>Docent <code>Docent</code> <a href="https://a.example/y" rel="noopener">x</a></p>')
  expect(page.markdown).toContain('{{ secrets.KEY }}')
})

test('a page that does not parse shows why, and the lines around it', async () => {
  const source = '---\ntitle: T\n---\n\nFine\n\nWrong {never closed\n\nMore'
  const { fields, markdown, html, warnings } = await show(source)
  expect(fields.title).toBe('T')
  expect(html).toContain('This page could not be shown. guides/page.mdx, line 7:')
  expect(markdown).toContain('7 | Wrong {never closed')
  expect(warnings).toHaveLength(1)
})

test('the words of a page are cut at its headings, components and their titles included', async () => {
  const { sections } = await show(
    'Before\n\n## One\n\n<Card title="Card">inside `code`</Card>\n\n- a\n- b\n\n## Two\n\n```js\nlet a\n```\n\n![alt](x.png)',
  )
  expect(sections).toEqual([
    { id: null, title: '', text: 'Before' },
    { id: 'one', title: 'One', text: 'Card inside code a b' },
    { id: 'two', title: 'Two', text: 'let a alt' },
  ])
})

test('Markdown of a page is Markdown, with components in the words that come nearest', async () => {
  const { markdown } = await show(`import A from '/snippets/a.mdx'

<div className="grid"><h3>Title</h3>words <a href="/x">link</a></div>

| a | b |
|---|---|
| \`x\` | <b>bold</b> |

<ul><li>one</li><li>two</li></ul>

<p>
  Text <code>code</code>
</p>

Line one<br />line two`)
  expect(markdown).toBe(`### Title

words [link]({guides/page.mdx}/x)

| a | b |
| - | - |
| \`x\` | **bold** |

- one
- two

Text \`code\`

Line one\\
line two`)
})

test('fields are read from the frontmatter, and what is of another kind is left out', async () => {
  const { fields } = await show(`---
title: 12
sidebarTitle: [a]
description: "  two
  lines "
mode: wide
hidden: true
noindex: "true"
keywords: [a, 2, { b: c }]
'og:image': https://a.example/i.png
openapi: GET /pets
---
`)
  expect(fields).toMatchObject({
    title: '12',
    sidebarTitle: null,
    description: 'two lines',
    mode: 'wide',
    isHidden: true,
    noIndex: true,
    keywords: ['a', '2'],
    metatags: [['og:image', 'https://a.example/i.png']],
    openapi: 'GET /pets',
  })
})

describe('notes between colons', () => {
  test.each([
    [':::note\n\nA note.\n\n:::', '> **Note:** A note.'],
    [':::tip My tip\nUse **it**.\n:::', '> **My tip:** Use **it**.'],
    [':::warning[Mind *this*]\n- a\n- b\n:::', '> **Mind this:**\n>\n> - a\n> - b'],
    [':::custom\nAs it is\n:::', 'As it is'],
    ['- x\n\n  :::info\n  inside\n  :::', '- x\n\n  > **Info:** inside'],
    ['At 10:30 :smile: a::b\n\n::leaf\n\n:::note\nx\n:::', 'At 10:30 :smile: a::b\n\n::leaf\n\n> **Note:** x'],
    ['At 10:30, see :note[x].', 'At 10:30, see :note\\[x].'],
  ])('%j', async (source, markdown) => {
    expect((await show(source)).markdown).toBe(markdown)
  })

  test('are callouts, and details to open', async () => {
    const { html } = await show(':::danger\nx\n:::\n\n:::details More\ny\n:::\n')
    expect(html).toContain('data-kind="danger"')
    expect(html).toMatch(/<details class="accordion" id="more">.*<p>y<\/p>/s)
  })
})

test('words that begin like code are shown as words', async () => {
  const { markdown } = await show('Text.\n\nexport the data to a file\n\nexport const x = 1\n\nValue {x}\n')
  expect(markdown).toBe('Text.\n\nexport the data to a file\n\nValue 1')
})
