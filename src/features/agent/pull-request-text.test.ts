import fc from 'fast-check'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { describe, expect, test } from 'vitest'
import { commitMessage, neutralise, pullRequestBody, pullRequestTitle } from './pull-request-text.ts'

/** What a host would make of the text: GitHub-flavoured Markdown by another parser than any of ours. */
const markdown = unified().use(remarkParse).use(remarkGfm)

interface Node {
  type: string
  value?: string
  url?: string
  children?: Node[]
}

function nodesOf(node: Node): Node[] {
  return [node, ...(node.children ?? []).flatMap(nodesOf)]
}

/** Whatever would act, as a host sees it. */
function actingParts(text: string): string[] {
  const nodes = nodesOf(markdown.parse(text) as Node)
  const isOutside = (url = '') => /^([a-z][a-z0-9+.-]*:|[\\/]{2})/i.test(url)
  return nodes.flatMap((node) => {
    if (['image', 'imageReference', 'html', 'definition'].includes(node.type)) return [node.type]
    if (node.type === 'link' && isOutside(node.url)) return [`link to ${node.url}`]
    if (node.type !== 'text') return []
    return node.value!.match(/@[\w{[-]|#\d|(?<=^|\s)#\w|\bGH-\d|(?<![\w&])[!$&]\d|[%~][\w"]|https?:\/\/|www\./g) ?? []
  })
}

describe('text for a pull request', () => {
  test.each([
    ['a mention', 'Thanks @octocat!'],
    ['a mention of a team', '@acme/docs, look'],
    ['a reference that closes an issue', 'Fixes #12, closes acme/docs#3 and GH-4'],
    ['references of GitLab', 'See !5, ~bug, %"v1", $3, &7'],
    ['a picture', '![tracking](https://evil.example/pixel.png)'],
    ['a picture by reference', '![a][b]\n\n[b]: https://evil.example/p.png'],
    [
      'a link to elsewhere',
      'Read [this](https://evil.example) and [that](//evil.example) and [x](javascript:alert(1))',
    ],
    ['a bare address', 'https://evil.example www.evil.example someone@evil.example'],
    ['HTML', '<img src=x onerror=alert(1)> <!-- hidden --> <details>'],
    ['an entity', '&#64;octocat &commat;octocat http&colon;//evil.example'],
    ['a mention behind code that is none', 'a ` b\n`@octocat`'],
    ['a mention behind an escaped backtick', '\\`@octocat`'],
    ['a mention below a fence that ended with its list', '- a\n  ```\n@octocat'],
    ['a fence that never ends, and what comes after it', '```\ncode\n'],
    ['references with an escape in them', 'a ~\\_bug %\\"v1" @\\_octocat @\\[a] #\\_comment'],
    ['a mention below a fence with another mark in it', '~~~ a`b\n~~~\n@octocat\n~~~'],
  ])('%s does nothing', (_, text) => {
    expect(actingParts(`${neutralise(text)}\n\nAfter it.`)).toEqual([])
  })

  test.each(['/merge', '  /close', '> /assign me', '- /label ~bug', '/approve\n/merge'])(
    'a quick action is none: %j',
    (text) => {
      expect(neutralise(`Before\n${text}`)).not.toMatch(/^[\s>*+-]*\/\w/m)
    },
  )

  test('code, links inside the docs and ordinary words stay as they are', () => {
    const text =
      'Renamed `@acme/sdk#1` in **three** pages; see [the guide](/guides/start#setup), [next](../next.mdx) – done.\n\n' +
      '```js\nconst url = "https://example.com/@a#1"\n```\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n'
    expect(neutralise(text)).toBe(text)
  })

  test('whatever it is made of does nothing, and reading takes no long time', () => {
    const piece = fc.constantFrom(
      ...[
        '@a',
        '#1',
        'acme/docs#2',
        'GH-3',
        '!4',
        '~b',
        '%"m"',
        '`',
        '``',
        '```',
        '~~~',
        '\n',
        '\n\n',
        ' ',
        '    ',
        '\t',
      ],
      ...[
        '[',
        ']',
        '(',
        ')',
        '![',
        '](',
        '](//e',
        '](https://e',
        '<',
        '>',
        '<b>',
        '-->',
        '&#64;',
        '&commat;',
        '\\',
        '\r\n',
      ],
      ...[
        'https://e.example',
        'www.e.example',
        '- ',
        '> ',
        '1. ',
        '# ',
        '|',
        '---',
        '[a]: //e',
        '[a][b]',
        '*',
        '_',
        'word',
      ],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        expect(actingParts(`${neutralise(pieces.join(''))}\n\nAfter it.`)).toEqual([])
      }),
      { numRuns: 3000 },
    )
  })

  test.each(['[', '](', '`', '\\', '![', '](a:', '@', '#', '<', 'a.b-', ' ', '&'])(
    'ten thousand of %j are no trouble',
    (unit) => {
      expect(neutralise(unit.repeat(10_000)).length).toBeGreaterThan(0)
    },
    2_000,
  )
})

test('a title is one line of at most 100 characters that does nothing', () => {
  expect(pullRequestTitle('  Fix\n\n#1 for @a  ')).toBe('Fix #\u20601 for @\u2060a')
  expect(pullRequestTitle('```')).toBe('\\`\\`\\`')
  expect([...pullRequestTitle('x'.repeat(300))]).toHaveLength(100)
})

test('a commit message has the title, the summary and the job, and closes nothing', () => {
  const message = commitMessage({ title: 'Rename', summary: 'Closes #1', jobId: 'job_1' })
  expect(message).toBe('Rename\n\nCloses #\u20601\n\nDocent-Job: job_1\n')
})

test('the body tells what was done, checked and changed, also when names are hostile', () => {
  const problem = { path: 'a`b.mdx', line: 3, message: 'No page @here', rule: 'link', column: 1, hint: null, key: 'k' }
  const body = pullRequestBody({
    jobId: 'job_1',
    summaries: ['First thing.', 'Second thing for @you.'],
    check: {
      introduced: [problem] as never,
      problems: [problem, problem] as never,
      pages: 5,
      links: 7,
      scope: 'whole',
    },
    changes: [
      { path: 'x`y](https://evil.example)\n# z.mdx', kind: 'added' },
      ...Array.from({ length: 60 }, (_, index) => ({ path: `p${index}.mdx`, kind: 'changed' as const })),
    ],
  })
  expect(actingParts(body)).toEqual([])
  expect(body).toMatch(/First thing\.\n\nSecond thing/)
  expect(body).toContain('Checked 5 pages and 7 links: this change brings 1 problem; 1 problem was there before.')
  expect(body).toContain('and 11 more')
})

test('the body says so when only the changed pages were checked', () => {
  const check = { introduced: [], problems: [], pages: 2, links: 1, scope: 'changes' as const }
  const body = pullRequestBody({ jobId: 'job_1', summaries: ['Thing.'], check, changes: [] })
  expect(body).toContain(
    'Checked 2 changed pages and 1 link: this change breaks nothing. The other pages were not checked: nothing changed that they depend on.',
  )
})
