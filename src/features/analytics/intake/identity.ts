import { createSecretKey, hash, randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Clock } from '#base/clock.ts'
import { projectNotFound } from '#features/projects/service.ts'
import type { SecretBox } from '#infra/data/secret-box.ts'
import type { Db } from '#infra/db/schema.ts'
import type { AnalyticsSettings } from '../settings/analytics-settings.ts'
import { createKeyedHash, type KeyedHash } from './keyed-hash.ts'
import * as store from './store.ts'

type VisitorIds = AnalyticsSettings['visitorIds']

/** What a visitor's id is made of; one of the two must be there. */
export interface VisitorFacts {
  /** The caller's own id. */
  visitorId: string | null
  address: string | null
  userAgent: string | null
}

export interface Identity {
  /** What visitors' ids of that time are made with. Throws `not_found` when the project is gone. */
  secretAt(projectId: string, visitorIds: VisitorIds, at: number): Promise<KeyedHash>
}

const dayMs = 86_400_000
const mostSecrets = 10_000
// What the sweep has deleted must not live on in the memory of a node that runs for months.
const rememberMs = 3_600_000
// An import of old logs makes secrets of periods long over. Deleted while it runs, it would make others, and count its
// visitors twice.
const keepAtLeastMs = dayMs

export function createIdentity({ db, secretBox, clock }: { db: Db; secretBox: SecretBox; clock: Clock }): Identity {
  const secrets = new Map<string, { secret: Promise<KeyedHash>; until: number }>()

  async function ensureSecret(projectId: string, period: string): Promise<KeyedHash> {
    const context = contextOf(projectId, period)
    const known = await store.findSecret(db, { projectId, period })
    if (known !== null) return hashWith(secretBox.open(known, context))
    // Of several nodes that make one at the same time the first wins, so what counts is what is there afterwards.
    const sealedSecret = secretBox.seal(randomBytes(32).toString('base64url'), context)
    await store.insertSecret(db, { projectId, period, sealedSecret })
    const kept = await store.findSecret(db, { projectId, period })
    if (kept === null) throw projectNotFound()
    return hashWith(secretBox.open(kept, context))
  }

  function forgetOld(now: number): void {
    for (const [key, { until }] of secrets) if (until <= now) secrets.delete(key)
    if (secrets.size >= mostSecrets) secrets.clear()
  }

  return {
    secretAt(projectId, visitorIds, at) {
      const period = periodOf(visitorIds, at)
      const key = `${projectId} ${period}`
      const now = clock.now().getTime()
      const known = secrets.get(key)
      if (known && known.until > now) return known.secret
      forgetOld(now)
      const secret = ensureSecret(projectId, period)
      secrets.set(key, { secret, until: now + rememberMs })
      secret.catch(() => secrets.delete(key))
      return secret
    },
  }
}

/** All secrets of a project that there still are. */
export async function listSecrets(
  { db, secretBox }: { db: Db; secretBox: SecretBox },
  projectId: string,
): Promise<KeyedHash[]> {
  const sealed = await store.listSecrets(db, projectId)
  return sealed.map(({ period, sealedSecret }) => hashWith(secretBox.open(sealedSecret, contextOf(projectId, period))))
}

function contextOf(projectId: string, period: string): string {
  return `analytics.secret ${projectId} ${period}`
}

function hashWith(secret: string): KeyedHash {
  return createKeyedHash(createSecretKey(secret, 'base64url'))
}

/** Deletes secrets whose time is over: what was made with them can then be linked to nothing any more. */
export async function deleteEndedSecrets(db: Db, now: Date): Promise<number> {
  const today = now.getTime()
  const month = now.getUTCMonth()
  return await store.deleteSecrets(db, {
    madeBefore: new Date(today - keepAtLeastMs),
    needed: {
      stable: ['stable'],
      // One more than the current for views that come in late, from a queue or a log that is read after midnight.
      monthly: [month, month - 1].map((number) => periodOf('monthly', Date.UTC(now.getUTCFullYear(), number))),
      daily: [today, today - dayMs].map((time) => periodOf('daily', time)),
    },
  })
}

/** The period of a view, by its own time in UTC: `stable`, `2026-11` or `2026-11-15`. */
export function periodOf(visitorIds: VisitorIds, at: number): string {
  if (visitorIds === 'stable') return 'stable'
  return new Date(at).toISOString().slice(0, visitorIds === 'monthly' ? 7 : 10)
}

/** 64 bits that stand for the visitor, and from which nothing of them can be read back. */
export function visitorOf(secret: KeyedHash, { visitorId, address, userAgent }: VisitorFacts): bigint {
  // The labels keep an id that somebody chose to look like an address from being one.
  if (visitorId !== null) return secret(`id\0${visitorId}`)
  return secret(`address\0${networkOf(address ?? '')}\0${userAgent ?? ''}`)
}

/** 64 bits that stand for a caller's id of a view. */
export function eventIdOf(projectId: string, id: string): bigint {
  return hash('sha256', `${projectId}\0${id}`, 'buffer').readBigUInt64BE(0)
}

/**
 * What of an address tells visitors apart: all of an IPv4 address, and the /64 of an IPv6 address, as devices change
 * the rest of it by the day. Logs also have names in place of addresses; those stand for themselves.
 */
export function networkOf(address: string): string {
  if (!address.includes(':') || isIP(address) !== 6) return address.toLowerCase()
  const parsed = ipaddr.process(address.replace(/%.*$/s, ''))
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${(parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
