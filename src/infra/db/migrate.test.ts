import { sql } from 'kysely'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { openDatabase } from '#tests/harness/open-database.ts'
import { createTestDatabase, type TestDatabase } from '#tests/harness/test-database.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'

let files: TestDatabase
const opened: Database[] = []
beforeEach(async () => {
  files = await createTestDatabase()
  // Emptied rather than made anew, which takes an embedded database seconds.
  const database = await open()
  await sql`drop schema public cascade`.execute(database.db)
  await sql`create schema public`.execute(database.db)
  await closeAll()
})
afterEach(async () => {
  await closeAll()
  await files.delete()
})

async function open(): Promise<Database> {
  const database = await openDatabase(files.settings)
  opened.push(database)
  return database
}

async function closeAll(): Promise<void> {
  await Promise.all(opened.splice(0).map((database) => database.close()))
}

async function tablesOf({ db }: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

test('an empty database gets the whole schema, and a second time changes nothing', async () => {
  const database = await open()
  const applied = await migrate(database.db)
  expect(applied[0]).toBe('0001-foundation')
  expect(applied).toEqual([...applied].sort())
  const tables = await tablesOf(database)
  expect(tables).toEqual(
    expect.arrayContaining(['api_keys', 'audit_records', 'instance', 'organizations', 'projects', 'rate_windows']),
  )
  expect(await migrate(database.db)).toEqual([])
  expect(await tablesOf(database)).toEqual(tables)
})

test.runIf(inject('engine') === 'postgres')(
  'of several nodes that start at once, one migrates and all find the schema (an embedded database has one node)',
  async () => {
    const nodes = await Promise.all(Array.from({ length: 6 }, () => open()))
    const applied = await Promise.all(nodes.map(({ db }) => migrate(db)))
    expect(applied.filter((names) => names.length > 0)).toHaveLength(1)
    const tables = await Promise.all(nodes.map(tablesOf))
    expect(tables[0]).toContain('projects')
    expect(new Set(tables.map(String)).size).toBe(1)
  },
)

test('a database that a newer version has changed is refused, and left as it is', async () => {
  const database = await open()
  await migrate(database.db)
  await sql`insert into kysely_migration (name, timestamp) values ('9999-from-the-future', '2099-01-01')`.execute(
    database.db,
  )
  const tables = await tablesOf(database)
  await expect(migrate(database.db)).rejects.toMatchObject({
    kind: 'unavailable',
    code: 'database.migration_failed',
    message: expect.stringContaining('If a newer version of Docent ran on it, run that version.'),
  })
  expect(await tablesOf(database)).toEqual(tables)
})

test('a migration that fails is undone as a whole and can be tried again', async () => {
  const database = await open()
  // In the way of one of the last things the first migration makes.
  await sql`create table audit_records (id text)`.execute(database.db)
  await expect(migrate(database.db)).rejects.toMatchObject({ code: 'database.migration_failed' })
  expect((await tablesOf(database)).filter((name) => !name.startsWith('kysely_'))).toEqual(['audit_records'])
  await sql`drop table audit_records`.execute(database.db)
  expect(await migrate(database.db)).toContain('0001-foundation')
})
