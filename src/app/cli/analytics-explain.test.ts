import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runCli } from './cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'docent-explain-'))
beforeAll(() => {
  vi.stubEnv('DOCENT_DATA', folder)
  mkdirSync(join(folder, 'ranges'))
  const list = { fetchedAt: new Date().toISOString(), prefixes: ['20.125.66.80/28'] }
  writeFileSync(join(folder, 'ranges', 'openai-gptbot.json'), JSON.stringify(list))
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

async function run(...words: string[]) {
  const said = { out: '', error: '' }
  const stream = (name: 'out' | 'error') => ({ write: (text: string) => (said[name] += text) })
  const code = await runCli(['analytics', ...words], { stdout: stream('out'), stderr: stream('error') })
  return { code, ...said }
}

const gptbot = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)'

test('a request is explained without a server: the verdict, what it counts as, and every rule in its order', async () => {
  const { code, out } = await run('explain', '--ua', gptbot)
  expect(code).toBe(0)
  const lines = out.split('\n').map((line) => line.trim().replace(/ {2,}/g, ' | '))
  expect(lines.slice(0, 5)).toEqual([
    'category | training',
    'client | GPTBot',
    'why | user agent list: GPTBot',
    'verification | claimed',
    'counts as | AI',
  ])
  expect(lines.slice(8, 15).map((line) => line.replace(/^→ /, '').split(' | ')[0])).toEqual([
    'the project’s own rules',
    'Web Bot Auth signature',
    'user-agent lists',
    'Markdown preference',
    'published address ranges',
    'HTTP libraries',
    'browser evidence',
  ])
  expect(lines.filter((line) => line.startsWith('→'))).toEqual([
    '→ user-agent lists | training: user agent list: GPTBot',
  ])
})

test.each<[string[], object]>([
  [['--ua', gptbot, '--ip', '20.125.66.81'], { category: 'training', verification: 'verified', countsAs: 'ai' }],
  [['--ua', gptbot, '--ip', '192.0.2.1'], { category: 'unknown', verification: 'spoofed', countsAs: null }],
  [['--ua', 'node', '--accept', 'text/markdown, */*'], { category: 'agent', client: 'Node.js', countsAs: 'ai' }],
  [['--ua', 'node', '--accept', '*/*'], { category: 'unknown', client: 'Node.js', countsAs: null }],
  [
    ['--ua', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
    { category: 'human', countsAs: 'human' },
  ],
  [
    [
      '--ua',
      'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      '--accept',
      '',
      '--accept-language',
      '',
    ],
    { category: 'unknown' },
  ],
  [[], { category: 'unknown', reason: 'no user agent' }],
])('with --json, %j is %j', async (options, expected) => {
  const { code, out } = await run('explain', ...options, '--json')
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject(expected)
  expect(JSON.parse(out).rules).toHaveLength(7)
  expect(JSON.parse(out).listVersion).toMatch(/ ranges-\d{4}-\d\d-\d\d$/)
})

test('an address that is none is refused', async () => {
  const { code, error } = await run('explain', '--ip', '1.2.3')
  expect(code).toBe(2)
  expect(error).toContain('Expected an address such as 203.0.113.7 or 2001:db8::1, found "1.2.3".')
})

test('the lists that are there are listed, with what to do about the others', async () => {
  const { code, out } = await run('ranges', 'list')
  expect(code).toBe(0)
  expect(out).toMatch(/openai-gptbot +OpenAI +1 +\d{4}-\d\d-\d\d +https:\/\/openai\.com\/gptbot\.json/)
  expect(out).toMatch(/not there: docent analytics ranges update\n$/)
})

test('a list that does not exist is not updated', async () => {
  const { code, error } = await run('ranges', 'update', '--only', 'openai')
  expect(code).toBe(2)
  expect(error).toContain('There is no list "openai". There is: openai-chatgpt-user,')
})

test('without a way to the operators, it says what that means and what to do', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND openai.com') })
  })
  try {
    const kept = await run('ranges', 'update', '--only', 'openai-gptbot')
    expect(kept).toMatchObject({
      code: 6,
      out: expect.stringContaining('not updated: getaddrinfo ENOTFOUND openai.com'),
    })
    expect(kept.error).toMatch(/No list could be fetched\. What was there before is still in use\.\n.*HTTPS_PROXY/)
    const none = await run('ranges', 'update', '--only', 'bing')
    expect(none.error).toContain('Views are counted all the same')
  } finally {
    vi.unstubAllGlobals()
  }
})

test('commands of three words are found, guessed at, and listed by what they start with', async () => {
  expect((await run('ranges', 'updat')).error).toContain('Did you mean docent analytics ranges update?')
  expect((await run('ranges')).error).toContain('There is: analytics ranges update, analytics ranges list.')
  const help = await run('ranges', '--help')
  expect(help.code).toBe(0)
  expect(help.out).toContain('analytics ranges list')
  expect(help.out).not.toContain('analytics explain')
})
