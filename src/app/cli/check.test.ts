import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runCli } from './cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'docent-check-'))
afterAll(() => rmSync(folder, { recursive: true }))

function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

async function run(...words: string[]) {
  const said = { out: '', error: '' }
  const stream = (name: 'out' | 'error') => ({ write: (text: string) => (said[name] += text) })
  const code = await runCli(['check', ...words], { stdout: stream('out'), stderr: stream('error') })
  return { code, ...said }
}

write({
  'good/docs.json': '{ "navigation": { "pages": ["index"] } }',
  'good/index.mdx': '# Home\n\n[home](#home)',
  'repository/docs/docs.json': '{ "navigation": { "pages": ["index", "guide"] } }',
  'repository/docs/index.mdx': '# Home\n\n[x](/guide) \u001b[2J\n\n<Note>',
  'repository/README.md': '# Code',
  'code/main.js': '',
})

test('docs without problems end with 0', async () => {
  const { code, out } = await run(join(folder, 'good'))
  expect(code).toBe(0)
  expect(out).toBe('No problems; 1 page and 1 link checked.\n')
})

test('problems are listed by file and end with 1; the docs of a repository are found', async () => {
  const { code, out } = await run(join(folder, 'repository'))
  expect(code).toBe(1)
  expect(out.split('\n')).toEqual([
    'docs.json',
    expect.stringMatching(/^ {2}1:\d+ {2}navigation {2}The page guide in the navigation does not exist\./),
    '',
    'index.mdx',
    expect.stringMatching(/^ {2}5:1 {3}mdx {9}Expected a closing tag/),
    '',
    '2 problems in 2 files; 1 page and 0 links checked.',
    '',
  ])
})

test('--json gives the same for programs', async () => {
  const { code, out } = await run(join(folder, 'repository'), '--json')
  expect(code).toBe(1)
  expect(JSON.parse(out)).toMatchObject({
    pages: 1,
    problems: [
      { rule: 'navigation', path: 'docs.json' },
      { rule: 'mdx', path: 'index.mdx', line: 5, column: 1 },
    ],
  })
})

test.each([
  ['a folder without docs', ['code'], 'There are no docs in'],
  ['a folder that is not there', ['./nowhere'], 'There is no folder'],
])('%s is said and ends with 4', async (_, [path], message) => {
  const { code, error } = await run(path!.startsWith('.') ? path! : join(folder, path!))
  expect(code).toBe(4)
  expect(error).toContain(message)
})
