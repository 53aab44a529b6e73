import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DiffLine } from '#infra/git/read-diff.ts'
import type { Change } from './change.ts'
import { differing, pieces, splitView, unifiedView } from './diff-view.ts'
import { escapeHtml, html, visible } from './html.ts'
import { renderListPage } from './list-page.ts'
import { renderMarkdown } from './markdown.ts'
import { renderPullPage } from './pull-page.ts'

const fragments = [
  ...[
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '"><svg onload=x>',
    "' onclick='x",
    '</title>',
    '</style>',
  ],
  ...[
    '<!--',
    '-->',
    ']]>',
    '&lt;',
    '&#60;script&#62;',
    '</textarea>',
    '<a href="javascript:x">',
    '\u2028',
    '\u202e',
    '\0',
  ],
  ...[
    '[x](javascript:alert(1))',
    '[x](https://a.test/"onclick=x)',
    '[x](data:text/html,x)',
    'https://a.test/"><b>',
    '`',
    '```\n',
  ],
  ...[
    '**',
    '*',
    '> ',
    '- ',
    '# ',
    '1. ',
    '\n',
    '\n\n',
    '    ',
    '\\',
    '[',
    ']',
    '(',
    ')',
    '![x](https://a.test/x.png)',
    '=',
    ' ',
  ],
]
const hostile = fc.oneof(
  fc.array(fc.constantFrom(...fragments), { maxLength: 12 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
)

// What our own templates write, and what no text may add to.
const tags = new Set(
  'html head meta title link body a header nav main h1 h2 h3 h4 p span section div ul ol li pre code strong em blockquote hr form input button time table caption colgroup col thead tbody tr th td mark'.split(
    ' ',
  ),
)
const attributes = new Set(
  'lang charset name content rel href class id method action type value datetime scope colspan role'.split(' '),
)

/** Reads the page as strictly as a parser does, and fails at anything that our templates do not write. */
function expectOwnMarkup(page: string): void {
  const text = page.replace(/^<!doctype html>\n/, '')
  let at = 0
  for (const match of text.matchAll(/<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"<>]*")?)*)>/g)) {
    const between = text.slice(at, match.index)
    expect(between).not.toMatch(/[<>]/)
    expect(between.replace(/&(amp|lt|gt|quot|#39);/g, '')).not.toContain('&')
    at = match.index + match[0].length
    expect(tags).toContain(match[2])
    for (const [, name = '', value = ''] of match[3]!.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)) {
      if (!name.startsWith('aria-')) expect(attributes).toContain(name)
      if (name === 'href') expect(value).toMatch(/^(https?:\/\/|\/git\/|#)/)
      if (name === 'action') expect(value).toMatch(/^\/git\//)
    }
  }
  expect(text.slice(at)).not.toMatch(/[<>]/)
}

const row = {
  projectId: 'prj_1',
  number: 1,
  draft: true,
  state: 'open',
  baseCommit: null,
  headCommit: null,
  mergeCommit: null,
  createdAt: new Date(0),
  updatedAt: new Date(0),
  endedAt: new Date(0),
}

const line = fc.record({
  kind: fc.constantFrom('context', 'added', 'deleted'),
  text: hostile.map((text) => text.replaceAll('\n', '')),
  isUnfinished: fc.boolean(),
})
const lines = fc.array(line, { minLength: 1, maxLength: 6 }).map((all) =>
  all.map(
    (one, index): DiffLine => ({
      ...one,
      kind: one.kind as DiffLine['kind'],
      oldNumber: one.kind === 'added' ? null : index + 1,
      newNumber: one.kind === 'deleted' ? null : index + 1,
    }),
  ),
)
const change: fc.Arbitrary<Change> = fc.record({
  commits: fc.array(
    fc.record({
      id: fc.constant('a'.repeat(40)),
      subject: hostile,
      authorName: hostile,
      date: fc.constant(new Date(0)),
    }),
    { maxLength: 2 },
  ),
  hasMoreCommits: fc.boolean(),
  isCut: fc.boolean(),
  files: fc.array(
    fc.record({
      status: fc.constantFrom('added', 'deleted', 'modified', 'renamed'),
      path: hostile,
      oldPath: hostile,
      oldMode: fc.constantFrom('100644', '160000'),
      newMode: fc.constantFrom('100644', '100755'),
      isBinary: fc.boolean(),
      added: fc.constantFrom(null, 3),
      deleted: fc.constantFrom(null, 3),
      hunks: lines.map((all) => [{ oldStart: 1, newStart: 1, lines: all }]),
      isCut: fc.boolean(),
      isShown: fc.boolean(),
      before: fc.constant(''),
      after: fc.constant(''),
    }),
    { maxLength: 3 },
  ),
}) as fc.Arbitrary<Change>

describe('text of strangers', () => {
  test('is never markup on the page of a pull request, whatever it says and wherever it stands', async () => {
    const highlighter = {
      // Colours of random lengths: they come from another thread, and need not fit.
      highlight: async (texts: unknown[]) =>
        texts.map(() => [
          [
            [1, 2],
            [3, 0],
            [2, 8],
          ] as [number, number][],
          [[900, 1]] as [number, number][],
        ]),
      close: async () => {},
    }
    const input = fc.record({
      project: fc.record({
        name: hostile,
        slug: fc.constant('docs'),
        repository: fc.constant('http://x.test/git/docs.git'),
      }),
      row: fc.record({ title: hostile, body: hostile, branch: hostile, base: hostile, endedBy: fc.option(hostile) }),
      change: fc.option(change),
      view: fc.constantFrom('unified', 'split'),
      head: fc.constantFrom(null, 'b'.repeat(40)),
      notice: fc.oneof(
        fc.constantFrom(null, { kind: 'moved' as const }, { kind: 'base_moved' as const }),
        fc.array(hostile, { maxLength: 3 }).map((files) => ({ kind: 'conflicts' as const, files })),
      ),
    })
    await fc.assert(
      fc.asyncProperty(input, async (page) => {
        const shown = { ...page, row: { ...row, ...page.row }, view: page.view as 'unified' | 'split' }
        expectOwnMarkup(await renderPullPage(shown, { highlighter }))
      }),
      { numRuns: 150 },
    )
  })

  test('is never markup on the list', () => {
    const rows = fc.array(fc.record({ title: hostile, body: hostile, branch: hostile, base: hostile }), {
      maxLength: 3,
    })
    fc.assert(
      fc.property(rows, hostile, (all, name) => {
        const page = renderListPage({
          project: { name, slug: 'docs', repository: 'http://x.test/git/docs.git' },
          state: 'open',
          counts: { open: 1, ended: 2 },
          rows: all.map((one) => ({ ...row, ...one, endedBy: null })),
          page: { limit: 50, offset: 50, hasMore: true },
        })
        expectOwnMarkup(page)
      }),
      { numRuns: 50 },
    )
  })

  test('would be seen by this test if it were', () => {
    for (const bad of [
      '<script>',
      '<a href="javascript:x">',
      '<p onclick="x">',
      '<p>a < b</p>',
      '<p>&x</p>',
      '<img src="x">',
    ]) {
      expect(() => expectOwnMarkup(bad)).toThrow()
    }
  })

  test('shows what nobody would see', () => {
    expect(visible('a\u202eb\u200bc\0d\r\te\n')).toBe('a[U+202E]b[U+200B]c[U+0000]d[U+000D]\te\n')
    expect(escapeHtml('<&>"\'\ud800')).toBe('&lt;&amp;&gt;&quot;&#39;\ufffd')
  })
})

describe('a summary', () => {
  test.each([
    ['plain text\nin lines', '<p>plain text\nin lines</p>'],
    ['# A\n\n### B', '<h3>A</h3><h4>B</h4>'],
    [
      '- one\n- [x] **two**\n  - three',
      '<ul><li class="level-0">one</li><li class="level-0">☑ <strong>two</strong></li><li class="level-1">three</li></ul>',
    ],
    ['1. a\n2. b', '<ol><li class="level-0">a</li><li class="level-0">b</li></ol>'],
    ['```js\n<b>*x*</b>\n```\nafter', '<pre class="code"><code>&lt;b&gt;*x*&lt;/b&gt;</code></pre><p>after</p>'],
    ['> quoted\n> *text*', '<blockquote><p>quoted\n<em>text</em></p></blockquote>'],
    ['`code` and \\*stars\\*', '<p><code>code</code> and *stars*</p>'],
    ['``a`b`` and `` `c` ``', '<p><code>a`b</code> and <code>`c`</code></p>'],
    ['&lt;Note> &amp;amp; @\u2060bob &copy;', '<p>&lt;Note&gt; &amp;amp; @bob &amp;copy;</p>'],
    ['a * b * c and 2*3*4', '<p>a * b * c and 2*3*4</p>'],
    ['[site](https://a.test/x)', '<p><a href="https://a.test/x" rel="nofollow noopener noreferrer">site</a></p>'],
    [
      'see https://a.test/x.',
      '<p>see <a href="https://a.test/x" rel="nofollow noopener noreferrer">https://a.test/x</a>.</p>',
    ],
    ['[a](javascript:x) [b](/here) [c](mailto:x@y)', '<p>[a](javascript:x) [b](/here) [c](mailto:x@y)</p>'],
    ['---', '<hr>'],
  ])('reads %j', (source, expected) => {
    expect(renderMarkdown(source).text).toBe(expected)
  })

  test.each([
    ['stars', '*'.repeat(60_000)],
    ['brackets', '['.repeat(60_000)],
    ['half links', '[a]('.repeat(15_000)],
    ['fences', '```\n'.repeat(15_000)],
    ['backticks', '`a'.repeat(30_000)],
    ['long backticks', '``a `b '.repeat(8_000)],
    ['quotes', '> '.repeat(30_000)],
    ['rules', '- '.repeat(30_000)],
    ['addresses', 'https://'.repeat(7_000)],
  ])('of nothing but %s takes no time', (_, source) => {
    const from = performance.now()
    renderMarkdown(source)
    expect(performance.now() - from).toBeLessThan(2_000)
  })
})

describe('a changed line', () => {
  test('marks what differs from the line on the other side, and only where that helps', () => {
    expect(differing('the old word', 'the new word')).toEqual({ from: 4, to: 7 })
    expect(differing('a😀b common end', 'a😁b common end')).toEqual({ from: 1, to: 3 })
    expect(differing('nothing', 'alike at all')).toBeNull()
    expect(differing('same', 'same')).toBeNull()
  })

  test('has all of its text, however it is coloured and marked', () => {
    const tokens = fc.array(fc.tuple(fc.nat(10), fc.nat(8)), { maxLength: 5 })
    const range = fc.tuple(fc.nat(20), fc.nat(20)).map(([from, size]) => ({ from, to: from + size }))
    const text = fc.string({ maxLength: 30 })
    fc.assert(
      fc.property(text, fc.option(tokens), fc.option(range), (source, colours, marked) => {
        const { text: shown } = pieces(source, { tokens: colours, marked })
        expect(shown.replace(/<[^>]*>/g, '')).toBe(escapeHtml(source.replaceAll('\r', '␍')))
      }),
    )
  })

  test('shows its carriage return only beside lines without one', () => {
    const hunkOf = (...texts: [before: string, after: string]) => {
      const [deleted, added] = texts.map((text, index) => ({
        kind: index === 0 ? ('deleted' as const) : ('added' as const),
        text,
        oldNumber: index === 0 ? 1 : null,
        newNumber: index === 0 ? null : 1,
        isUnfinished: false,
      }))
      return { oldStart: 1, newStart: 1, lines: [deleted!, added!] }
    }
    for (const view of [unifiedView, splitView]) {
      const show = (...texts: [string, string]) =>
        view({ hunks: [hunkOf(...texts)], colours: { before: null, after: null }, name: 'x' }).text
      expect(show('one\r', 'two\r')).not.toContain('␍')
      expect(show('one\r', 'one')).toContain('␍')
    }
  })

  test('stands once in either view', () => {
    fc.assert(
      fc.property(lines, (all) => {
        const input = {
          hunks: [{ oldStart: 1, newStart: 1, lines: all }],
          colours: { before: null, after: null },
          name: 'x',
        }
        const count = (page: string, word: string) => page.split(word).length - 1
        const [unified, split] = [unifiedView(input).text, splitView(input).text]
        const changed = all.filter(({ kind }) => kind !== 'context').length
        expect(count(unified, '<tr class="')).toBe(all.length)
        expect(count(split, 'class="line added"') + count(split, 'class="line deleted"')).toBe(changed)
      }),
    )
  })

  test('keeps its values apart from its markup', () => {
    expect(html`<p>${'<'}${[html`<b>${'&'}</b>`, null, false, 0]}</p>`.text).toBe('<p>&lt;<b>&amp;</b>0</p>')
  })
})
