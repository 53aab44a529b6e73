import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AnalyticsStage, createAnalyticsStage } from '#tests/harness/analytics-stage.ts'
import { createTestDatabase } from '#tests/harness/test-database.ts'
import { createIdentity, deleteEndedSecrets, eventIdOf, networkOf, periodOf, visitorOf } from './identity.ts'
import { createKeyedHash } from './keyed-hash.ts'

const bytes = randomBytes(32)
const secret = createKeyedHash(createSecretKey(bytes))
const facts = { visitorId: null, address: '203.0.113.9', userAgent: 'curl/8' }
const hourMs = 3_600_000

describe('the id of a visitor', () => {
  test('is 64 bits of an HMAC over address and user agent', () => {
    const digest = createHmac('sha256', bytes).update('address\x00203.0.113.9\0curl/8').digest()
    expect(visitorOf(secret, facts)).toBe(digest.readBigUInt64BE(0))
  })

  test('differs by address, user agent, secret, and between an id and an address of the same text', () => {
    const ids = [
      visitorOf(secret, facts),
      visitorOf(secret, { ...facts, address: '203.0.113.10' }),
      visitorOf(secret, { ...facts, userAgent: 'curl/9' }),
      visitorOf(secret, { ...facts, userAgent: null }),
      visitorOf(createKeyedHash(createSecretKey(randomBytes(32))), facts),
      visitorOf(secret, { ...facts, visitorId: '203.0.113.9\0curl/8' }),
      visitorOf(secret, { ...facts, visitorId: 'u1' }),
    ]
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('is the caller’s id alone where there is one', () => {
    const one = visitorOf(secret, { ...facts, visitorId: 'u1' })
    expect(visitorOf(secret, { visitorId: 'u1', address: null, userAgent: null })).toBe(one)
  })

  test('takes any user agent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 9000 }), (userAgent) => {
        const id = visitorOf(secret, { ...facts, userAgent })
        expect(id >= 0n && id < 2n ** 64n).toBe(true)
      }),
      { numRuns: 50 },
    )
  })
})

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['Crawler.Example.com', 'crawler.example.com'],
  ['::ffff:not an address', '::ffff:not an address'],
  ['', ''],
])('of the address %s, %s tells visitors apart', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test.each([
  ['stable', '2026-11-15T08:30:00Z', 'stable'],
  ['monthly', '2026-11-30T23:59:59.999Z', '2026-11'],
  ['daily', '2026-11-15T23:59:59.999Z', '2026-11-15'],
  ['daily', '2026-11-16T00:00:00Z', '2026-11-16'],
] as const)('with %s ids, the period of %s is %s', (visitorIds, at, period) => {
  expect(periodOf(visitorIds, Date.parse(at))).toBe(period)
})

test('the id of an event is of its project and its id', () => {
  const ids = [eventIdOf('prj_a', '1'), eventIdOf('prj_a', '2'), eventIdOf('prj_b', '1')]
  expect(new Set(ids).size).toBe(3)
  expect(eventIdOf('prj_a', '1')).toBe(ids[0])
})

describe('secrets', () => {
  let stage: AnalyticsStage
  beforeAll(async () => {
    stage = await createAnalyticsStage(await createTestDatabase())
  })
  afterAll(() => stage.close())

  const hashed = async (
    identity: ReturnType<typeof createIdentity>,
    projectId: string,
    visitorIds: 'stable' | 'monthly' | 'daily',
    at: number,
  ) => (await identity.secretAt(projectId, visitorIds, at))('a text')
  const at = Date.parse('2026-11-15T08:30:00Z')

  test('are one a project and period, the same on every node, even when all of them want it first', async () => {
    const projectId = await stage.createProject()
    const nodes = Array.from({ length: 8 }, () => createIdentity(stage))
    const made = await Promise.all(nodes.map((node) => hashed(node, projectId, 'daily', at)))
    expect(new Set(made).size).toBe(1)
    const others = [
      await hashed(nodes[0]!, projectId, 'daily', at + 24 * hourMs),
      await hashed(nodes[0]!, projectId, 'monthly', at),
      await hashed(nodes[0]!, projectId, 'stable', at),
      await hashed(nodes[0]!, await stage.createProject(), 'daily', at),
    ]
    expect(new Set([...made, ...others]).size).toBe(5)
    expect(await hashed(createIdentity(stage), projectId, 'daily', at)).toBe(made[0])
  })

  test('are stored sealed', async () => {
    const projectId = await stage.createProject()
    const secret = await createIdentity(stage).secretAt(projectId, 'stable', at)
    const rows = await stage.db.selectFrom('analyticsSecrets').selectAll().where('projectId', '=', projectId).execute()
    expect(rows).toHaveLength(1)
    const plain = stage.secretBox.open(rows[0]!.sealedSecret, `analytics.secret ${projectId} stable`)
    expect(createKeyedHash(createSecretKey(plain, 'base64url'))('a text')).toBe(secret('a text'))
    expect(JSON.stringify(rows)).not.toContain(plain)
  })

  test('are not made for a project that is gone', async () => {
    const missing = createIdentity(stage).secretAt('prj_0000000000000000000000', 'stable', at)
    await expect(missing).rejects.toMatchObject({ kind: 'not_found', code: 'project.not_found' })
  })

  test.each([
    ['stable', ['stable']],
    ['monthly', ['2026-10', '2026-11']],
    ['daily', ['2026-11-14', '2026-11-15']],
  ] as const)('of ended periods are deleted, with %s ids all but %s', async (visitorIds, kept) => {
    const projectId = await stage.createProject()
    await stage.db.insertInto('analyticsSettings').values({ projectId, visitorIds, retentionDays: null }).execute()
    const periods = ['stable', '2026-09', '2026-10', '2026-11', '2026-11-13', '2026-11-14', '2026-11-15']
    const row = (period: string, createdAt: Date) => ({ projectId, period, sealedSecret: 'x', createdAt })
    const old = periods.map((period) => row(period, new Date(at - 25 * hourMs)))
    // An import that still runs made this one.
    const recent = row('2020-01-01', new Date(at - hourMs))
    await stage.db
      .insertInto('analyticsSecrets')
      .values([...old, recent] as never)
      .execute()
    await deleteEndedSecrets(stage.db, new Date(at))
    const left = await stage.db
      .selectFrom('analyticsSecrets')
      .select('period')
      .where('projectId', '=', projectId)
      .execute()
    expect(left.map(({ period }) => period).sort()).toEqual(['2020-01-01', ...kept])
  })

  test('of January and December stand beside each other', async () => {
    const projectId = await stage.createProject()
    await stage.db
      .insertInto('analyticsSettings')
      .values({ projectId, visitorIds: 'monthly', retentionDays: null })
      .execute()
    const rows = ['2026-11', '2026-12', '2027-01'].map((period) => ({
      projectId,
      period,
      sealedSecret: 'x',
      createdAt: new Date(at),
    }))
    await stage.db
      .insertInto('analyticsSecrets')
      .values(rows as never)
      .execute()
    await deleteEndedSecrets(stage.db, new Date('2027-01-31T12:00:00Z'))
    const left = await stage.db
      .selectFrom('analyticsSecrets')
      .select('period')
      .where('projectId', '=', projectId)
      .execute()
    expect(left.map(({ period }) => period).sort()).toEqual(['2026-12', '2027-01'])
  })
})
