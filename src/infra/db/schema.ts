import type { ColumnType, Generated, Kysely, Transaction } from 'kysely'

/** A moment; defaults to the database's clock where the column has a default. */
type CreatedAt = ColumnType<Date, Date | undefined, never>

export interface OrganizationsTable {
  id: string
  name: string
  slug: string
  createdAt: CreatedAt
}

export interface ApiKeysTable {
  id: string
  organizationId: string
  name: string
  /** SHA-256 of the whole key, in hex. The key itself is shown once and never kept. */
  hash: string
  /** The key's last four characters, so that people can tell their keys apart. */
  hint: string
  scopes: string[]
  allowedAddresses: string[]
  expiresAt: Date | null
  lastUsedAt: Date | null
  revokedAt: Date | null
  /** Came from DOCENT_ADMIN_KEY, and is replaced when that changes. */
  preset: Generated<boolean>
  createdAt: CreatedAt
}

export interface ProjectsTable {
  id: string
  organizationId: string
  name: string
  slug: string
  provider: string
  /** Full URL of the repository; null for the built-in host, whose URL follows from the slug and the base URL. */
  repository: string | null
  /** Branch; null means the repository's default branch. */
  ref: string | null
  docsPath: string
  apiUrl: string | null
  /** The access token, encrypted; see infra/data/secret-box.ts. */
  sealedToken: string | null
  model: string | null
  /** What pushes that the host tells us of are checked with, encrypted; null until it was asked for. */
  sealedPushSecret: Generated<string | null>
  /** Paths that agents may change although they are closed to them elsewhere. */
  openPaths: Generated<string[]>
  /** Limits of its agents that are lower than the server's, by name; null: none. */
  agentLimits: ColumnType<Record<string, number> | null, string | null | undefined, string | null>
  createdAt: CreatedAt
  updatedAt: ColumnType<Date, Date | undefined, Date>
}

export interface AuditRecordsTable {
  id: string
  organizationId: string
  at: CreatedAt
  actorKind: string
  actorId: string | null
  actorName: string
  action: string
  target: string
  details: ColumnType<Record<string, unknown>, string, never>
  requestId: string | null
}

/** Facts about this installation, by name. */
export interface InstanceTable {
  name: string
  value: string
}

export interface RateWindowsTable {
  bucket: string
  windowStart: Date
  count: number
}

/** JSON that goes in as text, as the driver would take an array for one of PostgreSQL's. */
type Json<T> = ColumnType<T, string, string>

export interface AgentJobsTable {
  id: string
  projectId: string
  /** `active`, `completed`, `failed` or `archived`. */
  status: string
  /** As they were when the job was created. */
  repository: string
  /** Branch that the work starts from; null until the default branch is known. */
  ref: string | null
  model: string
  /** The job's own branch, written down before it is made. */
  branch: string | null
  /** Number of the pull request on its host. */
  pullRequest: number | null
  prLink: string | null
  title: string | null
  summary: string | null
  error: ColumnType<{ code: string; message: string } | null, string | null | undefined, string | null>
  steps: Generated<number>
  inputTokens: Generated<number>
  outputTokens: Generated<number>
  /** Place in the round robin between projects; see the store. */
  turn: Generated<number>
  /** Counts up each time the job is put into the queue: an entry with an older number is worth nothing. */
  ticket: Generated<number>
  /** Counts up each time a worker takes the job: one that was thought dead cannot write with an old number. */
  claim: Generated<number>
  /** Number of the newest event. */
  lastEvent: Generated<number>
  createdAt: CreatedAt
  finishedAt: Date | null
  archivedAt: Date | null
}

/** A prompt: the one that a job was created with is number 1, follow-ups come after it. */
export interface AgentMessagesTable {
  id: string
  jobId: string
  projectId: string
  number: number
  prompt: string
  /** `waiting`, `running`, `done` or `failed`. */
  state: string
  attempts: Generated<number>
  /** Branch that its changes go to. */
  branch: string | null
  /** Commit that the work started from. */
  baseCommit: string | null
  /** The project's docs folder at that time. What steps changed is named from there. */
  docsPath: string | null
  /** Commit that it made; null when nothing changed. */
  commit: string | null
  title: string | null
  summary: string | null
  createdAt: CreatedAt
}

export interface AgentStepsTable {
  messageId: string
  number: number
  data: Json<unknown>
  /** Files as this step left them: base64, or null when deleted. */
  changes: Json<{ path: string; content: string | null }[]>
  createdAt: CreatedAt
}

export interface AgentEventsTable {
  jobId: string
  number: number
  type: string
  data: Json<Record<string, unknown>>
  at: CreatedAt
}

export interface IdempotencyKeysTable {
  projectId: string
  key: string
  requestHash: string
  jobId: string
  createdAt: Date
}

/** Pull requests of the built-in host. */
export interface PullRequestsTable {
  projectId: string
  number: number
  branch: string
  base: string
  title: string
  body: string
  draft: Generated<boolean>
  /** `open`, `merged` or `closed`. */
  state: string
  /** Where base and branch were when it was merged or closed; while it is open, where they were last seen. */
  baseCommit: string | null
  headCommit: string | null
  /** What merging made of them; on an open one, what a merge was about to point the base at. */
  mergeCommit: string | null
  endedBy: string | null
  createdAt: CreatedAt
  updatedAt: ColumnType<Date, Date | undefined, Date>
  endedAt: Date | null
}

export interface WebhookEndpointsTable {
  id: string
  projectId: string
  url: string
  events: string[]
  sealedSecret: string
  enabled: Generated<boolean>
  createdAt: CreatedAt
}

export interface WebhookDeliveriesTable {
  id: string
  endpointId: string
  event: string
  /** The very bytes that are signed and sent. */
  body: string
  /** `pending`, `delivered` or `failed`. */
  state: string
  attempts: Generated<number>
  responseStatus: number | null
  error: string | null
  createdAt: CreatedAt
  lastAttemptAt: Date | null
}

/** What a project says of its visitor analytics. No row: the defaults. */
export interface AnalyticsSettingsTable {
  projectId: string
  /** `all` or `direct`; see AiScope. */
  aiTraffic: Generated<string>
  /** How long one visitor keeps one id: `stable`, `monthly` or `daily`. */
  visitorIds: Generated<string>
  /** Null: for ever. */
  retentionDays: number | null
  /** Where the browser script may be on, such as `https://docs.example.com`. */
  origins: Generated<string[]>
  /** The project's own rules, which come before all others; their shape is in features/analytics/settings. */
  rules: ColumnType<unknown, string | undefined, string>
  updatedAt: ColumnType<Date, Date | undefined, Date>
}

/** What visitors' ids are made with. A period's secret is deleted when the period is over. */
export interface AnalyticsSecretsTable {
  projectId: string
  /** `stable`, a month (`2026-11`) or a day (`2026-11-15`). */
  period: string
  sealedSecret: string
  createdAt: CreatedAt
}

/** How far a log file was read, so that an import goes on where it stopped. */
export interface AnalyticsImportsTable {
  projectId: string
  fingerprint: string
  name: string
  /** Bytes of the (uncompressed) file that are in. */
  position: ColumnType<string, number, number>
  lines: ColumnType<string, number, number>
  /** Of what stands before the position: shows that it is still the same file. */
  checkpoint: string
  updatedAt: ColumnType<Date, Date | undefined, Date>
}

/** What readers say of a page. */
export interface FeedbackTable {
  id: string
  projectId: string
  path: string
  comment: string | null
  helpful: boolean
  contact: string | null
  status: Generated<string>
  createdAt: CreatedAt
}

/** What readers searched for, one row a search. */
export interface SearchesTable {
  id: string
  projectId: string
  query: string
  clickedPath: string | null
  createdAt: CreatedAt
}

/** What readers see of a project. No row: nothing was published yet. */
export interface SitesTable {
  projectId: string
  /** The deployment that readers get. */
  liveDeployment: string | null
  /** Where the branch was when it was last published from: what stands there again is no news. */
  head: string | null
  /** What that was the head of: repository, branch and folder. */
  source: string | null
  nextPollAt: ColumnType<Date, Date | undefined, Date>
  /** In a row. */
  pollFailures: Generated<number>
  updatedAt: ColumnType<Date, Date | undefined, Date>
}

export interface DeploymentsTable {
  id: string
  projectId: string
  /** Null: not looked up yet, or it could not be. */
  commit: string | null
  /** Branch that it came from. */
  ref: string
  docsPath: string
  /** `waiting`, `building`, `ready` or `failed`. */
  state: string
  /** Why it was made: `first`, `push`, `poll`, `manual`, `return` or `settings`. */
  reason: string
  /** Who asked for it; null: a push or Docent itself. */
  by: string | null
  pages: Generated<number>
  /** Pages against the deployment that was live before; of long lists the first ones. Its shape is in features/site. */
  changes: ColumnType<unknown, string | undefined, string>
  warningCount: Generated<number>
  /** The first of them. */
  warnings: ColumnType<unknown, string | undefined, string>
  error: ColumnType<{ code: string; message: string } | null, string | null | undefined, string | null>
  createdAt: CreatedAt
  finishedAt: Date | null
  /** The job of the queue that builds it, which may go on with what it began before its worker died. */
  work: string | null
  /** While it is built: nobody builds what has none for long. */
  heartbeatAt: Date | null
}

/** Names that a project's site is served under, besides its address here. */
export interface SiteDomainsTable {
  name: string
  projectId: string
  createdAt: CreatedAt
}

/** A person who can sign in. */
export interface UsersTable {
  id: string
  name: string
  /** In lower case. */
  email: string
  /** Whether a provider of sign-ins said that it is theirs. */
  emailVerified: Generated<boolean>
  image: string | null
  createdAt: CreatedAt
  updatedAt: ColumnType<Date, Date | undefined, Date>
}

/** Written by better-auth. */
export interface SessionsTable {
  id: string
  userId: string
  /** The cookie has it with a signature: without the secret, a copy of this table signs nobody in. */
  token: string
  expiresAt: Date
  /** Always null: addresses are never written down. */
  ipAddress: string | null
  userAgent: string | null
  createdAt: CreatedAt
  /** When it was last used, to within a minute. */
  updatedAt: ColumnType<Date, Date | undefined, Date>
}

/** A way in which a user signs in: `credential` (a password) or `oidc`. */
export interface UserAccountsTable {
  id: string
  userId: string
  providerId: string
  /** Who the provider says it is; of a password, the user. */
  accountId: string
  /** Salt and scrypt. */
  password: string | null
  /** This and those down to `scope` are always null: nothing is done in the name of a user at their provider. */
  accessToken: string | null
  refreshToken: string | null
  idToken: string | null
  accessTokenExpiresAt: Date | null
  refreshTokenExpiresAt: Date | null
  scope: string | null
  createdAt: CreatedAt
  updatedAt: ColumnType<Date, Date | undefined, Date>
}

export interface MembersTable {
  organizationId: string
  userId: string
  /** `owner`, `admin` or `viewer`. */
  role: string
  /** To within a minute. */
  lastSeenAt: Date | null
  createdAt: CreatedAt
}

/** Open invitations: one that was taken or taken back is gone. */
export interface InvitationsTable {
  id: string
  organizationId: string
  /** In lower case. Null: whoever has the link. */
  email: string | null
  role: string
  tokenHash: string
  /** Name of whoever invited. */
  invitedBy: string
  expiresAt: Date
  createdAt: CreatedAt
}

export interface OneTimeLinksTable {
  /** SHA-256 of the token in the link, in hex. */
  tokenHash: string
  /** `setup` or `password`. */
  kind: string
  /** Whose password it changes. */
  userId: string | null
  expiresAt: Date
  createdAt: CreatedAt
}

export interface Tables {
  organizations: OrganizationsTable
  apiKeys: ApiKeysTable
  projects: ProjectsTable
  auditRecords: AuditRecordsTable
  instance: InstanceTable
  rateWindows: RateWindowsTable
  agentJobs: AgentJobsTable
  agentMessages: AgentMessagesTable
  agentSteps: AgentStepsTable
  agentEvents: AgentEventsTable
  idempotencyKeys: IdempotencyKeysTable
  pullRequests: PullRequestsTable
  webhookEndpoints: WebhookEndpointsTable
  webhookDeliveries: WebhookDeliveriesTable
  analyticsSettings: AnalyticsSettingsTable
  analyticsSecrets: AnalyticsSecretsTable
  analyticsImports: AnalyticsImportsTable
  feedback: FeedbackTable
  searches: SearchesTable
  sites: SitesTable
  deployments: DeploymentsTable
  siteDomains: SiteDomainsTable
  users: UsersTable
  sessions: SessionsTable
  userAccounts: UserAccountsTable
  members: MembersTable
  invitations: InvitationsTable
  oneTimeLinks: OneTimeLinksTable
}

export type Db = Kysely<Tables>
/** Inside a transaction use this and never the outer `Db`: on PGlite's one connection that would wait for itself. */
export type Tx = Transaction<Tables>
