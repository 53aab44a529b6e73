import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hideSecrets } from './hide-secrets.ts'
import { createLog, type Log } from './log.ts'

// Every secret begins and ends with this, so that half of one in the output is found as well as the whole.
const mark = 's3cr3t'

const base62 = fc.string({ unit: fc.constantFrom(...'0123456789ABCDEFabcdefxyz'), minLength: 8, maxLength: 40 })
const marked = (inside: fc.Arbitrary<string>) => inside.map((text) => `${mark}${text}${mark}`)

const docentKey = marked(base62).map((text) => `docent_${text}`)

/** What a password may hold inside a URL, and what people put there although it should be escaped. */
const passwordCharacter = fc.constantFrom(...'abcXYZ019-._~!$&\'()*+,;=:%@"\\|^`{}[]<>é')
const urlWithPassword = fc
  .record({
    scheme: fc.constantFrom('https', 'postgres', 'postgresql', 'git+https', 'http'),
    user: fc.constantFrom('', 'docent', 'x-access-token', 'a'.repeat(300)),
    password: marked(fc.string({ unit: passwordCharacter, maxLength: 20 })),
    rest: fc.constantFrom('', '/db', ':5432/db?sslmode=require', '/acme/docs.git'),
  })
  .map(({ scheme, user, password, rest }) => `${scheme}://${user}:${password}@db.example${rest}`)
const urlWithToken = marked(base62).map((token) => `https://${token}@github.com/acme/docs`)
const urlWithQuery = fc
  .record({
    name: fc.constantFrom('password', 'access_token', 'client_secret', 'apiKey', 'key', 'private-token'),
    value: marked(base62),
  })
  .map(({ name, value }) => `https://host.example/path?a=1&${name}=${value}&b=2`)

const token = marked(fc.string({ unit: fc.constantFrom(...'abcXYZ019-._~+/='), minLength: 4, maxLength: 40 }))
const authorization = fc
  .record({ scheme: fc.constantFrom('Bearer', 'bearer', 'Basic', 'token', 'Negotiate'), token })
  .map(({ scheme, token }) => `${scheme} ${token}`)
const authorizationText = authorization.map((value) => `http.extraHeader=Authorization: ${value}`)
const bearerText = token.map((value) => `refused (Bearer ${value})`)
const vendorToken = fc
  .record({
    prefix: fc.constantFrom('ghp_', 'gho_', 'github_pat_', 'glpat-', 'sk-', 'sk-ant-api03-'),
    rest: marked(base62),
  })
  .map(({ prefix, rest }) => prefix + rest)

/** A text with a secret in it that can be told from the text alone. */
const secretText = fc
  .record({
    before: fc.constantFrom('', 'could not reach ', '"', 'key=', 'line one\n'),
    secret: fc.oneof(
      docentKey,
      urlWithPassword,
      urlWithToken,
      urlWithQuery,
      authorizationText,
      bearerText,
      vendorToken,
    ),
    after: fc.constantFrom('', ' at 10:00', '"', '\n', ' by me@example.com'),
  })
  .map(({ before, secret, after }) => before + secret + after)

const secretName = fc.constantFrom(
  ...[
    'authorization',
    'Authorization',
    'proxy-authorization',
    'cookie',
    'set-cookie',
    'password',
    'DB_PASSWORD',
    'passwd',
  ],
  ...[
    'token',
    'accessToken',
    'access_token',
    'private-token',
    'sealedToken',
    'secret',
    'client_secret',
    'DOCENT_SECRET',
  ],
  ...['apiKey', 'api_key', 'x-api-key', 'DOCENT_API_KEY', 'adminKey', 'privateKey', 'key', 'credentials'],
)
/** A field with a secret that only its name gives away, in whatever shape. */
const secretField = fc
  .tuple(
    secretName,
    marked(fc.string({ unit: 'binary', maxLength: 20 })).chain((value) =>
      fc.constantFrom<unknown>(value, [value], [value, value], { value }, { nested: [{ value }] }),
    ),
  )
  .map(([name, value]) => ({ [name]: value }))

const fieldName = fc.constantFrom('request', 'headers', 'config', 'job', 'source', 'x', 'a-b', '__proto__', 'list')

/** The value somewhere inside objects, arrays and errors, up to seven levels down. */
function nested(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const wrap = fc.oneof(
    fieldName.map((name) => (inner: unknown) => Object.fromEntries([[name, inner]])),
    fc.constant((inner: unknown) => [1, inner, 'two']),
    fc.constant((inner: unknown) => ({ ...beside, inner })),
    fc.constant((inner: unknown) => Object.assign(new Error('outer'), { response: inner })),
  )
  return fc
    .tuple(value, fc.array(wrap, { maxLength: 7 }))
    .map(([inner, wraps]) => wraps.reduce((current, wrapOne) => wrapOne(current), inner))
}
const beside = { url: 'http://127.0.0.1:4400', email: 'me@example.com', tokens: 12, ok: true, none: null }

/** All the ways in which something gets into a line. */
const ways: Record<string, (log: Log, thing: unknown) => void> = {
  'as a field': (log, thing) => log.info({ thing }, 'area.thing'),
  'as the object itself': (log, thing) => log.warn(typeof thing === 'object' ? thing : { thing }, 'area.thing'),
  'as an error': (log, thing) => log.error({ err: Object.assign(new Error('failed'), { thing }) }, 'area.thing'),
  'bound to a child': (log, thing) => log.child({ thing }).info('area.thing'),
  'beside fields of its kind': (log, thing) => log.info({ ...beside, thing, ...beside }, 'area.thing'),
}
const textWays: Record<string, (log: Log, text: string) => void> = {
  'as the message': (log, text) => log.info(text),
  'filled into the message': (log, text) => log.info('failed: %s', text),
  'as the message of an error': (log, text) => log.error(new Error(text)),
  'as the message of a cause': (log, text) => log.error({ err: new Error('outer', { cause: new Error(text) }) }, 'x.y'),
  'among the errors of an aggregate': (log, text) => log.error({ err: new AggregateError([new Error(text)], 'all') }),
  'as the name of a field': (log, text) => log.info({ counts: { [text]: 1 } }, 'area.thing'),
  'as the name of a field beside others': (log, text) => log.info({ ...beside, [text]: text }, 'area.thing'),
}

function linesOf(format: 'json' | 'text', write: (log: Log) => void): string[] {
  const lines: string[] = []
  write(createLog({ level: 'trace', format, destination: { write: (line) => lines.push(line) } }))
  return lines
}

describe.each(['json', 'text'] as const)('in %s', (format) => {
  test.each(Object.keys(ways))('no secret leaves in a log line, at any depth: %s', (way) => {
    const thing = nested(fc.oneof(secretText, secretField))
    fc.assert(
      fc.property(thing, (thing) => {
        const lines = linesOf(format, (log) => ways[way]!(log, thing))
        expect(lines).toHaveLength(1)
        expect(lines[0]).not.toContain(mark)
        if (format === 'json') expect(JSON.parse(lines[0]!).msg).toBe('area.thing')
      }),
      { numRuns: 300 },
    )
  })

  test.each(Object.keys(textWays))('no secret leaves in a log line, in any text: %s', (way) => {
    fc.assert(
      fc.property(secretText, (text) => {
        const lines = linesOf(format, (log) => textWays[way]!(log, text))
        expect(lines).toHaveLength(1)
        expect(lines[0]).not.toContain(mark)
        if (format === 'json') expect(lines[0]).toSatisfy((line: string) => JSON.parse(line).level !== undefined)
      }),
      { numRuns: 300 },
    )
  })
})

test('what is no secret stays readable', () => {
  const fields = {
    url: 'http://127.0.0.1:4400',
    mail: 'docent@localhost',
    usage: { tokens: 1200, inputTokens: 900 },
    keyId: 'key_0123456789ABCDEFGHIJKL',
    hasToken: true,
    token: null,
    page: 'https://medium.example/@someone/post?sort=new#top',
    nothing: undefined,
  }
  const [line] = linesOf('json', (log) => log.info(fields, 'area.thing'))
  const { level, time, msg, ...rest } = JSON.parse(line!)
  expect({ level, msg }).toEqual({ level: 'info', msg: 'area.thing' })
  expect(new Date(time).toISOString()).toBe(time)
  expect(rest).toEqual(JSON.parse(JSON.stringify(fields)))
})

test.each([
  ['postgres://docent:hunter2@db.example/docent', 'postgres://[hidden]@db.example/docent'],
  ['postgres://docent:p@ss:w@db.example/docent', 'postgres://[hidden]@db.example/docent'],
  ['postgres://docent:1/2?3#4@db.example/docent', 'postgres://[hidden]@db.example/docent'],
  ['git clone https://ghs_abc@github.com/a/b.git failed', 'git clone https://[hidden]@github.com/a/b.git failed'],
  ['key docent_0123456789abcdef was refused', 'key docent_[hidden] was refused'],
  ['Authorization: Basic dXNlcjpwYXNz', 'Authorization: Basic [hidden]'],
  ['https://h/p?access_token=abc&page=2', 'https://h/p?access_token=[hidden]&page=2'],
  ['two: http://a:b@c/ and http://d:e@f/', 'two: http://[hidden]@c/ and http://[hidden]@f/'],
  // Hints for people must survive: there is nothing secret in them.
  ['Send an admin API key: Authorization: Bearer docent_…', 'Send an admin API key: Authorization: Bearer docent_…'],
  ['see http://127.0.0.1:4400/sites/@acme/docs', 'see http://127.0.0.1:4400/sites/@acme/docs'],
])('of %j only the secret part is hidden', (text, expected) => {
  expect(hideSecrets(text)).toBe(expected)
})

test('levels below the chosen one are not written', () => {
  const lines: string[] = []
  const log = createLog({ level: 'warn', format: 'json', destination: { write: (line) => lines.push(line) } })
  log.info('area.quiet')
  log.warn('area.loud')
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['area.loud'])
})

test('an error is logged without what drivers hang on it', () => {
  const lines: string[] = []
  const log = createLog({ level: 'info', format: 'json', destination: { write: (line) => lines.push(line) } })
  const err = Object.assign(new Error('duplicate row', { cause: new Error('a deeper reason') }), {
    code: '23505',
    query: 'insert into people values ($1)',
    params: ['a value of somebody'],
  })
  log.error({ err }, 'store.failed')
  expect(JSON.parse(lines[0]!).err).toEqual({
    type: 'Error',
    message: expect.any(String),
    code: '23505',
    stack: expect.any(String),
  })
  expect(lines[0]).toContain('a deeper reason')
  expect(lines[0]).not.toContain('somebody')
})
