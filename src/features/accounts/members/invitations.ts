import { DocentError } from '#base/errors.ts'
import { isId, newId } from '#base/ids.ts'
import type { Tx } from '#infra/db/schema.ts'
import type { Role } from '../schema.ts'
import { type Caller, recordAudit } from '../service.ts'
import { type OpenedSession, openSession } from '../sessions/sessions.ts'
import { addMember, type MembersDeps, requireOwnerFor } from './members.ts'
import { createOneTimeToken, hashToken, linkTo } from './one-time-token.ts'
import type { Invitation, InvitationOffer, NewInvitation, NewUser } from './schema.ts'
import * as store from './store.ts'

const linkDays = 7

export async function listInvitations(
  { db, clock }: Pick<MembersDeps, 'db' | 'clock'>,
  by: Caller,
): Promise<Invitation[]> {
  const rows = await store.listInvitations(db, { organizationId: by.organizationId, at: clock.now() })
  return rows.map(toInvitation)
}

/** The answer has the link, this one time. Throws `forbidden` (an owner is invited by an owner) or `conflict` (a member). */
export async function createInvitation(
  { db, clock, config }: MembersDeps,
  { email, role, by }: NewInvitation & { by: Caller },
): Promise<Invitation & { url: string }> {
  requireOwnerFor([role], by)
  const { token, hash } = createOneTimeToken()
  const row = await db.transaction().execute(async (tx) => {
    if (email !== null && (await store.findUserByEmail(tx, email))) {
      const message = `Somebody with the e-mail address ${email} has an account here already. Invite another address.`
      throw new DocentError('conflict', 'account.exists', message)
    }
    const created = await store.insertInvitation(tx, {
      id: newId('inv'),
      organizationId: by.organizationId,
      email,
      role,
      tokenHash: hash,
      invitedBy: by.actor.name,
      expiresAt: new Date(clock.now().getTime() + linkDays * 86_400_000),
      createdAt: clock.now(),
    })
    await recordAudit(tx, { by, action: 'invitation.create', target: created.id, details: { email, role } })
    return created
  })
  return { ...toInvitation(row), url: linkTo(config, 'invitation', token) }
}

/** Takes an invitation back. Throws `not_found`, also when it was taken. */
export async function revokeInvitation(
  { db }: Pick<MembersDeps, 'db'>,
  { id, by }: { id: string; by: Caller },
): Promise<void> {
  const row = isId('inv', id)
    ? await db.transaction().execute(async (tx) => {
        const deleted = await store.deleteInvitation(tx, { id, organizationId: by.organizationId })
        const details = { email: deleted?.email, role: deleted?.role }
        if (deleted) await recordAudit(tx, { by, action: 'invitation.revoke', target: id, details })
        return deleted
      })
    : undefined
  if (!row) throw new DocentError('not_found', 'invitation.not_found', 'There is no such invitation, or it was taken.')
}

/** What somebody with the link is offered. Throws `forbidden`. */
export async function lookUpInvitation(
  { db, clock }: Pick<MembersDeps, 'db' | 'clock'>,
  token: string,
): Promise<InvitationOffer> {
  const row = await store.findInvitation(db, { tokenHash: hashToken(token), at: clock.now() })
  if (!row) throw linkInvalid()
  return { organization: row.organization, role: row.role as Role, email: row.email, invitedBy: row.invitedBy }
}

/** Makes a member of whoever has the link, and signs them in. Throws `forbidden` (the link) or `conflict` (the address). */
export async function acceptInvitation(
  deps: MembersDeps,
  input: NewUser & { requestId: string; userAgent: string | undefined },
): Promise<OpenedSession> {
  const { db, clock, hasher } = deps
  const { token, name, email, password, requestId, userAgent } = input
  const row = await store.findInvitation(db, { tokenHash: hashToken(token), at: clock.now() })
  if (!row) throw linkInvalid()
  if (row.email !== null && row.email !== email) {
    const message = `This invitation is for ${row.email}. Use that address, or ask for another invitation.`
    throw new DocentError('forbidden', 'invitation.other_email', message)
  }
  const passwordHash = await hasher.hash(password)
  const { userId } = await db.transaction().execute(async (tx) => {
    const user = { name, email, emailVerified: false, passwordHash, requestId, at: clock.now() }
    const joined = await takeInvitation(tx, row.id, user)
    if (!joined) throw linkInvalid()
    return joined
  })
  return await openSession(deps, { userId, userAgent })
}

/** Makes a member by this invitation, in the transaction that uses it up. Null when it is gone. */
export async function takeInvitation(
  tx: Tx,
  invitationId: string,
  user: {
    name: string
    email: string
    emailVerified: boolean
    passwordHash: string | null
    requestId: string | null
    at: Date
  },
): Promise<{ userId: string } | null> {
  const taken = await store.takeInvitation(tx, invitationId)
  if (!taken) return null
  const { organizationId } = taken
  const { requestId, ...person } = user
  const { id, by } = await addMember(tx, { ...person, organizationId, role: taken.role as Role })
  const caller: Caller = { organizationId, actor: by, scopes: [], requestId }
  const details = { email: user.email, role: taken.role, invitation: invitationId }
  await recordAudit(tx, { by: caller, action: 'invitation.accept', target: id, details })
  return { userId: id }
}

function linkInvalid(): DocentError {
  const message =
    'This invitation was used, taken back or has expired. Ask whoever invited you for another, or sign in if you took it.'
  return new DocentError('forbidden', 'invitation.link_invalid', message)
}

function toInvitation(row: store.InvitationRow): Invitation {
  const { id, email, role, invitedBy, createdAt, expiresAt } = row
  return {
    id,
    email,
    role: role as Role,
    invitedBy,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }
}
