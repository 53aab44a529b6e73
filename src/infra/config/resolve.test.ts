import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DocentError } from '#base/errors.ts'
import { describeConfig } from './describe.ts'
import { type ConfigInput, type ResolvedConfig, resolveConfig } from './resolve.ts'
import { environmentName, type Setting, type SettingName, settings } from './settings.ts'

const names = Object.keys(settings) as SettingName[]
const secretNames = names.filter((name) => (settings[name] as Setting<unknown>).secret)

let cwd: string
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'docent-config-'))
})
beforeEach(() => rmSync(join(cwd, 'docent.yaml'), { force: true }))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

function resolve(env: ConfigInput['env'], input: { file?: string; terminal?: boolean } = {}): ResolvedConfig {
  if (input.file !== undefined) writeFileSync(join(cwd, 'docent.yaml'), input.file)
  return resolveConfig({ env, cwd, terminal: input.terminal ?? false })
}

function faultsOf(env: ConfigInput['env'], file?: string): DocentError {
  try {
    resolve(env, file === undefined ? {} : { file })
  } catch (error) {
    expect(error).toBeInstanceOf(DocentError)
    expect(error).toMatchObject({ kind: 'invalid', code: 'config.invalid' })
    return error as DocentError
  }
  throw new Error('The configuration was taken although it should have been refused.')
}

describe('without any setting', () => {
  test('everything has a default, the data folder and the base URL included', () => {
    const { config, origins, warnings } = resolve({})
    expect(config).toMatchObject({
      data: join(cwd, 'data'),
      host: '127.0.0.1',
      port: 4400,
      baseUrl: 'http://127.0.0.1:4400',
      trustedProxies: [],
      demo: true,
      model: 'builtin/editor',
      logFormat: 'json',
    })
    expect(config.databaseUrl).toBeUndefined()
    expect(new Set(Object.values(origins))).toEqual(new Set(['default']))
    expect(warnings).toEqual([])
  })

  test('the log is for people at a terminal and for programs elsewhere', () => {
    expect(resolve({}, { terminal: true }).config.logFormat).toBe('text')
    expect(resolve({ DOCENT_LOG_FORMAT: 'json' }, { terminal: true }).config.logFormat).toBe('json')
  })

  test.each([
    ['0.0.0.0', 'http://localhost:4400'],
    ['::', 'http://localhost:4400'],
    ['::1', 'http://[::1]:4400'],
    ['fe80::1%eth0', 'http://[fe80::1]:4400'],
    ['docs.internal', 'http://docs.internal:4400'],
  ])('a server on %s is reached at %s', (host, baseUrl) => {
    expect(resolve({ DOCENT_HOST: host }).config.baseUrl).toBe(baseUrl)
  })
})

describe('where a value comes from', () => {
  test('the environment beats the file, and the file beats the default', () => {
    const file = '# our server\nport: 5000\nhost: file.example\n'
    const { config, origins } = resolve({ DOCENT_PORT: '6000' }, { file })
    expect(config).toMatchObject({ port: 6000, host: 'file.example', logLevel: 'info' })
    expect(origins).toMatchObject({ port: 'DOCENT_PORT', host: 'docent.yaml line 3', logLevel: 'default' })
  })

  test.each(names)('%s can be set in the file and in the environment', (name) => {
    const value = good[name]
    const file = `${name}: ${JSON.stringify(value)}\n`
    const rest = name === 'model' ? {} : { DOCENT_MODEL: 'builtin/editor' }
    const fromFile = resolve(rest, { file })
    expect(fromFile.origins[name]).toBe('docent.yaml line 1')
    const text = Array.isArray(value) ? value.join(',') : String(value)
    const fromEnvironment = resolve({ ...rest, [environmentName(name)]: text }, { file: '' })
    expect(fromEnvironment.origins[name]).toBe(environmentName(name))
    expect(fromEnvironment.config[name]).toEqual(fromFile.config[name])
    expect(fromFile.config[name]).not.toEqual(resolve(rest, { file: '' }).config[name])
  })

  test.each(names)('an empty variable for %s means that it is not set', (name) => {
    const empty = resolve({ [environmentName(name)]: '' })
    expect(empty).toEqual(resolve({}))
    const file = `${name}: ${JSON.stringify(good[name])}\n`
    expect(resolve({ [environmentName(name)]: '' }, { file }).origins[name]).toBe('docent.yaml line 1')
  })

  test('a name without a value in the file means that it is not set', () => {
    expect(resolve({}, { file: 'port:\nhost: ~\n' })).toEqual(resolve({}, { file: '' }))
  })

  test('the file may have another name and place', () => {
    mkdirSync(join(cwd, 'etc'), { recursive: true })
    writeFileSync(join(cwd, 'etc', 'my.yaml'), 'port: 7000\n')
    const { config, origins } = resolve({ DOCENT_CONFIG: 'etc/my.yaml' }, { file: 'port: 5000' })
    expect(config.port).toBe(7000)
    expect(origins.port).toBe('etc/my.yaml line 1')
  })

  test('a file that was named must be there', () => {
    const { message } = faultsOf({ DOCENT_CONFIG: 'missing.yaml' })
    expect(message).toContain('DOCENT_CONFIG: cannot read')
    expect(message).toContain(join(cwd, 'missing.yaml'))
  })

  test.skipIf(process.getuid?.() === 0)('a file that this user may not read is told (root may read everything)', () => {
    writeFileSync(join(cwd, 'docent.yaml'), 'port: 5000')
    chmodSync(join(cwd, 'docent.yaml'), 0)
    expect(faultsOf({}).message).toContain('cannot read')
  })

  test('a folder in place of the file is told', () => {
    expect(faultsOf({ DOCENT_CONFIG: '.' }).message).toContain('DOCENT_CONFIG: cannot read')
  })

  test('YAML anchors and aliases work', () => {
    const file = 'baseUrl: &url https://docs.example\nmodelBaseUrl: *url\n'
    expect(resolve({}, { file }).config.modelBaseUrl).toBe('https://docs.example')
  })

  test('a relative data folder is taken from where the process was started', () => {
    expect(resolve({ DOCENT_DATA: 'here/../there' }).config.data).toBe(join(cwd, 'there'))
    expect(resolve({ DOCENT_DATA: '/srv/docent/' }).config.data).toBe('/srv/docent')
  })

  test('spaces around a value and slashes after an address do not matter', () => {
    const env = {
      DOCENT_PORT: ' 80 ',
      DOCENT_BASE_URL: ' https://docs.example// ',
      DOCENT_HOST: ' ::1 ',
      DOCENT_DEMO: ' Off ',
    }
    const { config } = resolve(env)
    expect(config).toMatchObject({ port: 80, baseUrl: 'https://docs.example', host: '::1', demo: false })
  })
})

/** One good value of each setting, other than its default. */
const good: Record<SettingName, string | number | boolean | string[]> = {
  data: '/srv/docent',
  host: '0.0.0.0',
  port: 8080,
  baseUrl: 'https://docs.example/sub',
  trustedProxies: ['10.0.0.0/8', '::1'],
  databaseUrl: 'postgres://docent:hunter2@db.example:5432/docent',
  clickhouseUrl: 'http://docent:hunter2@clickhouse.example:8123',
  adminKey: 'docent_0123456789abcdefghij',
  secret: 'thirty-two characters at the least',
  oidcIssuer: 'https://id.example/realms/docs',
  oidcClientId: 'docent',
  oidcClientSecret: 'between the two of us',
  oidcName: 'Example ID',
  demo: false,
  model: 'anthropic/claude',
  modelBaseUrl: 'http://127.0.0.1:11434/v1',
  modelApiKey: 'sk-something',
  anthropicApiKey: 'sk-ant-something',
  anthropicBaseUrl: 'https://proxy.example/anthropic',
  openaiApiKey: 'sk-other',
  openaiBaseUrl: 'https://proxy.example/openai',
  googleApiKey: 'AIza-something',
  googleBaseUrl: 'https://proxy.example/google',
  agentConcurrency: 4,
  agentJobsPerHour: 7,
  agentMaxSteps: 12,
  agentMaxMinutes: 5,
  agentMaxTokens: 50_000,
  agentMaxFiles: 20,
  agentRetentionDays: 14,
  record: '/srv/recordings',
  githubAppId: '12345',
  githubAppKey: '-----BEGIN PRIVATE KEY-----',
  sitePollMinutes: 30,
  webhookAllowPrivate: true,
  repositories: '/srv/repositories',
  gitPushLimitMb: 64,
  analyticsMemoryMb: 512,
  proxyHeader: 'cf-connecting-ip',
  rateLimitPerMinute: 60,
  overloadDelayMs: 500,
  auditRetentionDays: 30,
  shutdownTimeoutSeconds: 3,
  url: 'http://127.0.0.1:4400',
  apiKey: 'docent_0123456789abcdefghij',
  logLevel: 'debug',
  logFormat: 'text',
}

/** Values that are refused: in the environment as text, in the file as YAML. */
const bad: Record<SettingName, { env: string[]; yaml: string[] }> = {
  data: { env: ['  ', 'a\0b', 'postgres://u@h/db'], yaml: ['5', '[a]', '{}', 'true'] },
  host: { env: [' ', 'a b', 'http://x', 'x:80', '[::1]', '999.1.1.1', 'a/b', 'ü.example'], yaml: ['5', '[a]', 'true'] },
  port: {
    env: ['0', '65536', '-1', '80.5', '8e3', '0x50', 'eighty', ' ', '99999999999999999999'],
    yaml: ['0', '65536', '80.5', '[80]', '{}', 'true', '1e9', '.nan', '.inf'],
  },
  baseUrl: {
    env: [
      'docs.example',
      'ftp://x',
      'http:x',
      'http://',
      '//x',
      'http://a b',
      'http://x?a=b',
      'http://x/#top',
      'http://u:p@x',
    ],
    yaml: ['5', '[http://x]', 'true'],
  },
  trustedProxies: {
    env: [
      '1',
      'true',
      'localhost',
      '10.0.0.0/33',
      '10.0.0/8',
      '010.0.0.1',
      '10.0.0.1, nonsense',
      '::/129',
      '10.0.0.0/',
      '/8',
    ],
    yaml: ['5', 'true', '[5]', '[[10.0.0.1]]', '{}', '[10.0.0.1, nonsense]'],
  },
  databaseUrl: {
    env: [
      'mysql://x/y',
      'db.example',
      'postgres:db',
      'postgres://u:p w@h/d',
      'postgres://u:1/2@h/d',
      'postgres://u:1#2@h/d',
    ],
    yaml: ['5', '[a]', '{}'],
  },
  clickhouseUrl: {
    env: ['clickhouse://x', 'clickhouse.example:8123', 'http:x', 'http://u:p w@h', 'http://u:1/2@h'],
    yaml: ['8123', '[a]', '{}'],
  },
  adminKey: {
    env: [
      'admin',
      'docent_',
      'docent_0123456789abcdefghi',
      'docent_0123456789abcdefghij\n',
      'Docent_0123456789abcdefghij',
    ],
    yaml: ['5', '[docent_0123456789abcdefghij]', 'docent_0123456789-bcdefghij'],
  },
  secret: { env: ['short', 'x'.repeat(31)], yaml: ['5', `[${'x'.repeat(40)}]`, '12345678901234567890123456789012'] },
  oidcIssuer: { env: ['id.example', 'ldap://x', 'http://x?a=b', 'http://u:p@x'], yaml: ['5', '[http://x]', 'true'] },
  oidcClientId: { env: [' '], yaml: ['5', '[a]', '{}'] },
  oidcClientSecret: { env: [' '], yaml: ['5', '[a]', '{}'] },
  oidcName: { env: [' '], yaml: ['5', '[a]', '{}'] },
  demo: { env: ['maybe', 'y', '2', ' '], yaml: ['maybe', '2', '[true]', '[yes]', '{}'] },
  model: { env: ['gpt-5', 'builtin/other', 'mistral/x', 'openai/', ' '], yaml: ['5', '[builtin/editor]', 'true'] },
  modelBaseUrl: { env: ['127.0.0.1:11434', 'file:///etc/passwd', 'https://u:p@x/v1'], yaml: ['11434', '[]'] },
  modelApiKey: { env: [' '], yaml: ['5', '[sk-x]', '{}'] },
  anthropicApiKey: { env: [' '], yaml: ['5', '[sk-x]'] },
  anthropicBaseUrl: { env: ['proxy.example', 'https://u:p@x/v1'], yaml: ['5', '[]'] },
  openaiApiKey: { env: [' '], yaml: ['5', '[sk-x]'] },
  openaiBaseUrl: { env: ['proxy.example', 'https://u:p@x/v1'], yaml: ['5', '[]'] },
  googleApiKey: { env: [' '], yaml: ['5', '[sk-x]'] },
  googleBaseUrl: { env: ['proxy.example', 'https://u:p@x/v1'], yaml: ['5', '[]'] },
  agentConcurrency: { env: ['0', '101', 'two'], yaml: ['0', '[2]'] },
  agentJobsPerHour: { env: ['0', '1000001'], yaml: ['0.5', '{}'] },
  agentMaxSteps: { env: ['0', '1001'], yaml: ['-1'] },
  agentMaxMinutes: { env: ['0', '721', '1h'], yaml: ['0'] },
  agentMaxTokens: { env: ['999', '1e6'], yaml: ['999'] },
  agentMaxFiles: { env: ['0', '100001'], yaml: ['[]'] },
  agentRetentionDays: { env: ['0', '36501', '1d'], yaml: ['0'] },
  record: { env: ['  ', 'a\0b'], yaml: ['5', '[a]'] },
  githubAppId: { env: ['docent', '1.5'], yaml: ['[5]', 'docent'] },
  githubAppKey: { env: [' '], yaml: ['5', '[a]'] },
  sitePollMinutes: { env: ['-1', '1441', '5m'], yaml: ['-1', '0.5', '[5]'] },
  webhookAllowPrivate: { env: ['maybe', '2'], yaml: ['maybe', '[true]'] },
  repositories: { env: ['  ', 'a\0b'], yaml: ['5', '[a]'] },
  gitPushLimitMb: { env: ['0', 'much'], yaml: ['0', '[]'] },
  analyticsMemoryMb: { env: ['0', '63', 'much'], yaml: ['63', '[]'] },
  proxyHeader: { env: ['x-real-ip', '1'], yaml: ['x-real-ip', '[]'] },
  rateLimitPerMinute: { env: ['0', '1000001', 'many'], yaml: ['0', '1.5', '[60]'] },
  overloadDelayMs: { env: ['-1', '60001', 'long'], yaml: ['-1', '1.5', '[500]'] },
  auditRetentionDays: { env: ['0', '36501', '1d'], yaml: ['0', '{}'] },
  shutdownTimeoutSeconds: { env: ['0', '3601', '20s'], yaml: ['0', '[]'] },
  url: { env: ['127.0.0.1', 'unix:/x', 'http://key@h'], yaml: ['5'] },
  apiKey: { env: [' '], yaml: ['5', '[a]'] },
  logLevel: { env: ['verbose', 'INFO', ' '], yaml: ['5', '[info]', 'true'] },
  logFormat: { env: ['xml', 'JSON'], yaml: ['5', '[json]'] },
}

describe('a wrong value', () => {
  const cases = names.flatMap((name) => bad[name].env.map((value) => ({ name, value })))
  test.each(cases)(
    'in the environment is told with what was expected, found and where: $name = $value',
    ({ name, value }) => {
      const { reader, secret } = settings[name] as Setting<unknown>
      const { message, details } = faultsOf({ [environmentName(name)]: value })
      expect(details).toHaveLength(1)
      expect(details![0]!.path).toBe(name)
      expect(message).toContain(`${environmentName(name)}: expected ${reader.expected}, found `)
      if (secret) {
        expect(message).toContain('found another value (hidden, it is a secret).')
      } else if (!value.includes('@')) {
        expect(message).toContain(`found ${JSON.stringify(value)}.`)
      }
    },
  )

  const fileCases = names.flatMap((name) => bad[name].yaml.map((value) => ({ name, value })))
  test.each(fileCases)('in the file is told with its line: $name: $value', ({ name, value }) => {
    const { reader } = settings[name] as Setting<unknown>
    const before = name === 'port' ? 'host: ::1' : 'port: 80'
    const { message, details } = faultsOf({}, `# a comment\n${before}\n\n${name}: ${value}\n`)
    expect(details).toHaveLength(1)
    expect(details![0]!.path).toBe(name)
    expect(message).toContain(`docent.yaml line 4: expected ${reader.expected}, found `)
  })

  test('does not hide the others: all are told at once, in the order of the settings', () => {
    const { message, details } = faultsOf(
      { DOCENT_LOG_LEVEL: 'loud', DOCENT_PORT: 'x' },
      'demo: perhaps\nnonsense: 1\n',
    )
    expect(details!.map(({ path }) => path)).toEqual(['nonsense', 'port', 'demo', 'logLevel'])
    expect(message.split('\n')).toHaveLength(5)
  })

  test('in the file does not matter when the environment says better', () => {
    expect(resolve({ DOCENT_PORT: '80' }, { file: 'port: nonsense' }).config.port).toBe(80)
  })

  test('that is long is cut', () => {
    const { message } = faultsOf({ DOCENT_LOG_LEVEL: 'x'.repeat(5000) })
    expect(message.length).toBeLessThan(400)
    expect(message).toContain('xxx….')
  })
})

describe('the file', () => {
  test.each([
    ['prot: 80', 'docent.yaml line 1: there is no setting "prot". Did you mean port?'],
    ['\n\nbaseURL: x', 'docent.yaml line 3: there is no setting "baseURL". Did you mean baseUrl?'],
    ['database_url: x', 'Did you mean databaseUrl?'],
    ['something else: x', 'there is no setting "something else". README.md lists the settings.'],
    ['DOCENT_PORT: 80', 'there is no setting "DOCENT_PORT".'],
    ['__proto__: {port: 1}', 'there is no setting "__proto__".'],
    ['constructor: 1', 'there is no setting "constructor".'],
    ['1: 2', 'there is no setting "1".'],
    ['? [a, b]\n: c', 'docent.yaml line 1: there is no setting'],
    ['<<: {port: 1}', 'there is no setting "<<".'],
    ['- port: 80', 'docent.yaml: expected settings as "name: value" lines.'],
    ['just a text', 'docent.yaml: expected settings as "name: value" lines.'],
    ['port: 80\nport: 81', 'docent.yaml line 2: Map keys must be unique.'],
    ['port: 80\nhost: "unclosed\n', 'docent.yaml line 3: Missing closing "quote.'],
    ['host: a: b', 'docent.yaml line 1: Nested mappings are not allowed in compact mappings.'],
    ['port: 80\n---\nport: 81', 'docent.yaml line 2: Source contains multiple documents'],
    ['host: x\nport: *nowhere', 'docent.yaml line 2: Unresolved alias (the anchor must be set before the alias).'],
    ['port: &loop [*loop]', 'found a value that contains itself.'],
    ['trustedProxies: &loop [*loop]', 'found a value that contains itself.'],
  ])('with %j is refused, naming the place', (file, expected) => {
    expect(faultsOf({}, file).message).toContain(expected)
  })

  test.each(['', '\n', '# only a comment\n', '---\n', '\uFEFFport: 4400\r\nhost: 127.0.0.1\r\n'])(
    'with %j is fine',
    (file) => {
      expect(resolve({}, { file }).config).toEqual(resolve({}).config)
    },
  )

  test('that unfolds into more than it says is refused', () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...[...'bcdefg'].map((name, at) => `${name}: &${name} [${`*${'abcdef'[at]},`.repeat(9)}]`),
    ]
    const { message } = faultsOf({}, `${bomb.join('\n')}\nport: *g\n`)
    expect(message).toContain('line 8')
  })
})

test('a variable that is nearly a setting is a warning and stops nothing', () => {
  const { warnings } = resolve({ DOCENT_PROT: '1', DOCENT_WHATEVER_THIS_IS: '1', DOCENT_TEST_X: '1', OTHER: '1' })
  expect(warnings).toEqual([
    'DOCENT_PROT is not a setting and is ignored. Did you mean DOCENT_PORT?',
    'DOCENT_WHATEVER_THIS_IS is not a setting and is ignored.',
  ])
})

test('a model on a server of one’s own needs that server’s address', () => {
  const { message, details } = faultsOf({ DOCENT_MODEL: 'openai-compatible/llama' })
  expect(details!.map(({ path }) => path)).toEqual(['modelBaseUrl'])
  expect(message).toContain(
    'DOCENT_MODEL_BASE_URL: expected the address of the model server, as the model is openai-compatible/llama, found nothing.',
  )
  const { config } = resolve({
    DOCENT_MODEL: 'openai-compatible/llama',
    DOCENT_MODEL_BASE_URL: 'http://127.0.0.1:11434/v1',
  })
  expect(config.modelBaseUrl).toBe('http://127.0.0.1:11434/v1')
})

describe('secrets', () => {
  const mark = 's3cr3t'

  test.each(secretNames)('%s is shown as hidden when it is set, and as nothing when it is not', (name) => {
    const described = describeConfig(resolve({ [environmentName(name)]: String(good[name]) }))
    expect(described.find((row) => row.name === name)).toEqual({ name, value: '[hidden]', from: environmentName(name) })
    expect(JSON.stringify(described)).not.toContain(String(good[name]))
    const unset = describeConfig(resolve({}))
    expect(unset.find((row) => row.name === name)).toEqual({ name, value: null, from: 'default' })
  })

  test('the description lists every setting with its value and origin', () => {
    const described = describeConfig(resolve({ DOCENT_PORT: '80' }))
    expect(described.map(({ name }) => name)).toEqual(names)
    expect(described).toContainEqual({ name: 'port', value: 80, from: 'DOCENT_PORT' })
  })

  test('never stand in an error, whichever setting they were put in', () => {
    const secretValue = fc.constantFrom(
      ...[`docent_${mark}0000000000`, `postgres://u:${mark}@h d`, `https://u:${mark}@h/v1`, `https://${mark}@h`],
      ...[`postgres://u:1/${mark}@h/db`, `https://u:${'x'.repeat(100)}${mark}@h`],
    )
    fc.assert(
      fc.property(fc.constantFrom(...names), secretValue, fc.boolean(), (name, value, inFile) => {
        const env = inFile ? {} : { [environmentName(name)]: value }
        const file = inFile ? `${name}: ${JSON.stringify(value)}\n` : ''
        try {
          const resolved = resolve(env, { file })
          expect(JSON.stringify(describeConfig(resolved))).not.toContain(mark)
        } catch (error) {
          if (!(error instanceof DocentError)) throw error
          expect(error.message + JSON.stringify(error.details)).not.toContain(mark)
        }
      }),
      { numRuns: 300 },
    )
  })

  // YAML's own messages quote the file; these are passwords that happen to start with a sign of YAML.
  test.each([
    [`secret: |${mark}\n`],
    [`secret: >${mark}\n`],
    [`secret: *${mark}\n`],
    [`secret: "\\q${mark}"\n`],
    [`secret: &${mark}\n`],
    [`secret: !${mark}\n`],
    [`secret: @${mark}\n`],
    [`secret: %${mark}\n`],
    [`secret: ${mark}: ${mark}\n`],
    [`secret: {${mark}\n`],
    [`secret: "${mark}\n`],
    [`docent_${mark}00000000: 5\n`],
  ])('never stand in an error about the file itself: %j', (file) => {
    try {
      resolve({}, { file })
    } catch (error) {
      expect(error).toMatchObject({ code: 'config.invalid' })
      expect((error as DocentError).message).not.toContain(mark)
      expect(JSON.stringify((error as DocentError).details)).not.toContain(mark)
    }
  })
})

describe('whatever the environment holds', () => {
  const types: Record<SettingName, (value: never) => boolean> = {
    data: (value: string) => value.startsWith('/'),
    host: (value: string) => value !== '' && value === value.trim(),
    port: (value: number) => Number.isInteger(value) && value >= 1 && value <= 65_535,
    baseUrl: (value: string) => isWebUrl(value),
    trustedProxies: (value: string[]) =>
      Array.isArray(value) && value.every((item) => /^[0-9a-f.:]+[^\s]*$/i.test(item)),
    databaseUrl: (value?: string) => value === undefined || /^postgres(ql)?:$/.test(new URL(value).protocol),
    clickhouseUrl: (value?: string) => value === undefined || /^https?:$/.test(new URL(value).protocol),
    adminKey: (value?: string) => value === undefined || /^docent_[0-9A-Za-z]{20,}$/.test(value),
    secret: (value?: string) => value === undefined || value.length >= 32,
    oidcIssuer: isWebUrlOrAbsent,
    oidcClientId: isTextOrAbsent,
    oidcClientSecret: isTextOrAbsent,
    oidcName: isTextOrAbsent,
    demo: (value: boolean) => typeof value === 'boolean',
    model: (value: string) => value.includes('/'),
    modelBaseUrl: isWebUrlOrAbsent,
    modelApiKey: isTextOrAbsent,
    anthropicApiKey: isTextOrAbsent,
    anthropicBaseUrl: isWebUrlOrAbsent,
    openaiApiKey: isTextOrAbsent,
    openaiBaseUrl: isWebUrlOrAbsent,
    googleApiKey: isTextOrAbsent,
    googleBaseUrl: isWebUrlOrAbsent,
    agentConcurrency: isCount,
    agentJobsPerHour: isCount,
    agentMaxSteps: isCount,
    agentMaxMinutes: isCount,
    agentMaxTokens: isCount,
    agentMaxFiles: isCount,
    agentRetentionDays: isCount,
    record: (value?: string) => value === undefined || value.startsWith('/'),
    githubAppId: (value?: string) => value === undefined || /^\d+$/.test(value),
    githubAppKey: isTextOrAbsent,
    sitePollMinutes: isCountOrZero,
    webhookAllowPrivate: (value: boolean) => typeof value === 'boolean',
    repositories: (value?: string) => value === undefined || value.startsWith('/'),
    gitPushLimitMb: isCount,
    analyticsMemoryMb: isCount,
    proxyHeader: (value: string) => value === value.toLowerCase(),
    rateLimitPerMinute: isCount,
    overloadDelayMs: isCountOrZero,
    auditRetentionDays: isCount,
    shutdownTimeoutSeconds: isCount,
    url: isWebUrlOrAbsent,
    apiKey: isTextOrAbsent,
    logLevel: (value: string) => ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].includes(value),
    logFormat: (value: string) => value === 'json' || value === 'text',
  }
  function isCount(value: number): boolean {
    return Number.isInteger(value) && value >= 1
  }
  function isCountOrZero(value: number): boolean {
    return value === 0 || isCount(value)
  }
  function isTextOrAbsent(value?: string): boolean {
    return value === undefined || value.trim() !== ''
  }
  function isWebUrlOrAbsent(value?: string): boolean {
    return value === undefined || isWebUrl(value)
  }
  function isWebUrl(value: string): boolean {
    // Paths are appended to it, so it must be one before and after that.
    return URL.canParse(value) && URL.parse(`${value}/x`)?.pathname.endsWith('/x') === true && !/\s|\/$/.test(value)
  }

  const everyBad = names.flatMap((name) => bad[name].env)
  const everyGood = names.map((name) => String(good[name]))
  const garbage = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.ipV4(),
    fc.ipV6(),
    fc.domain(),
    fc.integer().map(String),
    fc.constantFrom(...everyBad, ...everyGood),
  )
  const environment = fc
    .array(fc.tuple(fc.constantFrom(...names), garbage), { maxLength: 4 })
    .map((pairs) => Object.fromEntries(pairs.map(([name, value]) => [environmentName(name), value])))

  test('the configuration is valid throughout, or the error names the variable', () => {
    let taken = 0
    fc.assert(
      fc.property(environment, (env) => {
        let resolved: ResolvedConfig
        try {
          resolved = resolve(env)
        } catch (error) {
          if (!(error instanceof DocentError)) throw error
          expect(error.code).toBe('config.invalid')
          expect(error.details).not.toEqual([])
          for (const { path, message } of error.details!) {
            const variable = environmentName(path)
            expect(message.startsWith(`${variable}: expected `)).toBe(true)
            expect(path === 'modelBaseUrl' || variable in env).toBe(true)
          }
          return
        }
        taken++
        for (const name of names) {
          expect(types[name](resolved.config[name] as never), `${name} = ${resolved.config[name]}`).toBe(true)
        }
      }),
      { numRuns: 1500 },
    )
    expect(taken).toBeGreaterThan(50)
  })
})
