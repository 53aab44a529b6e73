import type { Clock } from '#base/clock.ts'
import { DocentError } from '#base/errors.ts'
import { isId, newId } from '#base/ids.ts'
import type { Config } from '#infra/config/settings.ts'
import type { Db } from '#infra/db/schema.ts'
import * as memberStore from '../members/store.ts'
import { type Caller, recordAudit } from '../service.ts'
import type { Auth } from './auth.ts'
import { cookieOf } from './auth.ts'
import type { PasswordHasher } from './password-hash.ts'
import type { AccountChange, Session, SessionState } from './schema.ts'
import type { FoundSession, SessionRing } from './session-ring.ts'
import * as store from './store.ts'

export interface SessionsDeps {
  db: Db
  clock: Clock
  auth: Auth
  hasher: PasswordHasher
  sessionRing: SessionRing
  config: Pick<Config, 'oidcIssuer' | 'oidcName' | 'oidcClientId'>
  version: string
}

/** A session that was just opened, and the cookies that carry it. */
export interface OpenedSession {
  state: SessionState
  setCookies: string[]
}

/** What a page needs to know first, whether somebody is signed in or not. */
export async function describeSession(deps: SessionsDeps, session: FoundSession | null): Promise<SessionState> {
  const { db, config, version } = deps
  return {
    user: session?.user ?? null,
    organization: session?.organization ?? null,
    role: session?.role ?? null,
    setupNeeded: session === null && !(await memberStore.hasOwner(db)),
    oidc: config.oidcIssuer && config.oidcClientId ? { name: config.oidcName } : null,
    version,
  }
}

/** Opens a session for whoever has the password. Throws `unauthenticated`, in the same words whatever is wrong. */
export async function signIn(
  deps: SessionsDeps,
  input: { email: string; password: string; userAgent: string | undefined },
): Promise<OpenedSession> {
  const setCookies = await deps.auth.signIn(input)
  if (!setCookies) {
    const message = 'There is no member with this e-mail address and password.'
    throw new DocentError('unauthenticated', 'auth.wrong_password', message)
  }
  return await openedBy(deps, setCookies)
}

/** Opens a session for somebody who came by a link: they have just become a member, or chosen a password. */
export async function openSession(
  deps: SessionsDeps,
  input: { userId: string; userAgent: string | undefined },
): Promise<OpenedSession> {
  return await openedBy(deps, await deps.auth.openSession(input))
}

async function openedBy(deps: SessionsDeps, setCookies: string[]): Promise<OpenedSession> {
  const found = await deps.sessionRing.find(cookieOf(setCookies))
  // Somebody may have removed them in this very moment.
  if (!found) throw new DocentError('unauthenticated', 'auth.session_ended', 'You are no member any more.')
  return { state: await describeSession(deps, found.session), setCookies }
}

/** Ends the session of this cookie, if there is one. */
export async function signOut({ db, sessionRing }: SessionsDeps, cookie: string): Promise<void> {
  const found = await sessionRing.find(cookie)
  if (!found) return
  await store.deleteSession(db, { id: found.session.id, userId: found.session.user.id })
  sessionRing.forget()
}

/** The sessions of whoever asks, the newest first. Throws `forbidden` for a key, which has none. */
export async function listSessions({ db, clock }: SessionsDeps, by: Caller): Promise<Session[]> {
  const own = requireSession(by)
  const rows = await store.listSessions(db, { userId: own.userId, at: clock.now() })
  return rows.map((row) => ({
    id: row.id,
    current: row.id === own.id,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.updatedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    userAgent: row.userAgent || null,
  }))
}

/** Ends one of one's own sessions: at once on this node, within a second on the others. */
export async function revokeSession(
  { db, sessionRing }: SessionsDeps,
  { id, by }: { id: string; by: Caller },
): Promise<void> {
  const { userId } = requireSession(by)
  const isEnded =
    isId('ses', id) &&
    (await db.transaction().execute(async (tx) => {
      const deleted = await store.deleteSession(tx, { id, userId })
      if (deleted) await recordAudit(tx, { by, action: 'session.revoke', target: id })
      return deleted
    }))
  if (!isEnded) throw new DocentError('not_found', 'session.not_found', 'There is no such session of yours.')
  sessionRing.forget()
}

/** Changes one's own name or password. A new password ends all other sessions. */
export async function changeAccount(
  deps: SessionsDeps,
  { name, password, by }: AccountChange & { by: Caller },
): Promise<SessionState> {
  const { db, clock, sessionRing } = deps
  const { userId, id: sessionId } = requireSession(by)
  const hash = password ? await replacePassword(deps, { userId, ...password }) : null
  await db.transaction().execute(async (tx) => {
    const at = clock.now()
    if (name !== undefined) {
      await store.setUserName(tx, { id: userId, name, at })
      await recordAudit(tx, { by, action: 'account.change', target: userId, details: { changed: ['name'] } })
    }
    if (hash !== null) {
      await store.setPasswordHash(tx, { id: newId('acc'), userId, hash, at })
      await store.deleteSessionsOf(tx, userId, sessionId)
      await recordAudit(tx, { by, action: 'password.change', target: userId })
    }
  })
  sessionRing.forget()
  const membership = await store.findMembership(db, userId)
  return await describeSession(deps, membership ? { id: sessionId, ...membership } : null)
}

/** The hash of the next password, when the current one is right. */
async function replacePassword(
  { db, hasher }: SessionsDeps,
  { userId, current, next }: { userId: string; current: string; next: string },
): Promise<string> {
  const hash = await store.findPasswordHash(db, userId)
  if (hash === null) {
    const message = 'You sign in with a provider and have no password here. Ask an owner for a link to choose one.'
    throw new DocentError('conflict', 'account.no_password', message)
  }
  if (!(await hasher.verify({ hash, password: current }))) {
    throw new DocentError('forbidden', 'auth.wrong_password', 'The current password is another one.')
  }
  return await hasher.hash(next)
}

function requireSession(by: Caller): NonNullable<Caller['session']> {
  if (by.session) return by.session
  const message = 'This is about the person who is signed in, and you called with a key. Sign in on the dashboard.'
  throw new DocentError('forbidden', 'auth.session_needed', message)
}
