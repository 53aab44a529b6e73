import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Clock } from '#base/clock.ts'
import { randomBase62 } from '#base/ids.ts'
import type { Database } from '#infra/db/database.ts'
import { createTestLog, openDatabase } from '#tests/harness/open-database.ts'
import { createTestDatabase, type TestDatabase } from '#tests/harness/test-database.ts'
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts'

let files: TestDatabase
let database: Database
const limiters: RateLimiter[] = []
beforeAll(async () => {
  files = await createTestDatabase()
  database = await openDatabase(files.settings)
})
afterEach(() => {
  for (const limiter of limiters.splice(0)) limiter.stop()
})
afterAll(async () => {
  await database.close()
  await files.delete()
})

interface TestClock extends Clock {
  move(ms: number): void
}

/** At the start of an hour of its own, so that no test meets the counts of another. */
let hours = 0
function clockAt(): TestClock {
  let now = Date.parse('2030-01-01T00:00:00Z') + 3_600_000 * ++hours
  return {
    now: () => new Date(now),
    move(ms) {
      now += ms
    },
  }
}

function start(clock: Clock, db = database.db): RateLimiter {
  const limiter = createRateLimiter({ db, clock, log: createTestLog().log })
  limiters.push(limiter)
  return limiter
}

const newBucket = () => `key:${randomBase62(8)}`
const allowedOf = (limiter: RateLimiter, bucket: string, limit: number, times: number) =>
  Array.from({ length: times }, () => limiter.take(bucket, limit)).filter(({ allowed }) => allowed).length

describe('on one node', () => {
  test('a caller gets its limit, and then nothing until the minute is over', () => {
    const clock = clockAt()
    const limiter = start(clock)
    const bucket = newBucket()
    expect(limiter.take(bucket, 3)).toEqual({ allowed: true, limit: 3, remaining: 2, resetSeconds: 60 })
    clock.move(30_500)
    expect(limiter.take(bucket, 3)).toEqual({ allowed: true, limit: 3, remaining: 1, resetSeconds: 30 })
    expect(limiter.take(bucket, 3)).toEqual({ allowed: true, limit: 3, remaining: 0, resetSeconds: 30 })
    expect(limiter.take(bucket, 3)).toEqual({ allowed: false, limit: 3, remaining: 0, resetSeconds: 30 })
    clock.move(29_499)
    expect(limiter.take(bucket, 3)).toEqual({ allowed: false, limit: 3, remaining: 0, resetSeconds: 1 })
    clock.move(1)
    expect(limiter.take(bucket, 3)).toEqual({ allowed: true, limit: 3, remaining: 2, resetSeconds: 60 })
  })

  test('callers do not count against each other', () => {
    const limiter = start(clockAt())
    const [one, other] = [newBucket(), newBucket()]
    expect(allowedOf(limiter, one, 5, 10)).toBe(5)
    expect(allowedOf(limiter, other, 5, 10)).toBe(5)
  })

  test('looking does not count', () => {
    const limiter = start(clockAt())
    const bucket = newBucket()
    for (let index = 0; index < 10; index++) {
      expect(limiter.peek(bucket, 2)).toMatchObject({ allowed: true, remaining: 2 })
    }
    limiter.take(bucket, 2)
    expect(limiter.peek(bucket, 2)).toMatchObject({ allowed: true, remaining: 1 })
    limiter.take(bucket, 2)
    expect(limiter.peek(bucket, 2)).toMatchObject({ allowed: false, remaining: 0 })
  })

  test('whatever callers do and however time passes, no window allows more than its limit, nor less', () => {
    const action = fc.oneof(
      { weight: 8, arbitrary: fc.record({ kind: fc.constant('take' as const), bucket: fc.nat({ max: 2 }) }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('peek' as const), bucket: fc.nat({ max: 2 }) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('move' as const), ms: fc.nat({ max: 70_000 }) }) },
    )
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.array(action, { maxLength: 150 }), (limit, actions) => {
        const clock = clockAt()
        const limiter = start(clock)
        // The whole of what is promised, in the plainest way to say it.
        const taken = new Map<string, number>()
        for (const step of actions) {
          if (step.kind === 'move') {
            clock.move(step.ms)
            continue
          }
          const now = clock.now().getTime()
          const key = `${step.bucket} ${Math.floor(now / 60_000)}`
          const before = taken.get(key) ?? 0
          const decision = limiter[step.kind](`bucket ${step.bucket}`, limit)
          expect(decision.allowed).toBe(before < limit)
          if (step.kind === 'take') taken.set(key, Math.min(limit, before + 1))
          expect(decision.remaining).toBe(limit - (taken.get(key) ?? 0))
          expect(decision.limit).toBe(limit)
          const leftMs = 60_000 - (now % 60_000)
          expect(decision.resetSeconds).toBe(Math.ceil(leftMs / 1000))
        }
        limiter.stop()
      }),
      { numRuns: 200 },
    )
  })

  test('a flood from very many callers shares one bucket, and those who were there before keep theirs', () => {
    const limiter = start(clockAt())
    limiter.take('early', 10)
    for (let index = 0; index < 50_000; index++) limiter.take(`flood ${index}`, 10)
    expect(allowedOf(limiter, 'late one', 10, 5)).toBe(5)
    expect(allowedOf(limiter, 'late other', 10, 20)).toBeLessThan(10)
    expect(limiter.take('late third', 10).allowed).toBe(false)
    expect(limiter.take('early', 10)).toMatchObject({ allowed: true, remaining: 8 })
  })

  test('the next minute has room again after a flood', () => {
    const clock = clockAt()
    const limiter = start(clock)
    for (let index = 0; index < 50_010; index++) limiter.take(`flood ${index}`, 1)
    expect(limiter.take('late', 1).allowed).toBe(false)
    clock.move(60_000)
    expect(limiter.take('late', 1)).toMatchObject({ allowed: true, remaining: 0 })
    expect(limiter.take('later', 1)).toMatchObject({ allowed: true, remaining: 0 })
  })
})

describe('over several nodes', () => {
  test('counts are the same everywhere once they are shared', async () => {
    const clock = clockAt()
    const [one, other] = [start(clock), start(clock)]
    const bucket = newBucket()
    expect(allowedOf(one, bucket, 100, 30)).toBe(30)
    expect(allowedOf(other, bucket, 100, 20)).toBe(20)
    await one.share()
    await other.share()
    // The other shared last, so it knows of both; the one learns with its next request.
    expect(other.peek(bucket, 100).remaining).toBe(50)
    one.take(bucket, 100)
    await one.share()
    expect(one.peek(bucket, 100).remaining).toBe(49)
    other.take(bucket, 100)
    await other.share()
    expect(other.peek(bucket, 100).remaining).toBe(48)
  })

  test('a limit that is used up on one is used up on the other', async () => {
    const clock = clockAt()
    const [one, other] = [start(clock), start(clock)]
    const bucket = newBucket()
    expect(allowedOf(one, bucket, 10, 50)).toBe(10)
    other.take(bucket, 10)
    await one.share()
    await other.share()
    expect(other.take(bucket, 10)).toMatchObject({ allowed: false, remaining: 0 })
  })

  test('together they allow at most the limit and what each takes between two exchanges', async () => {
    const nodes = fc.array(fc.array(fc.nat({ max: 4 }), { minLength: 3, maxLength: 3 }), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 20 }), nodes, async (limit, rounds) => {
        const clock = clockAt()
        const three = [start(clock), start(clock), start(clock)]
        const bucket = newBucket()
        let allowed = 0
        let most = 0
        for (const round of rounds) {
          const before = allowed
          for (const [index, times] of round.entries()) allowed += allowedOf(three[index]!, bucket, limit, times)
          // What was allowed in this round when the limit had been reached before it: only by nodes that did not know.
          if (before >= limit) most = Math.max(most, allowed - before)
          for (const node of three) await node.share()
        }
        const requested = rounds.flat().reduce((sum, times) => sum + times, 0)
        expect(allowed).toBeGreaterThanOrEqual(Math.min(limit, requested))
        // A node that has been idle does not know how the others stand until its own next exchange.
        expect(allowed).toBeLessThanOrEqual(limit + 3 * 4)
        expect(most).toBeLessThanOrEqual(3 * 4)
        for (const node of three) node.stop()
      }),
      { numRuns: 30 },
    )
  })

  test('a minute that is over while counts are being shared does not leak into the next', async () => {
    const clock = clockAt()
    const limiter = start(clock)
    const bucket = newBucket()
    allowedOf(limiter, bucket, 10, 8)
    const sharing = limiter.share()
    clock.move(60_000)
    expect(limiter.take(bucket, 10).remaining).toBe(9)
    await sharing
    await limiter.share()
    expect(limiter.peek(bucket, 10).remaining).toBe(9)
    const other = start(clock)
    other.take(bucket, 10)
    await other.share()
    expect(other.peek(bucket, 10).remaining).toBe(8)
  })

  test('what is taken while counts are being shared is not lost', async () => {
    const clock = clockAt()
    const limiter = start(clock)
    const bucket = newBucket()
    allowedOf(limiter, bucket, 100, 10)
    const sharing = limiter.share()
    allowedOf(limiter, bucket, 100, 5)
    await sharing
    expect(limiter.peek(bucket, 100).remaining).toBe(85)
    await limiter.share()
    expect(limiter.peek(bucket, 100).remaining).toBe(85)
  })

  test('counts are shared by themselves', async () => {
    const clock = clockAt()
    const [one, other] = [start(clock), start(clock)]
    const bucket = newBucket()
    one.take(bucket, 10)
    other.take(bucket, 10)
    while (one.peek(bucket, 10).remaining + other.peek(bucket, 10).remaining > 17) {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  })

  test('as many callers as there is room for can be shared', async () => {
    const clock = clockAt()
    const [one, other] = [start(clock), start(clock)]
    const names = Array.from({ length: 50_000 }, (_, index) => `crowd ${index}`)
    for (const name of names) one.take(name, 10)
    await one.share()
    for (const name of ['crowd 0', 'crowd 49999']) other.take(name, 10)
    await other.share()
    for (const name of ['crowd 0', 'crowd 49999']) expect(other.peek(name, 10).remaining).toBe(8)
  })

  test('counts of past minutes are deleted, those of this minute are kept', async () => {
    const clock = clockAt()
    const limiter = start(clock)
    const bucket = newBucket()
    limiter.take(bucket, 10)
    await limiter.share()
    clock.move(180_000)
    limiter.take(bucket, 10)
    await limiter.share()
    await limiter.prune()
    const rows = await database.db.selectFrom('rateWindows').selectAll().where('bucket', '=', bucket).execute()
    expect(rows).toEqual([{ bucket, windowStart: clock.now(), count: 1 }])
  })
})

describe('when the database fails', () => {
  test('requests are still counted and limited on each node, and sharing goes on when it is back', async () => {
    const own = await createTestDatabase()
    const broken = await openDatabase(own.settings)
    const clock = clockAt()
    const { log, lines } = createTestLog()
    const limiter = createRateLimiter({ db: broken.db, clock, log })
    limiters.push(limiter)
    const bucket = newBucket()
    allowedOf(limiter, bucket, 10, 4)
    // Renamed rather than closed, so that it can come back.
    await broken.db.schema.alterTable('rateWindows').renameTo('rateWindowsAway').execute()
    await limiter.share()
    expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', msg: 'limits.share_failed' }))
    expect(limiter.take(bucket, 10)).toMatchObject({ allowed: true, remaining: 5 })
    await limiter.share()
    expect(allowedOf(limiter, bucket, 10, 20)).toBe(5)
    expect(limiter.take(bucket, 10)).toMatchObject({ allowed: false, remaining: 0 })

    await broken.db.schema.alterTable('rateWindowsAway').renameTo('rateWindows').execute()
    await limiter.share()
    const other = start(clock, broken.db)
    other.take(bucket, 10)
    await other.share()
    expect(other.peek(bucket, 10).allowed).toBe(false)
    limiter.stop()
    other.stop()
    await broken.close()
    await own.delete()
  })
})
