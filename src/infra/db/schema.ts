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

export interface Tables {
  organizations: OrganizationsTable
  apiKeys: ApiKeysTable
  projects: ProjectsTable
  auditRecords: AuditRecordsTable
  instance: InstanceTable
  rateWindows: RateWindowsTable
}

export type Db = Kysely<Tables>
/** Inside a transaction use this and never the outer `Db`: on PGlite's one connection that would wait for itself. */
export type Tx = Transaction<Tables>
