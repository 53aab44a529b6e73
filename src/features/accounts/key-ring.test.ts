import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Clock } from '#base/clock.ts'
import { newId, randomBase62 } from '#base/ids.ts'
import type { Database } from '#infra/db/database.ts'
import { createTestLog, openDatabase } from '#tests/harness/open-database.ts'
import { createTestDatabase, type TestDatabase } from '#tests/harness/test-database.ts'
import { createKeyRing, hashKey, hintOf, isAllowed, type KeyRing } from './key-ring.ts'
import { createKey, createOrganization, revokeKey, systemCaller } from './service.ts'

describe('an address', () => {
  const table: [string, string[], boolean, string][] = [
    ['203.0.113.7', [], true, 'an empty list allows every one'],
    ['nonsense', [], true, 'an empty list does not even look'],
    ['10.0.0.1', ['10.0.0.1'], true, 'the same address'],
    ['10.0.0.2', ['10.0.0.1'], false, 'another address'],
    ['10.1.2.3', ['10.0.0.0/8'], true, 'inside the network'],
    ['11.1.2.3', ['10.0.0.0/8'], false, 'outside the network'],
    ['10.0.0.255', ['10.0.0.0/24'], true, 'the last of the network'],
    ['10.0.1.0', ['10.0.0.0/24'], false, 'the first after the network'],
    ['10.0.0.1', ['10.0.0.1/32'], true, 'a network of one'],
    ['10.0.0.9', ['10.0.0.1/24'], true, 'a network named by one of its addresses'],
    ['8.8.8.8', ['0.0.0.0/0'], true, 'every IPv4 address'],
    ['192.168.1.1', ['10.0.0.0/8', '192.168.0.0/16'], true, 'the second on the list'],
    ['::ffff:10.0.0.1', ['10.0.0.1'], true, 'IPv4 as a socket for both kinds shows it'],
    ['::ffff:10.1.2.3', ['10.0.0.0/8'], true, 'the same, in a network'],
    ['::ffff:a00:1', ['10.0.0.1'], true, 'the same, in hexadecimal'],
    ['::ffff:11.0.0.1', ['10.0.0.0/8'], false, 'the same, outside'],
    ['10.0.0.1', ['::ffff:10.0.0.1'], true, 'IPv4 written as IPv6 on the list'],
    ['::1', ['::1'], true, 'an IPv6 address'],
    ['0:0:0:0:0:0:0:1', ['::1'], true, 'the same address written out'],
    ['2001:DB8::1', ['2001:db8::1'], true, 'the same address in capitals'],
    ['2001:db8:1::5', ['2001:db8::/32'], true, 'an IPv6 network'],
    ['2001:db9::5', ['2001:db8::/32'], false, 'outside the IPv6 network'],
    ['::1', ['127.0.0.1'], false, 'loopback of the other kind'],
    ['127.0.0.1', ['::1'], false, 'loopback of the other kind'],
    ['::1', ['0.0.0.0/0'], false, 'every IPv4 address is no IPv6 address'],
    ['10.0.0.1', ['::/0'], false, 'every IPv6 address is no IPv4 address'],
    ['fe80::1%eth0', ['fe80::/10'], true, 'with a zone, in a network'],
    ['', ['10.0.0.0/8'], false, 'no address'],
    ['unknown', ['0.0.0.0/0', '::/0'], false, 'nonsense'],
    ['10.0.0.1, 10.0.0.2', ['0.0.0.0/0'], false, 'a list of addresses'],
    ['10.0.0.1:1234', ['10.0.0.1'], false, 'an address with a port'],
  ]
  test.each(table)('%s for %j is %s: %s', (address, allowed, expected) => {
    expect(isAllowed(address, allowed)).toBe(expected)
  })

  test('is in its own network of any size, in both spellings of IPv4', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.integer({ min: 0, max: 32 }), (address, bits) => {
        expect(isAllowed(address, [`${address}/${bits}`])).toBe(true)
        expect(isAllowed(`::ffff:${address}`, [`${address}/${bits}`])).toBe(true)
        expect(isAllowed(address, [address])).toBe(true)
      }),
    )
  })

  test('is in a network exactly when their first bits are the same', () => {
    const toNumber = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), fc.integer({ min: 0, max: 32 }), (address, network, bits) => {
        const size = 2 ** (32 - bits)
        const inside = Math.floor(toNumber(address) / size) === Math.floor(toNumber(network) / size)
        expect(isAllowed(address, [`${network}/${bits}`])).toBe(inside)
      }),
    )
  })
})

describe('a key ring', () => {
  let files: TestDatabase
  let database: Database
  let organizationId: string
  const { log, lines } = createTestLog()
  let now = Date.parse('2030-01-01T00:00:00Z')
  const clock: Clock = { now: () => new Date(now) }
  beforeAll(async () => {
    files = await createTestDatabase()
    database = await openDatabase(files.settings)
    organizationId = (await createOrganization({ db: database.db }, { name: 'Keys' })).id
  })
  afterAll(async () => {
    await database.close()
    await files.delete()
  })

  const start = (): KeyRing => createKeyRing({ db: database.db, clock, log })
  const newKey = (more: { expiresAt?: string; allowedAddresses?: string[] } = {}) =>
    createKey(
      { db: database.db, clock },
      {
        name: 'k',
        scopes: ['read'],
        allowedAddresses: more.allowedAddresses ?? [],
        expiresAt: more.expiresAt ?? null,
        by: systemCaller(organizationId),
      },
    )
  const revoke = (keyRing: KeyRing, id: string) =>
    revokeKey({ db: database.db, clock, keyRing }, { id, by: systemCaller(organizationId) })
  const unknown = { kind: 'unauthenticated', code: 'auth.unknown_key' }

  test('knows a key by its whole text, and says whose it is', async () => {
    const { key, id } = await newKey()
    expect(await start().verify(key, '127.0.0.1')).toEqual({ id, name: 'k', organizationId, scopes: ['read'] })
  })

  test.each([
    ['one that was never made', () => `docent_${randomBase62(43)}`],
    ['nothing', () => ''],
    ['only the beginning', () => 'docent_'],
    ['something else', () => 'Bearer'],
    ['with NUL', () => 'docent_\0'],
    ['very long', () => `docent_${'x'.repeat(100_000)}`],
  ])('refuses %s', async (_, key) => {
    await expect(start().verify(key(), '127.0.0.1')).rejects.toMatchObject(unknown)
  })

  test('refuses every key that differs in one character', async () => {
    const { key } = await newKey()
    const ring = start()
    await ring.verify(key, '127.0.0.1')
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: key.length - 1 }), fc.constantFrom(...'aZ0_ \n'), async (at, to) => {
        fc.pre(key[at] !== to)
        await expect(ring.verify(key.slice(0, at) + to + key.slice(at + 1), '127.0.0.1')).rejects.toMatchObject(unknown)
      }),
      { numRuns: 40 },
    )
    for (const other of [key.toLowerCase(), key.slice(0, -1), `${key}x`, ` ${key}`]) {
      await expect(ring.verify(other, '127.0.0.1')).rejects.toMatchObject(unknown)
    }
  })

  test('a revoked key is refused at once by the ring that was told, within a second by any other', async () => {
    const { key, id } = await newKey()
    const [here, elsewhere] = [start(), start()]
    await here.verify(key, '127.0.0.1')
    await elsewhere.verify(key, '127.0.0.1')
    await revoke(here, id)
    await expect(here.verify(key, '127.0.0.1')).rejects.toMatchObject(unknown)
    now += 1000
    await expect(elsewhere.verify(key, '127.0.0.1')).rejects.toMatchObject(unknown)
    expect(elsewhere.remembers(key)).toBe(false)
  })

  test('a revoked key is refused within a second also when it is used without a pause', async () => {
    const { key, id } = await newKey()
    const [here, elsewhere] = [start(), start()]
    await elsewhere.verify(key, '127.0.0.1')
    await revoke(here, id)
    const revokedAt = now
    // Each use would keep it alive, if using a key renewed the trust in it.
    while (now < revokedAt + 900) {
      now += 100
      await elsewhere.verify(key, '127.0.0.1').catch(() => {})
    }
    now = revokedAt + 1000
    await expect(elsewhere.verify(key, '127.0.0.1')).rejects.toMatchObject(unknown)
  })

  test('a key that is used often costs few queries', async () => {
    const { key } = await newKey()
    const ring = start()
    await ring.verify(key, '127.0.0.1')
    // Without the table, only what is remembered can answer.
    await sql`alter table api_keys rename to api_keys_away`.execute(database.db)
    try {
      now += 100
      await ring.verify(key, '127.0.0.1')
      now += 1000
      await expect(ring.verify(key, '127.0.0.1')).rejects.toThrow()
    } finally {
      await sql`alter table api_keys_away rename to api_keys`.execute(database.db)
    }
  })

  test('an expired key is refused from that moment on, remembered or not, and told when it expired', async () => {
    const expiresAt = new Date(now + 200).toISOString()
    const { key } = await newKey({ expiresAt })
    const ring = start()
    now += 199
    await ring.verify(key, '127.0.0.1')
    now += 1
    const expired = { kind: 'unauthenticated', code: 'auth.expired_key', message: expect.stringContaining(expiresAt) }
    await expect(ring.verify(key, '127.0.0.1')).rejects.toMatchObject(expired)
    await expect(start().verify(key, '127.0.0.1')).rejects.toMatchObject(expired)
  })

  test('a key works from the addresses on its list alone, remembered or not', async () => {
    const { key } = await newKey({ allowedAddresses: ['10.0.0.0/8'] })
    const ring = start()
    const forbidden = { kind: 'forbidden', code: 'auth.address_not_allowed' }
    await expect(ring.verify(key, '192.168.0.1')).rejects.toMatchObject(forbidden)
    await ring.verify(key, '::ffff:10.1.2.3')
    await expect(ring.verify(key, '192.168.0.1')).rejects.toMatchObject(forbidden)
  })

  test('it remembers good keys, not guesses', async () => {
    const { key } = await newKey()
    const ring = start()
    expect(ring.remembers(key)).toBe(false)
    await ring.verify(key, '127.0.0.1')
    expect(ring.remembers(key)).toBe(true)
    const guess = `docent_${randomBase62(43)}`
    await ring.verify(guess, '127.0.0.1').catch(() => {})
    expect(ring.remembers(guess)).toBe(false)
    ring.forget(hashKey(key))
    expect(ring.remembers(key)).toBe(false)
  })

  test('the last use is written down, about once a minute, and not for refused calls', async () => {
    const { key, id } = await newKey({ allowedAddresses: ['127.0.0.1'] })
    const ring = start()
    const lastUse = async () =>
      (await database.db.selectFrom('apiKeys').select('lastUsedAt').where('id', '=', id).executeTakeFirstOrThrow())
        .lastUsedAt
    await ring.verify(key, '10.0.0.1').catch(() => {})
    expect(await lastUse()).toBeNull()
    const firstAt = now
    await ring.verify(key, '127.0.0.1')
    await expect.poll(lastUse).toEqual(new Date(firstAt))
    now += 59_999
    await ring.verify(key, '127.0.0.1')
    expect(await lastUse()).toEqual(new Date(firstAt))
    now += 1
    await ring.verify(key, '127.0.0.1')
    await expect.poll(lastUse).toEqual(new Date(firstAt + 60_000))
  })

  test('a key works although its use cannot be written down', async () => {
    const { key } = await newKey()
    const ring = start()
    await sql`alter table api_keys rename column last_used_at to last_used_away`.execute(database.db)
    try {
      await ring.verify(key, '127.0.0.1')
      await expect.poll(() => lines.map(({ msg }) => msg)).toContain('accounts.key_use_not_noted')
    } finally {
      await sql`alter table api_keys rename column last_used_away to last_used_at`.execute(database.db)
    }
  })

  test('the database holds no key, only its hash and last four characters', async () => {
    const { key, hint } = await newKey()
    const { rows } = await sql<{ all: string }>`select string_agg(api_keys::text, ' ') as all from api_keys`.execute(
      database.db,
    )
    expect(rows[0]!.all).toContain(hashKey(key))
    expect(rows[0]!.all).not.toContain(key.slice(7, -4))
    expect(hint).toBe(hintOf(key))
    expect(key.endsWith(hint)).toBe(true)
    expect(hint).toHaveLength(4)
  })

  test('a key of an organization that is gone is refused', async () => {
    const { id: gone } = await createOrganization({ db: database.db }, { name: newId('org') })
    const { key } = await createKey(
      { db: database.db, clock },
      { name: 'k', scopes: ['read'], allowedAddresses: [], expiresAt: null, by: systemCaller(gone) },
    )
    const ring = start()
    await ring.verify(key, '127.0.0.1')
    await database.db.deleteFrom('organizations').where('id', '=', gone).execute()
    now += 1000
    await expect(ring.verify(key, '127.0.0.1')).rejects.toMatchObject(unknown)
  })
})
