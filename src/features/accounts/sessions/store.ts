import type { Selectable } from 'kysely'
import type { Db, SessionsTable, Tx, UsersTable } from '#infra/db/schema.ts'
import type { Role } from '../schema.ts'

export type UserRow = Selectable<UsersTable>
export type SessionRow = Selectable<SessionsTable>

/** Who somebody is and where they belong; where to several organizations, to the one they joined first. */
export async function findMembership(db: Db | Tx, userId: string) {
  const row = await db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.userId')
    .innerJoin('organizations', 'organizations.id', 'members.organizationId')
    .select(['members.role', 'users.name', 'users.email', 'organizations.id as organizationId'])
    .select(['organizations.name as organizationName', 'organizations.slug'])
    .where('members.userId', '=', userId)
    .orderBy('members.createdAt')
    .orderBy('organizations.id')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  return {
    user: { id: userId, name: row.name, email: row.email },
    organization: { id: row.organizationId, name: row.organizationName, slug: row.slug },
    role: row.role as Role,
  }
}

export async function markSeen(
  db: Db,
  { userId, organizationId, at }: { userId: string; organizationId: string; at: Date },
): Promise<void> {
  await db
    .updateTable('members')
    .set({ lastSeenAt: at })
    .where('userId', '=', userId)
    .where('organizationId', '=', organizationId)
    .execute()
}

export async function listSessions(db: Db, { userId, at }: { userId: string; at: Date }): Promise<SessionRow[]> {
  return await db
    .selectFrom('sessions')
    .selectAll()
    .where('userId', '=', userId)
    .where('expiresAt', '>', at)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute()
}

/** Ends one session of this user. Returns whether there was one. */
export async function deleteSession(db: Db | Tx, { id, userId }: { id: string; userId: string }): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Ends the sessions of a user, but for one where one is given. */
export async function deleteSessionsOf(db: Db | Tx, userId: string, except?: string): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .$if(except !== undefined, (query) => query.where('id', '<>', except!))
    .execute()
}

export async function deleteExpiredSessions(db: Db, at: Date): Promise<void> {
  await db.deleteFrom('sessions').where('expiresAt', '<', at).execute()
}

export async function findPasswordHash(db: Db | Tx, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('userAccounts')
    .select('password')
    .where('userId', '=', userId)
    .where('providerId', '=', 'credential')
    .executeTakeFirst()
  return row?.password ?? null
}

/** Gives a user a password, the first or another. */
export async function setPasswordHash(
  tx: Tx,
  { id, userId, hash, at }: { id: string; userId: string; hash: string; at: Date },
): Promise<void> {
  await tx
    .insertInto('userAccounts')
    .values({ id, userId, providerId: 'credential', accountId: userId, password: hash })
    .onConflict((conflict) =>
      conflict.columns(['providerId', 'accountId']).doUpdateSet({ password: hash, updatedAt: at }),
    )
    .execute()
}

export async function setUserName(tx: Tx, { id, name, at }: { id: string; name: string; at: Date }): Promise<void> {
  await tx.updateTable('users').set({ name, updatedAt: at }).where('id', '=', id).execute()
}
