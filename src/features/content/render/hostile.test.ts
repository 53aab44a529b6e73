import fc from 'fast-check'
import type { Element, Nodes, Root } from 'hast'
import { raw } from 'hast-util-raw'
import { describe, expect, test } from 'vitest'
import { renderInput } from '#tests/harness/render-input.ts'
import { fillTemplate } from './fill-template.ts'
import { indexPage, renderPage, usualParts } from './render-page.ts'
import type { RenderInput } from './rendered-page.ts'

// Links lead where the author says, as a site that resolves nothing would have them.
const fillers = { link: (url: string) => url, code: () => '<span>code</span>' }

// Smaller than usual, so that meeting them is quick.
const limits = { nodes: 5_000, characters: 200_000, snippets: 100, steps: 100_000 }
const parts = { ...usualParts, limits }

async function show(source: string, more?: Partial<RenderInput>) {
  const page = await renderPage(renderInput(source, more), parts)
  const { warnings } = await indexPage(renderInput(source, more), parts)
  const html = fillTemplate(page.html, fillers, 'html')
  return { html, markdown: fillTemplate(page.markdown, fillers, 'markdown'), warnings }
}

/** The page as a browser reads it. */
function elementsOf(html: string): Element[] {
  const found: Element[] = []
  const open: Nodes[] = [raw({ type: 'root', children: [{ type: 'raw', value: html }] } as unknown as Root)]
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'element') found.push(node)
    if ('children' in node) open.push(...node.children)
  }
  return found
}

const forbiddenElements = new Set(
  'script style iframe object embed frame frameset base link meta form noscript template textarea select use image animate set foreignObject annotation-xml applet param portal'.split(
    ' ',
  ),
)
const allowedSchemes = /^(?:https?|mailto|tel|sms|cursor|vscode|vscode-insiders):/i
const addresses = ['href', 'src', 'srcSet', 'poster', 'action', 'formAction', 'xLinkHref', 'data', 'cite', 'background']

/** Why a browser should not be given this, or null. */
function dangerIn(html: string): string | null {
  for (const { tagName, properties } of elementsOf(html)) {
    if (forbiddenElements.has(tagName)) return `<${tagName}>`
    for (const [name, value] of Object.entries(properties)) {
      if (/^on/i.test(name) || /^(?:style|srcDoc|formAction|action|ping|background|is|xmlBase)$/i.test(name))
        return name
      if (!addresses.includes(name)) continue
      // Browsers pass over control characters, and over space in front.
      const url = String(value).replace(/[\p{Cc}\s]/gu, '')
      const scheme = /^[a-z][a-z\d+.-]*:/i.exec(url)
      const isImage = tagName === 'img' && /^data:image\//i.test(url)
      if (scheme && !allowedSchemes.test(url) && !isImage) return `${name}=${String(value)}`
    }
  }
  return null
}

test('the judge of these tests sees what is dangerous', () => {
  expect(dangerIn('<p>x<script>go()</script>')).toBe('<script>')
  expect(dangerIn('<img src=x onerror=go()>')).toBe('onError')
  expect(dangerIn('<a href=" java\tscript:go()">x</a>')).toContain('href=')
  expect(dangerIn('<a href="https://a.example">x</a>')).toBeNull()
})

describe('nothing that runs is left of', () => {
  const url = 'javascript:alert(1)'
  test.each([
    ['a script', '<script>alert(1)</script>'],
    ['a script in an expression', '{<script>alert(1)</script>}'],
    ['a script in a component', 'export const A = () => <div><script src="https://a.example/x.js" /></div>\n\n<A />'],
    [
      'a script in a drawing',
      '<svg><script>alert(1)</script><a xlinkHref="javascript:alert(1)"><text>x</text></a></svg>',
    ],
    ['a drawing that holds HTML', '<svg><foreignObject><iframe src="javascript:alert(1)" /></foreignObject></svg>'],
    ['a drawing that moves', '<svg><a><animate attributeName="href" values="javascript:alert(1)" /></a></svg>'],
    ['a style', '<style>{`body { background: url(https://a.example) }`}</style>'],
    [
      'a form',
      '<form action="javascript:alert(1)"><input type="image" src="x" formAction="javascript:alert(1)" /></form>',
    ],
    ['a frame', '<iframe src="javascript:alert(1)" srcDoc="<script>alert(1)</script>" />'],
    ['an object', '<object data="javascript:alert(1)"></object>'],
    ['an embedded file', '<embed src="javascript:alert(1)" />'],
    ['a base', '<base href="https://evil.example" />'],
    ['a refresh', '<meta httpEquiv="refresh" content="0;url=javascript:alert(1)" />'],
    ['a stylesheet', '<link rel="stylesheet" href="https://evil.example/x.css" />'],
    ['a handler', '<img src="x" onerror="alert(1)" onError="alert(1)" onLoad={() => alert(1)} />'],
    ['a handler by spread', '<img {...{ onError: "alert(1)", src: "x" }} />'],
    ['a handler of a card', '<Card title="t" onClick="alert(1)" />'],
    ['a style attribute', '<div style="background:url(javascript:alert(1))">x</div>'],
    ['inner HTML', '<div dangerouslySetInnerHTML={{ __html: "<script>alert(1)</script>" }} />'],
    [
      'forged nodes',
      "<Card title='t' icon={{ type: 'nodes', children: [{ type: 'html', value: '<script>' }] }}>x</Card>",
    ],
    [
      'forged nodes by properties',
      "export const A = (props) => <Card icon={props}>x</Card>\n\n<A type='nodes' children='x' />",
    ],
    ['forged hast', "<Card title={{ type: 'element', tagName: 'script', properties: {}, children: [] }}>x</Card>"],
    ['a link', `[a](${url})`],
    ['a link with space', '[a](<\u0001java\tscript:alert(1)>)'],
    ['a link with references', '[a](&#106;avascript&colon;alert(1))'],
    ['a link with capitals', '[a](JaVaScRiPt:alert(1))'],
    ['a link in brackets', '<a href="javascript:alert(1)">x</a>'],
    ['a link by expression', '<a href={"java" + "script:alert(1)"}>x</a>'],
    ['a link by reference', `[a][b]\n\n[b]: ${url}`],
    ['an image', `![a](${url})`],
    ['an image by reference', `![a][b]\n\n[b]: ${url}`],
    ['a page as data', '[a](data:text/html,<script>alert(1)</script>) ![a](data:text/html,x)'],
    ['a file', '[a](file:///etc/passwd) [b](vbscript:x) [c](blob:x) [d](about:blank)'],
    ['a card', `<Card title="t" href="${url}" img="${url}" icon="${url}" />`],
    ['a tile', `<Tile href="${url}"><img src="${url}" /></Tile>`],
    ['a tooltip', `<Tooltip tip="t" cta="c" href="${url}">x</Tooltip>`],
    ['a video', `<video src="${url}" poster="${url}"><source src="${url}" srcSet="${url} 1x" /></video>`],
    ['candidates', `<img src="x" srcSet="a.png 1x, ${url} 2x" />`],
    ['an icon', `<Icon icon="${url}" />`],
    ['a name', '<a name="x" href="javascript:alert(1)" target="_blank" ping="https://evil.example">x</a>'],
    ['a heading', '## <img src="x" onerror="alert(1)" /> {"<script>"} {#x" onclick="alert(1)}'],
    ['a language of code', '```"><script>alert(1)</script>\nx\n```'],
    ['a title of code', '```js "><img src=x onerror=alert(1)>\nx\n```'],
    ['a diagram', '```mermaid\nclick A "javascript:alert(1)"\n</pre><script>alert(1)</script>\n```'],
    ['a formula', '$\\href{javascript:alert(1)}{x} \\url{javascript:alert(1)} \\includegraphics{x}$'],
    ['a footnote', 'a[^<script>]\n\n[^<script>]: <script>alert(1)</script>'],
    ['a class', '<div className={`"><script>alert(1)</script>`}>x</div>'],
  ])('%s', async (_, source) => {
    const { html, markdown } = await show(source)
    expect(dangerIn(html)).toBeNull()
    expect(markdown).not.toMatch(/\]\(\s*<?(?:javascript|data|vbscript|file):/i)
  })

  test.each([
    ['a script', '<script>alert(1)</script>'],
    ['a script in parts', '<scr\n\nipt>alert(1)</script>\n\n<<script>script>alert(1)</script>'],
    ['a handler', '<img src=x onerror=alert(1)>\n\n<b onmouseover=alert(1)>x</b>'],
    ['a link', '<a href="jav&#x09;ascript:alert(1)">x</a> <a href=" javascript:alert(1)">y</a>'],
    ['a document', '<html><head><base href="//evil"></head><body onload=alert(1)>x</body></html>'],
    ['a text area', '<textarea><script>alert(1)</script></textarea> <title><img src=x onerror=alert(1)></title>'],
    ['a drawing', '<svg onload=alert(1)><script>alert(1)</script><use href="data:image/svg+xml,x#y"/></svg>'],
    [
      'a formula',
      '<math href="javascript:alert(1)"><annotation-xml encoding="text/html"><script>alert(1)</script></annotation-xml></math>',
    ],
    [
      'confused parents',
      '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    ],
    ['confused templates', '<noscript><p title="</noscript><img src=x onerror=alert(1)>">'],
    ['a comment', '<!--><script>alert(1)</script>-->\n\n<!-- x --!><img src=x onerror=alert(1)>'],
    ['a declaration', '<![CDATA[<script>alert(1)</script>]]>\n\n<?php echo "<script>" ?>\n\n<!DOCTYPE x>'],
  ])('%s in a page of .md', async (_, source) => {
    const { html } = await show(source, { path: 'page.md' })
    expect(dangerIn(html)).toBeNull()
  })
})

test('for no page made of such pieces does anything come out that runs', async () => {
  const piece = fc.constantFrom(
    ...[
      '<script>',
      '</script>',
      '<img src=x onerror=alert(1)>',
      '<a href="javascript:alert(1)">',
      '</a>',
      '<svg>',
      '</svg>',
    ],
    ...[
      '<math>',
      '<mtext>',
      '<style>',
      '</style>',
      '<!--',
      '-->',
      '<table>',
      '<td>',
      '</table>',
      '<div onclick="x()">',
    ],
    ...[
      '</div>',
      '[a](javascript:x)',
      '![b](data:text/html,x)',
      '`',
      '```\n',
      '{',
      '}',
      '{<b>}',
      '"',
      "'",
      '>',
      '<',
      '\n\n',
    ],
    ...[
      '<Card title="',
      '" href="javascript:x"',
      '/>',
      '<Tabs>',
      '</Tabs>',
      '<Tab title="a">',
      '</Tab>',
      '# h',
      '{#a"b}',
    ],
    ...[
      '&lt;script&gt;',
      '&#60;script>',
      '\\<script>',
      '<iframe srcdoc="<script>">',
      '<title>',
      '<textarea>',
      '$\\href{javascript:x}{y}$',
    ],
    ...[
      'text',
      ' ',
      '- ',
      '> ',
      '| a |\n|-|\n',
      '[^1]',
      '\n\n[^1]: ',
      '\0',
      '\u2028',
      '😀',
      '<p>',
      '</p>',
      '<b>',
      '</b>',
    ],
  )
  const page = fc.record({
    source: fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join('')),
    path: fc.constantFrom('page.mdx', 'page.md'),
  })
  await fc.assert(
    fc.asyncProperty(page, async ({ source, path }) => {
      const { html } = await show(source, { path })
      expect(dangerIn(html)).toBeNull()
    }),
    { numRuns: 300 },
  )
})

test('nor for any values of attributes', async () => {
  const attribute = fc.constantFrom(
    'href',
    'src',
    'srcSet',
    'title',
    'id',
    'className',
    'icon',
    'img',
    'poster',
    'alt',
    'name',
    'xlinkHref',
  )
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom(
      'javascript:x',
      ' \tjavascript:x',
      'JAVASCRIPT:x',
      'java\nscript:x',
      '"><script>',
      'data:text/html,x',
      '//evil',
      '\\\\evil',
    ),
  )
  const name = fc.constantFrom(
    'a',
    'img',
    'video',
    'source',
    'svg',
    'path',
    'Card',
    'Icon',
    'Tile',
    'Tooltip',
    'Frame',
    'Accordion',
    'Step',
    'math',
    'x-y',
  )
  await fc.assert(
    fc.asyncProperty(name, fc.array(fc.tuple(attribute, value), { maxLength: 4 }), async (element, given) => {
      const attributes = given.map(([key, text]) => `${key}={${JSON.stringify(text)}}`).join(' ')
      const { html } = await show(`<${element} ${attributes}>x</${element}>`)
      expect(dangerIn(html)).toBeNull()
    }),
    { numRuns: 150 },
  )
})

describe('expressions reach nothing but what the page writes', () => {
  test.each([
    'process.env.PATH',
    'process.exit(1)',
    'globalThis',
    'global.process',
    'require("fs")',
    'import("node:fs")',
    'import.meta.url',
    'this',
    'this.constructor',
    'Function("return process")()',
    '(() => {}).constructor("return process")()',
    '[].constructor.constructor("return process")()',
    '"".constructor',
    '"x".__proto__',
    '[]["map"]["constructor"]',
    '[1].map.constructor("x")()',
    '[1].map(Function)',
    '[1].map(alert)',
    '[1].filter((x) => x)',
    '[1].map((x) => { while (true) {} })',
    '[1].map(async (x) => x)',
    '[1].map(function* (x) { yield x })',
    'new Date()',
    'new (class { constructor() { return process } })()',
    'Object.keys({ a: 1 })',
    'JSON.stringify({})',
    'Math.random()',
    'window.location',
    'document.cookie',
    'eval("1")',
    'setTimeout(() => {}, 0)',
    'fetch("https://evil.example")',
    '(function () { return this })()',
    `\`\${process}\``,
    'String.raw`x`',
    'a = 1',
    'delete a.b',
    'await x',
    'super.x',
    'new.target',
    '/(a+)+$/.test("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!")',
    '"a".repeat(1e9)',
    'Array(1e9).fill(0)',
    '1n ** 100000n',
    '2 ** 100000',
    'props.constructor',
    'undefined.x',
  ])('%s', async (expression) => {
    const { html, warnings } = await show(`A {${expression}} b\n\n<b title={${expression}}>c</b>\n\nThe end`)
    expect(html).not.toMatch(/\[native code|\[object |\/usr\//)
    expect(html).toContain('<p>The end</p>')
    expect(warnings.length).toBeGreaterThan(0)
  })

  test.each([
    ['a prototype by literal', '{({ __proto__: { x: "reached" } }).x}'],
    ['one by computed name', '{({ ["__proto__"]: { x: "reached" } }).x}'],
    ['one by spread', 'export const A = (props) => <i>{props.x}</i>\n\n<A {...{ __proto__: { x: "reached" } }} />'],
    ['one by attribute', 'export const A = (props) => <i>{props.x}</i>\n\n<A __proto__={{ x: "reached" }} />'],
    ['one of a component', '<constructor />\n\n<toString />\n\n<Constructor.prototype />\n\n<__proto__ />'],
    ['one that every object has', 'a{({}).__proto__}{({}).constructor}{({ x: 1 })["constructor"]}b'],
    ['one of data', 'import d from "/d.json"\n\n{d.x}{d.__proto__}'],
  ])('%s', async (_, source) => {
    const files = {
      imports: { '/d.json': 'd.json' },
      snippets: { 'd.json': { source: '{"__proto__": {"x": "reached"}}', imports: {} } },
    }
    const { html } = await show(source, files)
    expect(html).not.toContain('reached')
    expect(({} as { x?: unknown }).x).toBeUndefined()
  })
})

describe('limits hold', () => {
  const bounded = async (source: string, more?: Partial<RenderInput>) => {
    const started = process.cpuUsage()
    const shown = await show(source, more)
    const { user, system } = process.cpuUsage(started)
    // A page may cost what a child has; what is far less is told by the tests of the renderer.
    expect((user + system) / 1e6).toBeLessThan(10)
    return shown
  }

  test('snippets that multiply', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `snippets/${index}.mdx`)
    const snippets = Object.fromEntries(
      names.map((path, index) => {
        const next = names[index + 1]
        const source = next ? `import N from '/${next}'\n\n${'<N />\n\n'.repeat(10)}` : 'ha'
        return [path, { source, imports: next ? { [`/${next}`]: next } : {} }]
      }),
    )
    const more = { imports: { '/snippets/0.mdx': 'snippets/0.mdx' }, snippets }
    const { html, warnings } = await bounded("Start\n\nimport N from '/snippets/0.mdx'\n\n<N />", more)
    expect(html).toContain('Start')
    expect(html).toContain('The rest of this page is not shown: it has too many snippets.')
    expect(warnings.at(-1)!.message).toContain('too many snippets')
  })

  test.each([
    [
      'lists',
      `export const a0 = ['ha','ha','ha','ha','ha','ha','ha','ha','ha','ha']\n`,
      (n: number) => `export const a${n} = [${`a${n - 1},`.repeat(10)}]\n`,
      '{a9}',
    ],
    [
      'texts',
      `export const a0 = 'hahahahaha'\n`,
      (n: number) =>
        `export const a${n} = ${Array(10)
          .fill(`a${n - 1}`)
          .join(' + ')}\n`,
      '{a9}',
    ],
    [
      'elements',
      `export const a0 = <b>ha</b>\n`,
      (n: number) => `export const a${n} = <b>${`{a${n - 1}}`.repeat(10)}</b>\n`,
      '{a9}',
    ],
    [
      'components',
      `export const A0 = () => <b>ha</b>\n`,
      (n: number) => `export const A${n} = () => <b>${`<A${n - 1} />`.repeat(10)}</b>\n`,
      '<A9 />',
    ],
    [
      'objects',
      `export const a0 = { x: 1 }\n`,
      (n: number) =>
        `export const a${n} = { ${Array.from({ length: 10 }, (_, at) => `k${at}: a${n - 1}`).join(', ')} }\n`,
      '<Card title="t" data={a9} />',
    ],
  ])('%s that multiply', async (_, first, next, last) => {
    const lines = Array.from({ length: 9 }, (__, index) => next(index + 1))
    const { html } = await bounded(`Start\n\n${first}${lines.join('')}\n\n${last}\n\nEnd`)
    expect(html).toContain('Start')
    expect(html.length).toBeLessThan(2_000_000)
    expect(html).toMatch(/not shown|End/)
  })

  test.each([
    ['components that use themselves', 'export const A = () => <b><A /></b>\n\n<A />'],
    ['components that use each other', 'export const A = () => <B />\nexport const B = () => <A />\n\n<A />'],
    ['names made of each other', 'export const a = b\nexport const b = a\n\n{a}'],
    ['elements in elements', `${'<b>'.repeat(400)}x${'</b>'.repeat(400)}`],
    ['quotes in quotes', `${'> '.repeat(400)}x`],
    ['lists in lists', Array.from({ length: 200 }, (_, index) => `${'  '.repeat(index)}- x`).join('\n')],
    ['arrays in arrays', `{${'['.repeat(55)}1${']'.repeat(55)}}`],
    ['choices in choices', `{${'1 ? '.repeat(2_000)}1${' : 2'.repeat(2_000)}}`],
    ['sums of sums', `{${'1 + '.repeat(5_000)}1}`],
    ['emphasis', `${'*a **b '.repeat(2_000)}`],
  ])('%s', async (_, source) => {
    const { html } = await bounded(`Start\n\n${source}\n\nEnd`)
    expect(html.length).toBeGreaterThan(0)
    expect(html.length).toBeLessThan(2_000_000)
  })

  test.each([
    ['elements in elements', '<div>'.repeat(20_000)],
    ['formatting that is never closed', '<b><i><u>'.repeat(300)],
    ['attributes', `<p ${'a=b '.repeat(20_000)}>`],
  ])('%s of HTML', async (_, source) => {
    const { html } = await bounded(`Start\n\n${source}\n\nEnd`, { path: 'page.md' })
    expect(html).toContain('Start')
    expect(html).toContain('End')
  })

  test('a page of more than two megabytes says so', async () => {
    const { html, warnings } = await bounded('word '.repeat(500_000))
    expect((await bounded('', { isTooLarge: true })).html).toContain('too large')
    expect(html).toContain('too large')
    expect(warnings).toHaveLength(1)
  })
})

test('imports lead only where the tree says, whatever is written', async () => {
  const source = [
    '../../etc/passwd',
    '/etc/passwd',
    'file:///etc/passwd',
    '%2e%2e/x',
    'https://evil.example/x.mdx',
    'node:fs',
    '__proto__',
    'constructor',
  ]
    .map((path, index) => `import A${index} from '${path}'`)
    .join('\n')
  const uses = Array.from({ length: 8 }, (_, index) => `<A${index} />`).join('\n\n')
  const { html, warnings } = await show(`${source}\n\n${uses}\n\nEnd`)
  expect(html).not.toContain('root:')
  expect(html).toContain('<p>End</p>')
  expect(warnings.filter(({ message }) => message.includes('is not shown'))).toHaveLength(8)
})
