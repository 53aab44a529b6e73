import { createHash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import type { Clock } from '#base/clock.ts'
import { DocentError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import type { Db } from '#infra/db/schema.ts'
import type { Scope } from './schema.ts'
import * as store from './store.ts'

// A revoked key must stop within a second on every node; half of that leaves room for a slow query.
const trustedMs = 500
const mostRemembered = 10_000
const usedEveryMs = 60_000

export interface VerifiedKey {
  id: string
  name: string
  organizationId: string
  scopes: readonly Scope[]
}

/** Checks keys that callers present, remembering good ones for a moment so that most requests cost no query. */
export interface KeyRing {
  /**
   * The key, when it is valid for a caller at this address. Throws `unauthenticated` (unknown, revoked, expired) or
   * `forbidden` (address not on its list).
   */
  verify(presented: string, address: string): Promise<VerifiedKey>
  /** Whether this key was good when it was last used here: a cheap way to tell known callers from guessers. */
  remembers(presented: string): boolean
  forget(hash: string): void
}

/** Keys have 256 random bits, so one round of SHA-256 is as good as a slow hash, and looking it up leaks no timing. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

export function hintOf(key: string): string {
  return key.slice(-4)
}

export function createKeyRing({ db, clock, log }: { db: Db; clock: Clock; log: Log }): KeyRing {
  const remembered = new Map<string, { row: store.KeyRow; trustedUntil: number }>()
  const usedAt = new Map<string, number>()

  async function find(hash: string): Promise<store.KeyRow | undefined> {
    const now = clock.now().getTime()
    const known = remembered.get(hash)
    if (known && known.trustedUntil > now) return known.row
    const row = await store.findKeyByHash(db, hash)
    if (!row || row.revokedAt) {
      remembered.delete(hash)
      return undefined
    }
    if (remembered.size >= mostRemembered) remembered.clear()
    remembered.set(hash, { row, trustedUntil: now + trustedMs })
    return row
  }

  function noteUse({ id }: store.KeyRow): void {
    const now = clock.now()
    if (now.getTime() - (usedAt.get(id) ?? 0) < usedEveryMs) return
    usedAt.set(id, now.getTime())
    // Off the request's path: a key works even when its last use cannot be written down.
    store.markUsed(db, id, now).catch((err) => log.warn({ err, keyId: id }, 'accounts.key_use_not_noted'))
  }

  return {
    async verify(presented, address) {
      const row = presented.startsWith('docent_') ? await find(hashKey(presented)) : undefined
      if (!row) throw new DocentError('unauthenticated', 'auth.unknown_key', 'The API key is unknown or revoked.')
      if (row.expiresAt && row.expiresAt <= clock.now()) {
        const message = `The API key expired at ${row.expiresAt.toISOString()}. Create a new one.`
        throw new DocentError('unauthenticated', 'auth.expired_key', message)
      }
      if (!isAllowed(address, row.allowedAddresses)) {
        throw new DocentError('forbidden', 'auth.address_not_allowed', 'The API key does not work from this address.')
      }
      noteUse(row)
      return { id: row.id, name: row.name, organizationId: row.organizationId, scopes: row.scopes as Scope[] }
    },
    remembers: (presented) => remembered.has(hashKey(presented)),
    forget: (hash) => void remembered.delete(hash),
  }
}

/** Whether the address is on the list; an empty list allows every one. `::ffff:10.0.0.1` is 10.0.0.1. */
export function isAllowed(address: string, allowed: readonly string[]): boolean {
  if (allowed.length === 0) return true
  if (!ipaddr.isValid(address)) return false
  const caller = ipaddr.process(address)
  return allowed.some((entry) => {
    if (!entry.includes('/')) return ipaddr.process(entry).toNormalizedString() === caller.toNormalizedString()
    const [network, bits] = ipaddr.parseCIDR(entry)
    return network.kind() === caller.kind() && caller.match(network, bits)
  })
}
