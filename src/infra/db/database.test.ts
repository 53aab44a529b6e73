import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { openDatabase } from '#tests/harness/open-database.ts'
import { createTestDatabase, type TestDatabase } from '#tests/harness/test-database.ts'
import type { Database } from './database.ts'
import { ensureFact, findFact, oneNodeAtATime, setFact } from './facts.ts'

const severalProcesses = inject('engine') === 'postgres'

let files: TestDatabase
let database: Database
beforeAll(async () => {
  files = await createTestDatabase()
  database = await openDatabase(files.settings)
})
afterAll(async () => {
  await database.close()
  await files.delete()
})

/** One row of one statement. */
async function one(statement: ReturnType<typeof sql>): Promise<Record<string, unknown>> {
  const { rows } = await statement.execute(database.db)
  return rows[0] as Record<string, unknown>
}

describe('values come back the same on both engines', () => {
  test('counts, sums and eight-byte integers are numbers', async () => {
    const row = await one(sql`
      select count(*) as count, sum(n) as sum, max(n::int8) as big, 9007199254740991::int8 as biggest, -1::int8 as negative,
        null::int8 as nothing
      from generate_series(1, 100) as n`)
    expect(row).toEqual({
      count: 100,
      sum: 5050,
      big: 100,
      biggest: Number.MAX_SAFE_INTEGER,
      negative: -1,
      nothing: null,
    })
  })

  test('a count through the query builder is a number', async () => {
    await setFact(database.db, 'counted', 'yes')
    const { count } = await database.db
      .selectFrom('instance')
      .select((is) => is.fn.countAll<number>().as('count'))
      .where('name', '=', 'counted')
      .executeTakeFirstOrThrow()
    expect(count).toBe(1)
  })

  test('moments are dates to the millisecond', async () => {
    const at = new Date('2030-02-03T04:05:06.789Z')
    const row = await one(sql`select ${at}::timestamptz as at, null::timestamptz as nothing`)
    expect(row).toEqual({ at, nothing: null })
  })

  test('lists of texts, truth values and Unicode survive', async () => {
    const list = ['', 'a,b', '{"c"}', 'é\n"\\', 'NULL', '😀']
    const row = await one(
      sql`select ${list}::text[] as list, ${[]}::text[] as empty, true as yes, ${'😀\t\\'}::text as text`,
    )
    expect(row).toEqual({ list, empty: [], yes: true, text: '😀\t\\' })
  })

  test('names of columns are translated and names inside JSON are not', async () => {
    const id = newId('org')
    await database.db.insertInto('organizations').values({ id, name: 'O', slug: id.toLowerCase() }).execute()
    const details = { snake_case: 1, camelCase: { inner_name: [{ deep_name: 'x' }] } }
    await database.db
      .insertInto('auditRecords')
      .values({
        id: newId('aud'),
        organizationId: id,
        actorKind: 'system',
        actorName: 'docent',
        action: 'test.run',
        target: id,
        details: JSON.stringify(details),
      })
      .execute()
    const row = await database.db
      .selectFrom('auditRecords')
      .selectAll()
      .where('organizationId', '=', id)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ actorKind: 'system', actorId: null, details })
    expect(row.at).toBeInstanceOf(Date)
  })
})

describe('transactions', () => {
  test('one that fails leaves nothing', async () => {
    const failing = database.db.transaction().execute(async (tx) => {
      await setFact(tx, 'failed', 'written')
      expect(await findFact(tx, 'failed')).toBe('written')
      throw new Error('on purpose')
    })
    await expect(failing).rejects.toThrow('on purpose')
    expect(await findFact(database.db, 'failed')).toBeNull()
  })

  test('one that fails in the database leaves nothing, and the next one works', async () => {
    const failing = database.db.transaction().execute(async (tx) => {
      await setFact(tx, 'broken', 'written')
      await sql`select 1 / 0`.execute(tx)
    })
    await expect(failing).rejects.toThrow('division by zero')
    expect(await findFact(database.db, 'broken')).toBeNull()
    await database.db.transaction().execute((tx) => setFact(tx, 'broken', 'mended'))
    expect(await findFact(database.db, 'broken')).toBe('mended')
  })

  test('many at once, half of which fail, keep exactly what the others wrote', async () => {
    const numbers = Array.from({ length: 20 }, (_, index) => index)
    const outcomes = await Promise.allSettled(
      numbers.map((number) =>
        database.db.transaction().execute(async (tx) => {
          await setFact(tx, `many.${number}`, 'first')
          await setFact(tx, `many.${number}`, 'second')
          if (number % 2 === 1) throw new Error('on purpose')
        }),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    const kept = await database.db.selectFrom('instance').selectAll().where('name', 'like', 'many.%').execute()
    expect(kept.map(({ name, value }) => `${name} ${value}`).sort()).toEqual(
      numbers
        .filter((number) => number % 2 === 0)
        .map((number) => `many.${number} second`)
        .sort(),
    )
  })

  test('a statement beside an open one is no part of it', async () => {
    let beside: Promise<void> | undefined
    const failing = database.db.transaction().execute(async (tx) => {
      await setFact(tx, 'inside', 'written')
      beside = setFact(database.db, 'beside', 'written')
      await setFact(tx, 'inside', 'again')
      throw new Error('on purpose')
    })
    await expect(failing).rejects.toThrow('on purpose')
    await beside
    expect(await findFact(database.db, 'inside')).toBeNull()
    expect(await findFact(database.db, 'beside')).toBe('written')
  })
})

describe('facts', () => {
  test('one that nobody wrote is null', async () => {
    expect(await findFact(database.db, 'unknown')).toBeNull()
  })

  test('setting one again replaces it', async () => {
    await setFact(database.db, 'fact', 'one')
    await setFact(database.db, 'fact', 'two')
    expect(await findFact(database.db, 'fact')).toBe('two')
  })

  test('of many that ensure one, all get what the first of them wrote', async () => {
    const values = Array.from({ length: 10 }, (_, index) => `value ${index}`)
    const got = await Promise.all(values.map((value) => ensureFact(database.db, 'contested', value)))
    expect(new Set(got).size).toBe(1)
    expect(values).toContain(got[0])
    expect(await findFact(database.db, 'contested')).toBe(got[0])
  })
})

describe('work for one node at a time', () => {
  test('gives back what the work gives, or throws what it throws, and can be done again', async () => {
    expect(await oneNodeAtATime(database, async () => 'done')).toBe('done')
    const failing = oneNodeAtATime(database, async () => {
      throw new Error('on purpose')
    })
    await expect(failing).rejects.toThrow('on purpose')
    expect(await oneNodeAtATime(database, async () => 'again')).toBe('again')
  })

  test('may use the database itself', async () => {
    const value = await oneNodeAtATime(database, async () => {
      await database.db.transaction().execute((tx) => setFact(tx, 'by.one.node', 'yes'))
      return await findFact(database.db, 'by.one.node')
    })
    expect(value).toBe('yes')
  })

  test.runIf(severalProcesses)('never runs on two nodes at once (an embedded database has one node)', async () => {
    const nodes = [database, await openDatabase(files.settings), await openDatabase(files.settings)]
    let running = 0
    let most = 0
    const work = async () => {
      most = Math.max(most, ++running)
      // Several rounds with the server: enough for another node to get in, if it could.
      for (let round = 0; round < 5; round++) await findFact(database.db, 'fact')
      running--
    }
    await Promise.all(nodes.flatMap((node) => [oneNodeAtATime(node, work), oneNodeAtATime(node, work)]))
    expect(most).toBe(1)
    await Promise.all(nodes.slice(1).map((node) => node.close()))
  })

  test.runIf(severalProcesses)('goes on on another node when the one that had it dies (servers only)', async () => {
    const dying = await openDatabase(files.settings)
    const pids: number[] = []
    const never = oneNodeAtATime(dying, async () => {
      const { rows } = await sql<{
        pid: number
      }>`select pid from pg_locks
          where locktype = 'advisory' and granted
          and database = (select oid from pg_database where datname = current_database())`.execute(database.db)
      pids.push(...rows.map(({ pid }) => pid))
      // What a server does with the connection of a process that was killed.
      for (const pid of pids) await sql`select pg_terminate_backend(${pid}::int)`.execute(database.db)
    }).catch((error) => error)
    expect(await oneNodeAtATime(database, async () => 'done')).toBe('done')
    expect(await never).toBeInstanceOf(Error)
    await dying.close()
  })
})

describe('closing', () => {
  test('can be done twice, also at once, and then the database says that it is not there', async () => {
    const own = await createTestDatabase()
    const closing = await openDatabase(own.settings)
    await closing.ping()
    await setFact(closing.db, 'kept', 'yes')
    await Promise.all([closing.close(), closing.close()])
    await closing.close()
    await expect(closing.ping()).rejects.toMatchObject({ kind: 'unavailable', code: 'database.unreachable' })
    await expect(findFact(closing.db, 'kept')).rejects.toThrow()
    const again = await openDatabase(own.settings)
    expect(await findFact(again.db, 'kept')).toBe('yes')
    await again.close()
    await own.delete()
  })

  test('waits for statements that are running', async () => {
    const own = await createTestDatabase()
    const closing = await openDatabase(own.settings)
    const written = closing.db.transaction().execute(async (tx) => {
      await setFact(tx, 'late', 'one')
      await setFact(tx, 'late', 'two')
    })
    await findFact(closing.db, 'anything')
    await Promise.all([written, closing.close()])
    const again = await openDatabase(own.settings)
    expect(await findFact(again.db, 'late')).toBe('two')
    await again.close()
    await own.delete()
  })
})

test('maintaining is harmless at any time', async () => {
  await Promise.all([database.maintain(), setFact(database.db, 'maintained', 'yes'), database.maintain()])
  expect(await findFact(database.db, 'maintained')).toBe('yes')
})
