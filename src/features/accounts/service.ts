import type { Clock } from '#base/clock.ts'
import { DocentError } from '#base/errors.ts'
import { isId, newId, randomBase62 } from '#base/ids.ts'
import type { Db, Tx } from '#infra/db/schema.ts'
import { type Page, toPage } from '#infra/http/schema.ts'
import { hashKey, hintOf, type KeyRing } from './key-ring.ts'
import type { AuditRecord, Key, NewKey, Organization, Role, Scope } from './schema.ts'
import * as store from './store.ts'

export type { Role, Scope } from './schema.ts'

/** Who did a thing, as the audit records it. */
export interface Actor {
  /** A key; somebody who signed in; the operator on this machine's socket; or Docent itself. */
  kind: 'key' | 'user' | 'local' | 'system'
  id: string | null
  name: string
}

/** Who is calling, and what they may do. Every service function that changes something takes one. */
export interface Caller {
  organizationId: string
  actor: Actor
  scopes: readonly Scope[]
  requestId: string | null
  /** Of somebody who signed in. */
  session?: { id: string; userId: string; role: Role }
}

export interface AccountsDeps {
  db: Db
  clock: Clock
  keyRing: KeyRing
}

/** Docent acting for itself in an organization: at the first start, in background jobs. */
export function systemCaller(organizationId: string): Caller {
  return {
    organizationId,
    actor: { kind: 'system', id: null, name: 'docent' },
    scopes: ['read', 'write'],
    requestId: null,
  }
}

/** A name as it can stand in an address: `My docs!` is `my-docs`. */
export function slugify(name: string, fallback: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 48)
    .replace(/^-+|-+$/g, '')
  return slug || fallback
}

/**
 * Slugs to try one after the other, until one is free: `my-docs`, `my-docs-2`, … After a few they are random, so that
 * the thousandth of a name does not first meet the other 999.
 */
export function* slugCandidates(slug: string): Generator<string, never> {
  yield slug
  for (let number = 2; number <= 20; number++) yield `${slug}-${number}`
  while (true) yield `${slug}-${randomBase62(8).toLowerCase()}`
}

// Organizations

/** Without `by`, Docent makes it for itself. */
export async function createOrganization(
  { db }: Pick<AccountsDeps, 'db'>,
  { name, by }: { name: string; by?: Caller },
): Promise<Organization> {
  const id = newId('org')
  const candidates = slugCandidates(slugify(name, 'organization'))
  // Two that race for one slug meet at the unique index, and the later one goes on to the next.
  while (true) {
    const row = await db.transaction().execute(async (tx) => {
      const created = await store.insertOrganization(tx, { id, name, slug: candidates.next().value })
      // The first record of the new organization, whichever one its maker belongs to.
      const record = {
        by: { ...(by ?? systemCaller(id)), organizationId: id },
        action: 'organization.create',
        target: id,
      }
      if (created) await recordAudit(tx, { ...record, details: { name } })
      return created
    })
    if (row) return toOrganization(row)
  }
}

export async function listOrganizations({ db }: Pick<AccountsDeps, 'db'>): Promise<Organization[]> {
  return (await store.listOrganizations(db)).map(toOrganization)
}

/** The organization of that id or slug; without one, the first. Throws `not_found`. */
export async function getOrganization({ db }: Pick<AccountsDeps, 'db'>, idOrSlug?: string): Promise<Organization> {
  const row =
    idOrSlug === undefined
      ? (await store.listOrganizations(db))[0]
      : idOrSlug.includes('\0')
        ? undefined
        : await store.findOrganization(db, idOrSlug)
  if (!row) throw new DocentError('not_found', 'organization.not_found', 'There is no such organization.')
  return toOrganization(row)
}

// Keys

export async function createKey(
  { db, clock }: Pick<AccountsDeps, 'db' | 'clock'>,
  input: NewKey & { by: Caller },
): Promise<Key & { key: string }> {
  const expiresAt = input.expiresAt === null ? null : new Date(input.expiresAt)
  if (expiresAt && expiresAt <= clock.now()) {
    const message = 'expected a time in the future'
    throw new DocentError('invalid', 'request.invalid', `expiresAt: ${message}.`, {
      details: [{ path: 'expiresAt', message }],
    })
  }
  const key = `docent_${randomBase62(43)}`
  const row = await db.transaction().execute(async (tx) => {
    const created = await store.insertKey(tx, {
      id: newId('key'),
      organizationId: input.by.organizationId,
      name: input.name,
      hash: hashKey(key),
      hint: hintOf(key),
      scopes: [...new Set(input.scopes)],
      allowedAddresses: input.allowedAddresses,
      expiresAt,
    })
    const details = { name: created.name, scopes: created.scopes, expiresAt: created.expiresAt }
    await recordAudit(tx, { by: input.by, action: 'key.create', target: created.id, details })
    return created
  })
  return { ...toKey(row), key }
}

export async function listKeys(
  { db }: Pick<AccountsDeps, 'db'>,
  { by, includeRevoked, page }: { by: Caller; includeRevoked: boolean; page: Page },
): Promise<{ keys: Key[]; hasMore: boolean }> {
  const rows = await store.listKeys(db, { organizationId: by.organizationId, includeRevoked, page })
  const { rows: keys, hasMore } = toPage(rows, page)
  return { keys: keys.map(toKey), hasMore }
}

/** Ends a key: at once on this node, within a second on the others. Throws `not_found`, also the second time. */
export async function revokeKey(
  { db, clock, keyRing }: AccountsDeps,
  { id, by }: { id: string; by: Caller },
): Promise<void> {
  const row = isId('key', id)
    ? await db.transaction().execute(async (tx) => {
        const revoked = await store.markRevoked(tx, { id, organizationId: by.organizationId, at: clock.now() })
        if (revoked) await recordAudit(tx, { by, action: 'key.revoke', target: id, details: { name: revoked.name } })
        return revoked
      })
    : undefined
  if (!row) throw new DocentError('not_found', 'key.not_found', 'There is no such key, or it is revoked already.')
  keyRing.forget(row.hash)
}

/**
 * Makes the key of DOCENT_ADMIN_KEY valid and ends the one that stood there before; going back to that one makes it valid
 * again. One that was revoked by hand while it stood there stays revoked: the caller is told so that it can warn.
 */
export async function ensurePresetKey(
  { db, clock }: Pick<AccountsDeps, 'db' | 'clock'>,
  { key, organizationId }: { key: string; organizationId: string },
): Promise<{ revoked: boolean }> {
  const by = systemCaller(organizationId)
  const hash = hashKey(key)
  return await db.transaction().execute(async (tx) => {
    for (const earlier of await store.listPresetKeys(tx)) {
      if (earlier.hash === hash) continue
      await store.retirePreset(tx, { id: earlier.id, at: clock.now() })
      await recordAudit(tx, { by, action: 'key.revoke', target: earlier.id, details: { reason: 'preset changed' } })
    }
    const existing = await store.findKeyByHash(tx, hash)
    if (existing?.revokedAt && !existing.preset) {
      await store.restorePreset(tx, existing.id)
      await recordAudit(tx, { by, action: 'key.restore', target: existing.id, details: { reason: 'preset again' } })
      return { revoked: false }
    }
    if (existing) return { revoked: existing.revokedAt !== null }
    const row = await store.insertKey(tx, {
      id: newId('key'),
      organizationId,
      name: 'preset (DOCENT_ADMIN_KEY)',
      hash,
      hint: hintOf(key),
      scopes: ['read', 'write'],
      allowedAddresses: [],
      preset: true,
    })
    await recordAudit(tx, { by, action: 'key.create', target: row.id, details: { name: row.name } })
    return { revoked: false }
  })
}

// Audit

/** Writes down who did what, in the transaction that does it, so that neither is there without the other. */
export async function recordAudit(
  tx: Tx,
  record: { by: Caller; action: string; target: string; details?: Record<string, unknown> },
): Promise<void> {
  const { by, action, target, details = {} } = record
  await store.insertAudit(tx, {
    id: newId('aud'),
    organizationId: by.organizationId,
    actorKind: by.actor.kind,
    actorId: by.actor.id,
    actorName: by.actor.name,
    action,
    target,
    details: JSON.stringify(details),
    requestId: by.requestId,
  })
}

export async function listAudit(
  { db }: Pick<AccountsDeps, 'db'>,
  { by, page }: { by: Caller; page: Page },
): Promise<{ records: AuditRecord[]; hasMore: boolean }> {
  const { rows, hasMore } = toPage(await store.listAudit(db, { organizationId: by.organizationId, page }), page)
  return { records: rows.map(toAuditRecord), hasMore }
}

export async function pruneAudit(
  { db, clock }: Pick<AccountsDeps, 'db' | 'clock'>,
  { retentionDays }: { retentionDays: number },
): Promise<void> {
  await store.deleteAuditBefore(db, new Date(clock.now().getTime() - retentionDays * 86_400_000))
}

function toOrganization(row: store.OrganizationRow): Organization {
  return { id: row.id, name: row.name, slug: row.slug, createdAt: row.createdAt.toISOString() }
}

function toKey(row: store.KeyRow): Key {
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    scopes: row.scopes as Scope[],
    allowedAddresses: row.allowedAddresses,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }
}

function toAuditRecord(row: store.AuditRow): AuditRecord {
  return {
    id: row.id,
    at: row.at.toISOString(),
    actor: { kind: row.actorKind as Actor['kind'], id: row.actorId, name: row.actorName },
    action: row.action,
    target: row.target,
    details: row.details,
    requestId: row.requestId,
  }
}
