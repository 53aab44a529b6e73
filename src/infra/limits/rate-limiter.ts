import { sql } from 'kysely'
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { Db } from '../db/schema.ts'

const windowMs = 60_000
// Counts reach the other nodes this late. A flood within it can exceed the limit by what one node takes in that
// time; in return a request costs no query, and a flood cannot turn into a flood of the database.
const shareEveryMs = 250
// A flood from many addresses must not fill the memory; past this many, new callers share one bucket.
const mostBuckets = 50_000
const overflowBucket = 'overflow'

export interface RateDecision {
  allowed: boolean
  limit: number
  remaining: number
  resetSeconds: number
}

export interface RateLimiter {
  /** Counts one request of the caller named by `bucket` and says whether it is within `limit` a minute. */
  take(bucket: string, limit: number): RateDecision
  /** The same without counting. */
  peek(bucket: string, limit: number): RateDecision
  /** Exchanges counts with the other nodes now; otherwise this happens by itself. */
  share(): Promise<void>
  /** Deletes the counts of windows that are over. */
  prune(): Promise<void>
  stop(): void
}

interface Bucket {
  /** What all nodes together had counted when we last asked. */
  shared: number
  /** What this node has counted since. */
  unshared: number
}

/** Fixed one-minute windows, counted in memory and shared between nodes through the database. */
export function createRateLimiter({ db, clock, log }: { db: Db; clock: Clock; log: Log }): RateLimiter {
  let windowStart = 0
  let buckets = new Map<string, Bucket>()
  let sharing: Promise<void> | null = null

  function enterWindow(): void {
    const current = Math.floor(clock.now().getTime() / windowMs) * windowMs
    if (current === windowStart) return
    windowStart = current
    buckets = new Map()
  }

  function find(name: string): Bucket {
    enterWindow()
    const key = buckets.has(name) || buckets.size < mostBuckets ? name : overflowBucket
    const bucket = buckets.get(key) ?? { shared: 0, unshared: 0 }
    buckets.set(key, bucket)
    return bucket
  }

  function decide(bucket: Bucket, limit: number, counted: 0 | 1): RateDecision {
    const used = bucket.shared + bucket.unshared
    return {
      allowed: used + (1 - counted) <= limit,
      limit,
      remaining: Math.max(0, limit - used),
      resetSeconds: Math.max(1, Math.ceil((windowStart + windowMs - clock.now().getTime()) / 1000)),
    }
  }

  async function exchange(): Promise<void> {
    const window = windowStart
    const changed = [...buckets].filter(([, bucket]) => bucket.unshared > 0)
    if (changed.length === 0) return
    // In one order on every node, or two nodes could wait for each other's rows.
    changed.sort(([a], [b]) => (a < b ? -1 : 1))
    const sent = new Map(changed.map(([name, bucket]) => [name, bucket.unshared]))
    // Two lists in place of a row each: a statement takes at most 65,535 parameters, and a flood has more callers.
    const { rows: totals } = await sql<{ bucket: string; count: number }>`
      insert into rate_windows (bucket, window_start, count)
      select bucket, ${new Date(window)}::timestamptz, count
      from unnest(${[...sent.keys()]}::text[], ${[...sent.values()]}::int[]) as sent (bucket, count)
      on conflict (bucket, window_start) do update set count = rate_windows.count + excluded.count
      returning bucket, count`.execute(db)
    if (window !== windowStart) return
    for (const { bucket: name, count } of totals) {
      const bucket = buckets.get(name)
      if (!bucket) continue
      bucket.unshared -= sent.get(name) ?? 0
      bucket.shared = count
    }
  }

  async function share(): Promise<void> {
    sharing ??= exchange()
      .catch((err) => log.warn({ err }, 'limits.share_failed'))
      .finally(() => {
        sharing = null
      })
    await sharing
  }

  const timer = setInterval(share, shareEveryMs).unref()

  return {
    take(name, limit) {
      const bucket = find(name)
      // Past the limit nothing is gained by counting on, and a flood would only make larger numbers to share.
      if (bucket.shared + bucket.unshared <= limit) bucket.unshared++
      return decide(bucket, limit, 1)
    },
    peek: (name, limit) => decide(find(name), limit, 0),
    share,
    async prune() {
      await db
        .deleteFrom('rateWindows')
        .where('windowStart', '<', new Date(clock.now().getTime() - 2 * windowMs))
        .execute()
    },
    stop: () => clearInterval(timer),
  }
}
