import { DocentError } from '#base/errors.ts'
import { takeInvitation } from '../members/invitations.ts'
import type { MembersDeps } from '../members/members.ts'
import * as memberStore from '../members/store.ts'
import { Email } from '../sessions/schema.ts'

/** What a provider says of somebody. All of it is the provider's word. */
export interface Claims {
  sub?: unknown
  email?: unknown
  email_verified?: unknown
  name?: unknown
}

export interface Admitted {
  sub: string
  email: string
  name: string
}

export const oidcProviderId = 'oidc'
const mostName = 100

/**
 * Lets in whom we know, by an earlier sign-in or by their e-mail address: a member, or somebody with an open invitation
 * to that address, who becomes one.
 * Throws `forbidden` for everybody else.
 */
export async function admit(
  { db, clock }: Pick<MembersDeps, 'db' | 'clock'>,
  { sub, email: given, email_verified: verified, name: called }: Claims,
): Promise<Admitted> {
  const email = Email.safeParse(given)
  if (!email.success || typeof sub !== 'string' || sub === '') {
    const message = 'Your provider does not tell your e-mail address. Ask its administrator to let this server know it.'
    throw new DocentError('forbidden', 'oidc.no_email', message)
  }
  // Some send it as text. An address that nobody checked could be anybody's.
  if (verified !== true && verified !== 'true') {
    const message = 'Your provider has not verified your e-mail address. Verify it there, then sign in again.'
    throw new DocentError('forbidden', 'oidc.email_not_verified', message)
  }
  const admitted = { sub, email: email.data, name: nameOf(called, email.data) }
  // By what the provider calls them first: an address can change, or go to somebody else.
  if (await memberStore.findProviderAccount(db, { providerId: oidcProviderId, accountId: sub })) return admitted
  if (await memberStore.findUserByEmail(db, admitted.email)) return admitted
  const isMember = await db.transaction().execute(async (tx) => {
    const at = clock.now()
    const invitation = await memberStore.findInvitationFor(tx, { email: admitted.email, at })
    if (!invitation) return false
    const user = { name: admitted.name, email: admitted.email, emailVerified: true, passwordHash: null }
    return (await takeInvitation(tx, invitation.id, { ...user, requestId: null, at })) !== null
  })
  if (isMember || (await memberStore.findUserByEmail(db, admitted.email))) return admitted
  const message = `${admitted.email} is no member here. Ask an owner or an admin for an invitation to this address.`
  throw new DocentError('forbidden', 'oidc.no_member', message)
}

function nameOf(called: unknown, email: string): string {
  const name = typeof called === 'string' ? called.replaceAll('\0', '').toWellFormed().trim().slice(0, mostName) : ''
  return (name || email.split('@')[0]!).toWellFormed()
}
