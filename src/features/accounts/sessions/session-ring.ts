import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { Db } from '#infra/db/schema.ts'
import type { Role } from '../schema.ts'
import type { Auth } from './auth.ts'
import * as store from './store.ts'

// As for keys: a session that was ended must stop within a second on every node.
const trustedMs = 500
const mostRemembered = 10_000
const seenEveryMs = 60_000
// A signed token is about 80 characters long.
const mostCookieLength = 200

/** A session of somebody who is a member. */
export interface FoundSession {
  id: string
  user: { id: string; name: string; email: string }
  organization: { id: string; name: string; slug: string }
  role: Role
}

/** Looks up sessions by their cookies, remembering them for a moment so that most requests cost no query. */
export interface SessionRing {
  /**
   * The session of this cookie, and cookies to set where it was prolonged. Null: there is none (any more), or its user is
   * no member.
   */
  find(cookie: string): Promise<{ session: FoundSession; setCookies: string[] } | null>
  /** Whether this cookie was good when it was last used here. */
  remembers(cookie: string): boolean
  /** After any change of sessions, members or users: on this node it holds at once. */
  forget(): void
}

export function createSessionRing(deps: { db: Db; clock: Clock; log: Log; auth: Auth }): SessionRing {
  const { db, clock, log, auth } = deps
  const remembered = new Map<string, { session: FoundSession; trustedUntil: number }>()
  const seenAt = new Map<string, number>()
  // What was looked up before a change must not be remembered after it.
  let changes = 0

  function noteSeen({ user, organization }: FoundSession): void {
    const now = clock.now()
    if (now.getTime() - (seenAt.get(user.id) ?? 0) < seenEveryMs) return
    if (seenAt.size >= mostRemembered) seenAt.clear()
    seenAt.set(user.id, now.getTime())
    store
      .markSeen(db, { userId: user.id, organizationId: organization.id, at: now })
      .catch((err) => log.warn({ err, userId: user.id }, 'accounts.member_not_noted'))
  }

  return {
    async find(cookie) {
      if (cookie.length > mostCookieLength) return null
      const now = clock.now().getTime()
      const known = remembered.get(cookie)
      if (known && known.trustedUntil > now) return { session: known.session, setCookies: [] }
      const changesBefore = changes
      const found = await auth.findSession(cookie)
      const membership = found && (await store.findMembership(db, found.userId))
      if (!found || !membership) {
        remembered.delete(cookie)
        return null
      }
      const session: FoundSession = { id: found.id, ...membership }
      if (changes === changesBefore) {
        if (remembered.size >= mostRemembered) remembered.clear()
        remembered.set(cookie, { session, trustedUntil: now + trustedMs })
      }
      noteSeen(session)
      return { session, setCookies: found.setCookies }
    },
    remembers: (cookie) => remembered.has(cookie),
    forget() {
      changes++
      remembered.clear()
    },
  }
}
