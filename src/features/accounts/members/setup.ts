import { DocentError } from '#base/errors.ts'
import { type Caller, recordAudit } from '../service.ts'
import { type OpenedSession, openSession } from '../sessions/sessions.ts'
import { addMember, type MembersDeps } from './members.ts'
import { createOneTimeToken, hashToken, linkTo } from './one-time-token.ts'
import type { NewUser, OneTimeLink } from './schema.ts'
import * as store from './store.ts'

const linkDays = 7

/** A link that makes the first owner; the one before it stops working. Null when there is an owner. */
export async function createSetupLink({
  db,
  clock,
  config,
}: Pick<MembersDeps, 'db' | 'clock'> & { config: { baseUrl: string } }): Promise<OneTimeLink | null> {
  const { token, hash } = createOneTimeToken()
  const expiresAt = new Date(clock.now().getTime() + linkDays * 86_400_000)
  const isMade = await db.transaction().execute(async (tx) => {
    if (await store.hasOwner(tx)) return false
    await store.replaceLink(tx, { tokenHash: hash, kind: 'setup', userId: null, expiresAt })
    return true
  })
  return isMade ? { url: linkTo(config, 'setup', token), expiresAt: expiresAt.toISOString() } : null
}

/** Makes the first owner, and signs them in. Throws `conflict` when there is one, `forbidden` for a link that is not the last. */
export async function setUp(
  deps: MembersDeps,
  input: NewUser & { requestId: string; userAgent: string | undefined },
): Promise<OpenedSession> {
  const { db, clock, hasher } = deps
  const { token, name, email, password, requestId, userAgent } = input
  const link = { tokenHash: hashToken(token), kind: 'setup' }
  if (await store.hasOwner(db)) throw setupDone()
  // Before the work of hashing: that is for those with a link.
  if (!(await store.findLink(db, { ...link, at: clock.now() }))) throw linkInvalid()
  const passwordHash = await hasher.hash(password)
  const userId = await db.transaction().execute(async (tx) => {
    const organization = await store.findFirstOrganization(tx)
    if (!organization) throw linkInvalid()
    const organizationId = organization.id
    await store.lockMembers(tx, organizationId)
    if (await store.hasOwner(tx)) throw setupDone()
    if (!(await store.takeLink(tx, { ...link, at: clock.now() }))) throw linkInvalid()
    const role = 'owner' as const
    const user = { organizationId, role, name, email, emailVerified: false, passwordHash, at: clock.now() }
    const { id, by } = await addMember(tx, user)
    const caller: Caller = { organizationId, actor: by, scopes: [], requestId }
    await recordAudit(tx, { by: caller, action: 'setup', target: id, details: { email } })
    return id
  })
  return await openSession(deps, { userId, userAgent })
}

export function setupDone(): DocentError {
  return new DocentError(
    'conflict',
    'setup.done',
    'This server has an owner already. Sign in, or ask for an invitation.',
  )
}

function linkInvalid(): DocentError {
  const message =
    'This setup link is used up, expired or replaced by a newer one. Make one on the server: npx docent setup-link.'
  return new DocentError('forbidden', 'setup.link_invalid', message)
}
