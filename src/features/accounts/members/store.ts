import type { Insertable, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Db, InvitationsTable, OneTimeLinksTable, Tx } from '#infra/db/schema.ts'
import type { Role } from '../schema.ts'

export type InvitationRow = Selectable<InvitationsTable>

export interface MemberRow {
  id: string
  name: string
  email: string
  role: Role
  createdAt: Date
  lastSeenAt: Date | null
}

/** The organization that setting up makes an owner of. */
export async function findFirstOrganization(db: Db | Tx) {
  return await db.selectFrom('organizations').selectAll().orderBy('createdAt').orderBy('id').limit(1).executeTakeFirst()
}

/** Whether anybody owns this server: the first of its organizations. */
export async function hasOwner(db: Db | Tx): Promise<boolean> {
  const first = await findFirstOrganization(db)
  if (!first) return false
  return (await countOwners(db, first.id)) > 0
}

export async function countOwners(db: Db | Tx, organizationId: string): Promise<number> {
  const { count } = await db
    .selectFrom('members')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('organizationId', '=', organizationId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  return Number(count)
}

function members(db: Db | Tx, organizationId: string) {
  return db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.userId')
    .select(['users.id', 'users.name', 'users.email', 'members.role', 'members.createdAt', 'members.lastSeenAt'])
    .where('members.organizationId', '=', organizationId)
}

export async function listMembers(db: Db, organizationId: string): Promise<MemberRow[]> {
  const rows = await members(db, organizationId).orderBy('members.createdAt').orderBy('users.id').execute()
  return rows as MemberRow[]
}

export async function findMember(
  db: Db | Tx,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<MemberRow | undefined> {
  const row = await members(db, organizationId).where('users.id', '=', userId).executeTakeFirst()
  return row as MemberRow | undefined
}

/**
 * Nobody else changes the members of this organization until the transaction ends: of two who take away an owner each,
 * the later one sees what the first did.
 */
export async function lockMembers(tx: Tx, organizationId: string): Promise<void> {
  await tx.selectFrom('organizations').select('id').where('id', '=', organizationId).forUpdate().execute()
}

export async function insertMember(tx: Tx, row: { organizationId: string; userId: string; role: Role }): Promise<void> {
  await tx.insertInto('members').values(row).execute()
}

export async function setRole(
  tx: Tx,
  { organizationId, userId, role }: { organizationId: string; userId: string; role: Role },
): Promise<void> {
  await tx
    .updateTable('members')
    .set({ role })
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .execute()
}

/** Also the user, when they are a member of nothing else; their sessions go with them. */
export async function deleteMember(
  tx: Tx,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<void> {
  await tx.deleteFrom('members').where('organizationId', '=', organizationId).where('userId', '=', userId).execute()
  await tx.deleteFrom('sessions').where('userId', '=', userId).execute()
  await tx
    .deleteFrom('users')
    .where('id', '=', userId)
    .where((is) => is.not(is.exists(is.selectFrom('members').select(sql`1`.as('one')).where('userId', '=', userId))))
    .execute()
}

/** Undefined: somebody has that address already. */
export async function insertUser(
  tx: Tx,
  row: { id: string; name: string; email: string; emailVerified: boolean },
): Promise<{ id: string } | undefined> {
  return await tx
    .insertInto('users')
    .values(row)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
}

export async function findUserByEmail(db: Db | Tx, email: string) {
  return await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()
}

/** How somebody signs in with a provider, if they ever did. */
export async function findProviderAccount(
  db: Db | Tx,
  { providerId, accountId }: { providerId: string; accountId: string },
): Promise<{ userId: string } | undefined> {
  return await db
    .selectFrom('userAccounts')
    .select('userId')
    .where('providerId', '=', providerId)
    .where('accountId', '=', accountId)
    .executeTakeFirst()
}

export async function insertInvitation(tx: Tx, row: Insertable<InvitationsTable>): Promise<InvitationRow> {
  return await tx.insertInto('invitations').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function listInvitations(
  db: Db,
  { organizationId, at }: { organizationId: string; at: Date },
): Promise<InvitationRow[]> {
  return await db
    .selectFrom('invitations')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('expiresAt', '>', at)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

export async function findInvitation(
  db: Db | Tx,
  { tokenHash, at }: { tokenHash: string; at: Date },
): Promise<(InvitationRow & { organization: string }) | undefined> {
  return await db
    .selectFrom('invitations')
    .innerJoin('organizations', 'organizations.id', 'invitations.organizationId')
    .selectAll('invitations')
    .select('organizations.name as organization')
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', at)
    .executeTakeFirst()
}

/** The one that was made first, of those that name this address. */
export async function findInvitationFor(
  db: Db | Tx,
  { email, at }: { email: string; at: Date },
): Promise<InvitationRow | undefined> {
  return await db
    .selectFrom('invitations')
    .selectAll()
    .where('email', '=', email)
    .where('expiresAt', '>', at)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** Takes an invitation away, once: of two who try, one gets it. */
export async function takeInvitation(tx: Tx, id: string): Promise<InvitationRow | undefined> {
  return await tx.deleteFrom('invitations').where('id', '=', id).returningAll().executeTakeFirst()
}

export async function deleteInvitation(
  tx: Tx,
  { id, organizationId }: { id: string; organizationId: string },
): Promise<InvitationRow | undefined> {
  return await tx
    .deleteFrom('invitations')
    .where('id', '=', id)
    .where('organizationId', '=', organizationId)
    .returningAll()
    .executeTakeFirst()
}

/** The only link of its kind, and for its user: those before it stop working. */
export async function replaceLink(
  tx: Tx,
  row: Insertable<OneTimeLinksTable> & { userId: string | null },
): Promise<void> {
  const { kind, userId } = row
  await tx
    .deleteFrom('oneTimeLinks')
    .where('kind', '=', kind)
    .where((is) => (userId === null ? is('userId', 'is', null) : is('userId', '=', userId)))
    .execute()
  await tx.insertInto('oneTimeLinks').values(row).execute()
}

export async function findLink(db: Db | Tx, { tokenHash, kind, at }: { tokenHash: string; kind: string; at: Date }) {
  return await db
    .selectFrom('oneTimeLinks')
    .selectAll()
    .where('tokenHash', '=', tokenHash)
    .where('kind', '=', kind)
    .where('expiresAt', '>', at)
    .executeTakeFirst()
}

/** Takes a link away, once: of two who try, one gets it. */
export async function takeLink(tx: Tx, { tokenHash, kind, at }: { tokenHash: string; kind: string; at: Date }) {
  return await tx
    .deleteFrom('oneTimeLinks')
    .where('tokenHash', '=', tokenHash)
    .where('kind', '=', kind)
    .where('expiresAt', '>', at)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteExpired(db: Db, at: Date): Promise<void> {
  await db.deleteFrom('invitations').where('expiresAt', '<', at).execute()
  await db.deleteFrom('oneTimeLinks').where('expiresAt', '<', at).execute()
}
