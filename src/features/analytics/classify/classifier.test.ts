import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Category, categories, verifications } from '#backends/events/view.ts'
import type { ProjectRule } from '../settings/analytics-settings.ts'
import rows from './classified-requests.json' with { type: 'json' }
import { createClassifier } from './classifier.ts'
import { crawlerListVersions } from './crawler-list.ts'
import type { Evidence } from './evidence.ts'
import { knownClients } from './known-clients.ts'
import { fileNames } from './ranges/range-folder.ts'
import { rangeSources } from './ranges/range-sources.ts'
import { thumbprint } from './signature/key-directory.ts'

const log = pino({ level: 'silent' })
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36'
const html = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const start = Date.UTC(2026, 10, 15)
const dayMs = 24 * 60 * 60 * 1000

let folder: string
let now: number
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docent-ranges-'))
  now = start
})
afterEach(() => rmSync(folder, { recursive: true }))

const open = () => createClassifier({ rangesFolder: folder, log, clock: { now: () => new Date(now) } })

function publish(name: string, prefixes: string[], fetchedAt = now): void {
  const file = { name, fetchedAt: new Date(fetchedAt).toISOString(), prefixes }
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(file))
}

const ask = (evidence: Partial<Evidence>, rules: ProjectRule[] = [], path = '/guide') =>
  open().classify({ source: 'page', userAgent: null, ...evidence }, { path, rules })

interface Row {
  userAgent: string
  accept?: string | null
  acceptLanguage?: string | null
  category: Category
  client: string | null
  source: string
}

describe('real requests', () => {
  const table: Row[] = rows as Row[]

  test('there are enough of them, each with its source and none twice', () => {
    expect(table.length).toBeGreaterThanOrEqual(150)
    expect(table.filter(({ category }) => category === 'human').length).toBeGreaterThanOrEqual(40)
    expect(table.every(({ source }) => source.length > 5)).toBe(true)
    const requests = table.map(({ userAgent, accept, acceptLanguage }) =>
      JSON.stringify([userAgent, accept, acceptLanguage]),
    )
    expect(requests.filter((request, place) => requests.indexOf(request) !== place)).toEqual([])
    expect(new Set(table.map(({ category }) => category))).toEqual(new Set(categories))
  })

  test.each(table)('$category $client: $userAgent $accept', ({ category, client, source: _, ...headers }) => {
    const verdict = ask(headers)
    expect({ category: verdict.category, client: verdict.client }).toEqual({ category, client })
  })
})

describe('Markdown preference', () => {
  test.each<[string, string | null | undefined, Category]>([
    ['Markdown first', 'text/markdown, text/html, */*', 'agent'],
    ['Markdown with the higher quality', 'text/html;q=0.8, text/markdown;q=0.9', 'agent'],
    ['HTML with the higher quality', 'text/markdown;q=0.5, text/html;q=0.9', 'human'],
    ['anything', '*/*', 'human'],
    ['a browser’s', html, 'human'],
    ['no header', null, 'human'],
    ['not known', undefined, 'human'],
  ])('of a browser’s user agent, %s', (_, accept, category) => {
    const evidence = accept === undefined ? {} : { accept }
    expect(ask({ userAgent: chrome, acceptLanguage: 'en', ...evidence }).category).toBe(category)
  })

  test('one Accept header beside one library is Claude Code as it was', () => {
    const evidence = { userAgent: 'axios/1.8.4', accept: 'text/markdown, text/html, */*' }
    expect(ask(evidence)).toMatchObject({ category: 'agent', client: 'Claude Code' })
    expect(ask({ ...evidence, userAgent: 'okhttp/4.9' })).toMatchObject({ category: 'agent', client: 'okhttp' })
  })

  test('comes after the lists: a listed crawler that prefers Markdown stays what it is', () => {
    expect(ask({ userAgent: 'GPTBot/1.2', accept: 'text/markdown' })).toMatchObject({ category: 'training' })
  })

  test('comes before HTTP libraries, and names the library', () => {
    expect(ask({ userAgent: 'Go-http-client/2.0', accept: 'text/markdown' })).toMatchObject({
      category: 'agent',
      client: 'Go',
    })
  })

  test('gives a client that is on no list the name it has', () => {
    expect(ask({ userAgent: 'NewAgent/0.1', accept: 'text/markdown, */*' })).toMatchObject({
      category: 'agent',
      client: 'NewAgent',
    })
  })
})

describe('words of bots', () => {
  test.each<[string, string | null, Category]>([
    ['ExampleCrawler/1.0', null, 'bot'],
    ['ExampleCrawler/1.0', 'text/markdown', 'bot'],
    [`${chrome} (+https://example.com/about)`, html, 'bot'],
    ['ExampleThing/1.0 (+https://example.com/about)', '*/*', 'bot'],
    ['ExampleThing/1.0 (+https://example.com/about)', 'text/markdown, */*', 'agent'],
    ['ExampleThing/1.0', '*/*', 'unknown'],
  ])('%s that accepts %s is of the category %s', (userAgent, accept, category) => {
    expect(ask({ userAgent, accept, acceptLanguage: 'en' }).category).toBe(category)
  })
})

describe('browser evidence', () => {
  test.each<[string, Partial<Evidence>, Category]>([
    ['neither header is known', {}, 'human'],
    ['both headers are missing', { accept: null, acceptLanguage: null }, 'unknown'],
    ['anything is accepted in no language', { accept: '*/*', acceptLanguage: null }, 'unknown'],
    ['HTML is accepted in no language', { accept: html, acceptLanguage: null }, 'human'],
    ['anything is accepted in some language', { accept: '*/*', acceptLanguage: 'de' }, 'human'],
    ['nothing is known of the language', { accept: '*/*' }, 'human'],
    ['any language is accepted', { accept: html, acceptLanguage: '*' }, 'unknown'],
  ])('a browser’s user agent when %s', (_, headers, category) => {
    expect(ask({ userAgent: chrome, ...headers }).category).toBe(category)
  })

  test.each([null, '', '   '])('without a user agent (%j) nobody is known', (userAgent) => {
    expect(ask({ userAgent })).toMatchObject({ category: 'unknown', client: null, reason: 'no user agent' })
  })
})

describe('published addresses', () => {
  const gptbot =
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)'

  test('a crawler from an address of its operator is verified', () => {
    publish('openai-gptbot', ['20.125.66.80/28', '2001:db8:1::/48'])
    const verified = { category: 'training', client: 'GPTBot', verification: 'verified' }
    expect(ask({ userAgent: gptbot, address: '20.125.66.95' })).toMatchObject(verified)
    expect(ask({ userAgent: gptbot, address: '::ffff:20.125.66.80' })).toMatchObject(verified)
    expect(ask({ userAgent: gptbot, address: '2001:db8:1:ffff::1' })).toMatchObject(verified)
  })

  test('one from elsewhere is an imitation, of which nobody knows who it is', () => {
    publish('openai-gptbot', ['20.125.66.80/28'])
    for (const address of ['20.125.66.79', '20.125.66.96', '2001:db8::1']) {
      const verdict = ask({ userAgent: gptbot, address })
      expect(verdict).toMatchObject({ category: 'unknown', client: 'GPTBot', verification: 'spoofed' })
      expect(verdict.reason).toBe('calls itself GPTBot, but not from an address of OpenAI')
    }
  })

  test.each<[string, () => Partial<Evidence>]>([
    ['the address is not known', () => ({})],
    ['the address makes no sense', () => ({ address: 'unix:/run/x.sock' })],
    ['the list was got long before', () => ({ address: '192.0.2.1', at: start + 31 * dayMs })],
    ['the request is from long before the list', () => ({ address: '192.0.2.1', at: start - 31 * dayMs })],
  ])('nothing is held against a crawler when %s', (_, evidence) => {
    publish('openai-gptbot', ['20.125.66.80/28'])
    expect(ask({ userAgent: gptbot, ...evidence() })).toMatchObject({ category: 'training', verification: 'claimed' })
  })

  test('one of several lists that is missing may be the one with the address', () => {
    publish('google-common', ['66.249.64.0/27'])
    const googlebot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
    expect(ask({ userAgent: googlebot, address: '192.0.2.1' }).verification).toBe('claimed')
    expect(ask({ userAgent: googlebot, address: '66.249.64.1' }).verification).toBe('verified')
    for (const name of ['google-special', 'google-user-triggered', 'google-user-triggered-google'])
      publish(name, ['66.249.90.0/27'])
    expect(ask({ userAgent: googlebot, address: '192.0.2.1' }).verification).toBe('spoofed')
    expect(ask({ userAgent: googlebot, address: '66.249.90.1' }).verification).toBe('verified')
  })

  test('coding agents run anywhere: Claude Code is not held to the addresses of Claude', () => {
    publish('anthropic', ['216.73.216.0/22'])
    const userAgent = 'Claude-User (claude-code/2.1.259; +https://support.anthropic.com/)'
    expect(ask({ userAgent, address: '192.0.2.1' })).toMatchObject({ category: 'agent', verification: 'claimed' })
    const assistant =
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +claude-user@anthropic.com)'
    expect(ask({ userAgent: assistant, address: '192.0.2.1' }).verification).toBe('spoofed')
  })

  test('a browser’s user agent from where ChatGPT fetches is ChatGPT', () => {
    publish('openai-chatgpt-user', ['9.129.45.0/24'])
    publish('openai-gptbot', ['9.129.45.0/24'])
    expect(ask({ userAgent: chrome, address: '9.129.45.186', accept: html, acceptLanguage: 'en' })).toMatchObject({
      category: 'assistant',
      client: 'ChatGPT-User',
      verification: 'verified',
    })
    expect(ask({ userAgent: 'curl/8.5.0', address: '9.129.45.186' }).client).toBe('ChatGPT-User')
  })

  test('addresses that people share with a service make nobody a machine', () => {
    publish('google-user-triggered-google', ['66.249.80.0/20'])
    expect(ask({ userAgent: chrome, address: '66.249.81.1' })).toMatchObject({ category: 'human' })
  })

  test('changed files are taken up within a minute, without a restart', () => {
    const classifier = open()
    const verification = () =>
      classifier.classify({ source: 'page', userAgent: gptbot, address: '20.125.66.81' }, { path: '/', rules: [] })
        .verification
    expect(verification()).toBe('claimed')
    publish('openai-gptbot', ['192.0.2.0/24'])
    now += 60_000
    expect(verification()).toBe('spoofed')
    expect(classifier.listVersion).toMatch(/ ranges-2026-11-15$/)
    publish('openai-gptbot', ['20.125.66.80/28'])
    utimesSync(join(folder, 'openai-gptbot.json'), 1, 1)
    now += 60_000
    expect(verification()).toBe('verified')
    rmSync(join(folder, 'openai-gptbot.json'))
    now += 60_000
    expect(verification()).toBe('claimed')
  })

  test.each([
    ['no JSON', 'x'],
    ['no prefixes', '{"prefixes":[]}'],
    ['no network', '{"prefixes":["example.com"]}'],
    ['half of the internet', '{"prefixes":["0.0.0.0/1"]}'],
  ])('a file that is %s is left out', (_, text) => {
    writeFileSync(join(folder, 'openai-gptbot.json'), text)
    expect(ask({ userAgent: gptbot, address: '192.0.2.1' }).verification).toBe('claimed')
  })

  test('a list as its operator publishes it can be put there by hand', () => {
    const text =
      '{"creationTime":"2026-11-14T00:00:00","prefixes":[{"ipv4Prefix":"20.125.66.80/28"},{"ipv6Prefix":"2001:db8::/32"}]}'
    writeFileSync(join(folder, 'openai-gptbot.json'), text)
    utimesSync(join(folder, 'openai-gptbot.json'), start / 1000, start / 1000)
    expect(ask({ userAgent: gptbot, address: '2001:db8::9' }).verification).toBe('verified')
    expect(ask({ userAgent: gptbot, address: '192.0.2.1' }).verification).toBe('spoofed')
  })

  test('every list that a client names is one that can be got', () => {
    const names = rangeSources.map(({ name }) => name)
    expect(knownClients.flatMap(({ ranges = [] }) => ranges).filter((name) => !names.includes(name))).toEqual([])
    expect(new Set(fileNames()).size).toBe(fileNames().length)
  })
})

describe('Web Bot Auth', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const jwk = publicKey.export({ format: 'jwk' })
  const seconds = start / 1000
  const input = `("@authority" "signature-agent");created=${seconds};expires=${seconds + 600};keyid="${thumbprint(jwk.x!)}";tag="web-bot-auth"`

  function signedFor(host: string) {
    const base = `"@authority": ${host}\n"signature-agent": "https://chatgpt.com"\n"@signature-params": ${input}`
    const headers = {
      host: 'docs.example.com',
      'signature-agent': '"https://chatgpt.com"',
      'signature-input': `sig1=${input}`,
      signature: `sig1=:${sign(null, Buffer.from(base), privateKey).toString('base64')}:`,
    }
    return { userAgent: chrome, accept: html, acceptLanguage: 'en', request: { method: 'GET', url: '/guide', headers } }
  }

  beforeEach(() => writeFileSync(join(folder, 'keys-chatgpt.com.json'), JSON.stringify({ keys: [jwk] })))

  test('a signature tells ChatGPT’s agent from the browser that it looks like', () => {
    expect(ask(signedFor('docs.example.com'))).toMatchObject({
      category: 'assistant',
      client: 'ChatGPT agent',
      reason: 'signed by chatgpt.com',
      verification: 'verified',
    })
  })

  test('the user agent says which client of the one that signed; not which of somebody else’s', () => {
    const request = signedFor('docs.example.com')
    expect(ask({ ...request, userAgent: 'GPTBot/1.2' })).toMatchObject({
      category: 'training',
      client: 'GPTBot',
      verification: 'verified',
    })
    expect(ask({ ...request, userAgent: 'ClaudeBot/1.0' })).toMatchObject({
      client: 'ChatGPT agent',
      verification: 'verified',
    })
  })

  test('one that is not valid is no evidence, but the explanation mentions it', () => {
    const request = { source: 'page' as const, ...signedFor('other.example.com') }
    const { verdict, asked } = open().explain(request, { path: '/guide', rules: [] })
    expect(verdict).toMatchObject({ category: 'human', verification: 'none' })
    expect(asked[1]).toEqual({
      rule: 'Web Bot Auth signature',
      answer: 'there is a signature, but it is not valid',
      decides: false,
    })
  })

  test('without the agent’s keys nothing is verified, and nothing fetched', () => {
    rmSync(join(folder, 'keys-chatgpt.com.json'))
    expect(ask(signedFor('docs.example.com'))).toMatchObject({ category: 'human', verification: 'none' })
  })
})

describe('a project’s own rules', () => {
  const rule: ProjectRule = {
    userAgent: 'LINKCHECKER',
    networks: ['10.0.0.0/8', 'fd00::/8'],
    path: '/guide',
    category: 'bot',
    client: 'Ours',
  }

  test('count before everything else, when all their tests match', () => {
    const evidence = { userAgent: 'Our-LinkChecker/1.0 GPTBot', address: '10.1.2.3' }
    expect(ask(evidence, [{ ...rule, category: 'human' }])).toMatchObject({
      category: 'human',
      client: 'Ours',
      reason: 'project rule 1',
    })
    expect(ask({ ...evidence, address: 'fd12::1' }, [rule]).reason).toBe('project rule 1')
    expect(ask({ ...evidence, address: '11.1.2.3' }, [rule]).client).toBe('GPTBot')
    expect(ask({ ...evidence, address: null }, [rule]).client).toBe('GPTBot')
    expect(ask({ ...evidence, userAgent: 'GPTBot' }, [rule]).client).toBe('GPTBot')
    expect(ask(evidence, [rule], '/api').client).toBe('GPTBot')
  })

  test('are asked in their order', () => {
    const rules: ProjectRule[] = [
      { path: '/internal', category: 'bot' },
      { path: '/', category: 'agent', client: 'Us' },
    ]
    expect(ask({ userAgent: chrome }, rules, '/internal/x').reason).toBe('project rule 1')
    expect(ask({ userAgent: chrome }, rules)).toMatchObject({
      category: 'agent',
      client: 'Us',
      reason: 'project rule 2',
    })
  })

  test('one without any test matches nothing', () => {
    expect(ask({ userAgent: chrome }, [{ category: 'bot' }]).category).toBe('human')
  })
})

describe('always', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom(...(rows as Row[]).map(({ userAgent }) => userAgent)),
    fc.constantFrom(
      'Mozilla/5.0 (',
      'text/markdown;q=',
      '*',
      '\0',
      '\r\n',
      'a'.repeat(9_000),
      '('.repeat(9_000),
      'Spider'.repeat(1_500),
    ),
  )
  const header = fc.option(
    fc.oneof(
      text,
      fc.tuple(text, text).map((parts) => parts.join(' ')),
    ),
    { nil: null },
  )
  const headers = fc.dictionary(
    fc.constantFrom('signature', 'signature-input', 'signature-agent', 'host'),
    fc.oneof(
      text,
      fc.constantFrom(
        'sig1=("@authority");created=1;expires=2;keyid="x";tag="web-bot-auth"',
        'sig1=:AA==:',
        '"https://chatgpt.com"',
      ),
    ),
  )

  test('whatever is sent, there is a verdict of the known kinds, and the explanation says the same', () => {
    publish('openai-gptbot', ['20.125.66.80/28'])
    const classifier = open()
    fc.assert(
      fc.property(
        fc.record({ userAgent: header, accept: header, acceptLanguage: header, address: header }),
        headers,
        text,
        (given, signed, path) => {
          const request = { method: 'GET', url: path, headers: signed }
          const evidence: Evidence = { source: 'page', ...given, request }
          const verdict = classifier.classify(evidence, { path, rules: [{ userAgent: path, category: 'bot' }] })
          expect(categories).toContain(verdict.category)
          expect(verifications).toContain(verdict.verification)
          expect(verdict.reason).toMatch(/^[\x20-\x7e’]{3,120}$/)
          expect(verdict.client ?? 'none').toMatch(/^[\x20-\x7e]{1,60}$/)
          const explained = classifier.explain(evidence, { path, rules: [{ userAgent: path, category: 'bot' }] })
          expect(explained.verdict).toEqual(verdict)
          expect(explained.asked.filter(({ decides }) => decides).length).toBe(1)
        },
      ),
      { numRuns: 300 },
    )
  })

  test('no user agent takes long, however it was made', () => {
    const classifier = open()
    const hostile = [
      'a',
      '(',
      '1.',
      'Code/1.1.1 ',
      ' x',
      '\0',
      'Spider',
      'AppleWebKit/',
      'Current',
      'Mozilla/5.0 (Linux; Android ',
      ';q=',
      '@a.',
    ]
    for (const part of hostile) {
      const userAgent = part.repeat(Math.ceil(8_192 / part.length))
      let quickest = Number.POSITIVE_INFINITY
      // The machine may be busy; the quickest of several is what the work itself takes.
      for (let run = 0; run < 20; run++) {
        const began = performance.now()
        classifier.classify(
          { source: 'page', userAgent: `${run}${userAgent}`, accept: userAgent },
          { path: '/', rules: [] },
        )
        quickest = Math.min(quickest, performance.now() - began)
      }
      expect(quickest, part).toBeLessThan(10)
    }
  })

  test('many different user agents do not fill the memory', () => {
    const classifier = open()
    const collectGarbage = garbageCollector()
    collectGarbage()
    const before = process.memoryUsage().heapUsed
    for (let count = 0; count < 30_000; count++) {
      classifier.classify({ source: 'page', userAgent: `Thing/${count} ${'x'.repeat(100)}` }, { path: '/', rules: [] })
    }
    collectGarbage()
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20 * 1024 * 1024)
    // What was forgotten is found out again.
    expect(classifier.classify({ source: 'page', userAgent: 'Thing/0' }, { path: '/', rules: [] }).category).toBe(
      'unknown',
    )
  })
})

function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}

test('the version names the lists that are installed', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'))
  for (const [name, version] of Object.entries(crawlerListVersions)) expect(manifest.dependencies[name]).toBe(version)
  expect(open().listVersion).toMatch(/^\d{4}-\d\d-\d\d crawler-user-agents-[\d.]+ isbot-[\d.]+$/)
})
