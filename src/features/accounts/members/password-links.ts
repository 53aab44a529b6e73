import { DocentError } from '#base/errors.ts'
import { newId } from '#base/ids.ts'
import { type Caller, recordAudit } from '../service.ts'
import { type OpenedSession, openSession } from '../sessions/sessions.ts'
import * as sessionStore from '../sessions/store.ts'
import { lockMember, type MembersDeps, requireOwnerFor } from './members.ts'
import { createOneTimeToken, hashToken, linkTo } from './one-time-token.ts'
import type { OneTimeLink } from './schema.ts'
import * as store from './store.ts'

const linkHours = 24

/**
 * A link with which a member chooses a new password; the one before it stops working. Throws `not_found`, or `forbidden`
 * for an owner's when the caller is none: it would be a way to become one.
 */
export async function createPasswordLink(
  { db, clock, config }: MembersDeps,
  { id, by }: { id: string; by: Caller },
): Promise<OneTimeLink> {
  const { token, hash } = createOneTimeToken()
  const expiresAt = new Date(clock.now().getTime() + linkHours * 3_600_000)
  await db.transaction().execute(async (tx) => {
    const member = await lockMember(tx, { id, by })
    requireOwnerFor([member.role], by)
    await store.replaceLink(tx, { tokenHash: hash, kind: 'password', userId: id, expiresAt })
    await recordAudit(tx, { by, action: 'password.link', target: id, details: { email: member.email } })
  })
  return { url: linkTo(config, 'password', token), expiresAt: expiresAt.toISOString() }
}

/** Gives the password to whom the link was made for, ends all their sessions, and opens one. Throws `forbidden`. */
export async function choosePassword(
  deps: MembersDeps,
  input: { token: string; password: string; requestId: string; userAgent: string | undefined },
): Promise<OpenedSession> {
  const { db, clock, hasher, sessionRing } = deps
  const { token, password, requestId, userAgent } = input
  const link = { tokenHash: hashToken(token), kind: 'password' }
  if (!(await store.findLink(db, { ...link, at: clock.now() }))) throw linkInvalid()
  const hash = await hasher.hash(password)
  const userId = await db.transaction().execute(async (tx) => {
    const { userId = null } = (await store.takeLink(tx, { ...link, at: clock.now() })) ?? {}
    const member = userId === null ? undefined : await sessionStore.findMembership(tx, userId)
    if (userId === null || !member) throw linkInvalid()
    await sessionStore.setPasswordHash(tx, { id: newId('acc'), userId, hash, at: clock.now() })
    await sessionStore.deleteSessionsOf(tx, userId)
    const actor = { kind: 'user', id: userId, name: member.user.name } as const
    const by: Caller = { organizationId: member.organization.id, actor, scopes: [], requestId }
    await recordAudit(tx, { by, action: 'password.change', target: userId, details: { by: 'link' } })
    return userId
  })
  sessionRing.forget()
  return await openSession(deps, { userId, userAgent })
}

function linkInvalid(): DocentError {
  const message = 'This link is used up, expired or replaced by a newer one. Ask whoever gave it to you for another.'
  return new DocentError('forbidden', 'password.link_invalid', message)
}
