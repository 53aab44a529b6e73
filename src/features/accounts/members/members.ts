import { DocentError } from '#base/errors.ts'
import { isId, newId } from '#base/ids.ts'
import type { Config } from '#infra/config/settings.ts'
import type { Tx } from '#infra/db/schema.ts'
import type { Role } from '../schema.ts'
import { type Caller, recordAudit } from '../service.ts'
import type { SessionsDeps } from '../sessions/sessions.ts'
import * as sessionStore from '../sessions/store.ts'
import type { Member } from './schema.ts'
import * as store from './store.ts'

export interface MembersDeps extends SessionsDeps {
  config: SessionsDeps['config'] & Pick<Config, 'baseUrl'>
}

/** What a caller may do to members: a key that can write counts as an admin, the operator of this machine as an owner. */
export function powerOf({ session, actor, scopes }: Caller): Role {
  if (session) return session.role
  if (actor.kind === 'key') return scopes.includes('write') ? 'admin' : 'viewer'
  return 'owner'
}

export async function listMembers({ db }: Pick<MembersDeps, 'db'>, by: Caller): Promise<Member[]> {
  return (await store.listMembers(db, by.organizationId)).map(toMember)
}

/** Throws `not_found`, `forbidden` (owners are made and unmade by owners) or `conflict` (the last owner). */
export async function changeMember(
  { db, sessionRing }: MembersDeps,
  { id, role, by }: { id: string; role: Role; by: Caller },
): Promise<Member> {
  const changed = await db.transaction().execute(async (tx) => {
    const member = await lockMember(tx, { id, by })
    if (member.role === role) return member
    requireOwnerFor([member.role, role], by)
    if (member.role === 'owner') await requireAnotherOwner(tx, by.organizationId)
    await store.setRole(tx, { organizationId: by.organizationId, userId: id, role })
    const details = { email: member.email, from: member.role, to: role }
    await recordAudit(tx, { by, action: 'member.change', target: id, details })
    return { ...member, role }
  })
  sessionRing.forget()
  return toMember(changed)
}

/** Their sessions end at once here, within a second on other nodes. Throws as `changeMember` does. */
export async function removeMember(
  { db, sessionRing }: MembersDeps,
  { id, by }: { id: string; by: Caller },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const member = await lockMember(tx, { id, by })
    requireOwnerFor([member.role], by)
    if (member.role === 'owner') await requireAnotherOwner(tx, by.organizationId)
    await store.deleteMember(tx, { organizationId: by.organizationId, userId: id })
    const details = { email: member.email, role: member.role }
    await recordAudit(tx, { by, action: 'member.remove', target: id, details })
  })
  sessionRing.forget()
}

/** Throws `forbidden` when one of these roles is `owner` and the caller is none. */
export function requireOwnerFor(roles: Role[], by: Caller): void {
  if (!roles.includes('owner') || powerOf(by) === 'owner') return
  const who = by.session ? `you are ${by.session.role}` : 'a key counts as an admin'
  const message = `Only an owner can do this to an owner, or make one; ${who}. Ask an owner.`
  throw new DocentError('forbidden', 'member.owner_needed', message)
}

/** A user with a password and a place in an organization. Throws `conflict` when the address is taken. */
export async function addMember(
  tx: Tx,
  input: {
    organizationId: string
    role: Role
    name: string
    email: string
    emailVerified: boolean
    /** Null: they sign in with a provider. */
    passwordHash: string | null
    at: Date
  },
): Promise<{ id: string; by: Caller['actor'] }> {
  const { organizationId, role, name, email, emailVerified, passwordHash, at } = input
  const id = newId('usr')
  if (!(await store.insertUser(tx, { id, name, email, emailVerified }))) {
    const message = `Somebody with the e-mail address ${email} has an account here already. Sign in with it, or use another address.`
    throw new DocentError('conflict', 'account.exists', message)
  }
  if (passwordHash !== null) {
    await sessionStore.setPasswordHash(tx, { id: newId('acc'), userId: id, hash: passwordHash, at })
  }
  await store.insertMember(tx, { organizationId, userId: id, role })
  return { id, by: { kind: 'user', id, name } }
}

/** The member, while nobody else changes members. */
export async function lockMember(tx: Tx, { id, by }: { id: string; by: Caller }): Promise<store.MemberRow> {
  const { organizationId } = by
  await store.lockMembers(tx, organizationId)
  const member = isId('usr', id) ? await store.findMember(tx, { organizationId, userId: id }) : undefined
  if (!member) throw new DocentError('not_found', 'member.not_found', 'There is no such member.')
  return member
}

async function requireAnotherOwner(tx: Tx, organizationId: string): Promise<void> {
  if ((await store.countOwners(tx, organizationId)) > 1) return
  const message = 'This is the only owner, and there must be one. Make somebody else an owner first.'
  throw new DocentError('conflict', 'member.last_owner', message)
}

function toMember(row: store.MemberRow): Member {
  const { id, name, email, role, createdAt, lastSeenAt } = row
  return {
    id,
    name,
    email,
    role,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt?.toISOString() ?? null,
  }
}
