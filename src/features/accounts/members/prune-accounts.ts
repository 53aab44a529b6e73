import type { Clock } from '#base/clock.ts'
import type { Db } from '#infra/db/schema.ts'
import * as sessionStore from '../sessions/store.ts'
import * as store from './store.ts'

/** Deletes what has expired: sessions, invitations and links. None of them works any more before that. */
export async function pruneAccounts({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  await sessionStore.deleteExpiredSessions(db, clock.now())
  await store.deleteExpired(db, clock.now())
}
