import { builtinModel } from '#base/model-id.ts'
import * as read from './readers.ts'

export interface Setting<T> {
  reader: read.Reader<T>
  /** Undefined where leaving it out means something of its own; `described` says what. */
  fallback: T | undefined
  /** How the default reads in documentation, where the value itself would not say it. */
  described?: string
  secret?: boolean
  about: string
}

function setting<T>(reader: read.Reader<T>, fallback: T, about: string): Setting<T> {
  return { reader, fallback, about }
}

function optional<T>(reader: read.Reader<T>, described: string, about: string): Setting<T | undefined> {
  return { reader, fallback: undefined, described, about }
}

function secret<T>(reader: read.Reader<T>, described: string, about: string): Setting<T | undefined> {
  return { ...optional(reader, described, about), secret: true }
}

/**
 * Every setting there is. The name is the key in the file; in the environment it is `DOCENT_` and the name in
 * capitals (`baseUrl` is `DOCENT_BASE_URL`). README's table is made from this object, and a test keeps it so.
 */
export const settings = {
  data: {
    reader: read.folder(),
    fallback: undefined,
    described: './data',
    about: 'Folder that holds everything Docent keeps.',
  } as Setting<string | undefined>,
  host: setting(read.host(), '127.0.0.1', 'Address to listen on.'),
  port: setting(read.integer(1, 65_535), 4400, 'Port to listen on.'),
  baseUrl: optional(read.webUrl(), 'from host and port', 'Public address, used in links. Set it behind a proxy.'),
  trustedProxies: setting(
    read.networks(),
    [],
    'Addresses of proxies that are believed when they name the client. None by default.',
  ),
  databaseUrl: secret(
    read.postgresUrl(),
    'PGlite in the data folder',
    'PostgreSQL to keep control data in, instead of the embedded one.',
  ),
  clickhouseUrl: secret(
    read.serviceUrl(),
    'none',
    'ClickHouse for visitor analytics. So far it is only watched: `/readyz` and `docent doctor` tell whether it answers.',
  ),
  analyticsMemoryMb: setting(
    read.integer(64, 1_000_000),
    128,
    'Most memory that the embedded analytics store uses, in megabytes.',
  ),
  proxyHeader: setting(
    read.oneOf('x-forwarded-for', 'forwarded', 'cf-connecting-ip'),
    'x-forwarded-for',
    'Header in which trusted proxies name the client.',
  ),
  adminKey: secret(
    read.matching(/^docent_[0-9A-Za-z]{20,}$/, '`docent_` and at least 20 letters and digits'),
    'made at the first start',
    'Presets the first admin key (containers, tests). Changing it revokes the one set before.',
  ),
  secret: secret(
    read.matching(/^.{32,}$/s, 'at least 32 characters'),
    '`secret.key` in the data folder',
    'Encrypts stored tokens. Nodes that share a database must share it.',
  ),
  oidcIssuer: optional(
    read.webUrl(),
    'none',
    'OpenID Connect provider that members can sign in with, by its address; its document is below it.',
  ),
  oidcClientId: optional(read.text(), 'none', 'What that provider calls this server.'),
  oidcClientSecret: secret(read.text(), 'none', 'What proves that to the provider.'),
  oidcName: setting(read.text(), 'single sign-on', 'What the button on the sign-in page calls the provider.'),
  demo: setting(read.boolean(), true, 'Make a demo project at the first start.'),
  model: setting(read.modelId(), builtinModel, 'Model that agent jobs use unless their project says otherwise.'),
  modelBaseUrl: optional(read.webUrl(), 'none', 'Address of the model server, for `openai-compatible/…` models.'),
  modelApiKey: secret(read.text(), 'none', 'Key for the model server.'),
  anthropicApiKey: secret(read.text(), 'none', 'Key for `anthropic/…` models.'),
  anthropicBaseUrl: optional(
    read.webUrl(),
    'Anthropic’s own',
    'Address to reach `anthropic/…` models at, such as a proxy.',
  ),
  openaiApiKey: secret(read.text(), 'none', 'Key for `openai/…` models.'),
  openaiBaseUrl: optional(read.webUrl(), 'OpenAI’s own', 'Address to reach `openai/…` models at, such as a proxy.'),
  googleApiKey: secret(read.text(), 'none', 'Key for `google/…` models.'),
  googleBaseUrl: optional(read.webUrl(), 'Google’s own', 'Address to reach `google/…` models at, such as a proxy.'),
  agentConcurrency: setting(read.integer(1, 100), 2, 'How many agent jobs one process runs at a time.'),
  agentJobsPerHour: setting(read.integer(1, 1_000_000), 100, 'Jobs and follow-ups a project may ask for in an hour.'),
  agentMaxSteps: setting(read.integer(1, 1000), 60, 'Most steps (answers of the model) for one prompt.'),
  agentMaxMinutes: setting(read.integer(1, 720), 30, 'Longest time for one prompt.'),
  agentMaxTokens: setting(read.integer(1000, 1_000_000_000), 3_000_000, 'Most tokens for one prompt, in and out.'),
  agentMaxFiles: setting(read.integer(1, 100_000), 500, 'Most files that one prompt may change.'),
  agentRetentionDays: setting(read.integer(1, 36_500), 90, 'Finished jobs are archived after this many days.'),
  record: optional(read.folder(), 'none', 'Folder to write what agents and models say to each other, for tests.'),
  githubAppId: optional(
    read.matching(/^\d+$/, 'the number of a GitHub App'),
    'none',
    'GitHub App that signs in to GitHub, for projects without a token.',
  ),
  githubAppKey: secret(read.text(), 'none', 'Private key of that GitHub App (PEM).'),
  repositories: optional(
    read.folder(),
    '`git` in the data folder',
    'Folder with the repositories of the built-in host. Nodes and workers that share a database must share it.',
  ),
  gitPushLimitMb: setting(read.integer(1, 100_000), 500, 'Largest push that the built-in host takes, in megabytes.'),
  sitePollMinutes: setting(
    read.integer(0, 1440),
    5,
    'How often to look whether a branch on another host moved, where no push hook tells. 0: never.',
  ),
  webhookAllowPrivate: setting(
    read.boolean(),
    false,
    'Let webhooks call private addresses, such as 10.0.0.7 or localhost.',
  ),
  rateLimitPerMinute: setting(
    read.integer(1, 1_000_000),
    1200,
    'Requests a minute for each key (or address, without a key), over all nodes.',
  ),
  overloadDelayMs: setting(
    read.integer(0, 60_000),
    1000,
    'Mean delay of the event loop, in milliseconds, above which requests are turned away (503). 0: never.',
  ),
  auditRetentionDays: setting(read.integer(1, 36_500), 365, 'How long audit records are kept.'),
  shutdownTimeoutSeconds: setting(
    read.integer(1, 3600),
    20,
    'How long running requests and jobs may take to finish when the process is told to stop.',
  ),
  url: optional(read.webUrl(), 'the server on the data folder', 'Server that the `docent` command talks to.'),
  apiKey: secret(read.text(), 'none', 'Key that the `docent` command uses with that server.'),
  logLevel: setting(
    read.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'Least level that is logged.',
  ),
  logFormat: optional(read.oneOf('json', 'text'), 'text at a terminal, else json', 'How log lines are written.'),
} satisfies Record<string, Setting<never> | Setting<unknown>>

export type SettingName = keyof typeof settings

type ValueOf<S> = S extends Setting<infer T> ? T : never

/** What resolving always fills in, although the table has no fixed default for it. */
interface Derived {
  data: string
  repositories: string
  baseUrl: string
  logFormat: 'json' | 'text'
}

export type Config = Readonly<
  Omit<{ [Name in SettingName]: ValueOf<(typeof settings)[Name]> }, keyof Derived> & Derived
>

export function environmentName(name: string): string {
  return `DOCENT_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}
