import { sql } from 'kysely'
import type { Database } from './database.ts'
import type { Db, Tx } from './schema.ts'

/** Reads a fact about this installation, or null. */
export async function findFact(db: Db | Tx, name: string): Promise<string | null> {
  const row = await db.selectFrom('instance').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value ?? null
}

export async function setFact(db: Db | Tx, name: string, value: string): Promise<void> {
  await db
    .insertInto('instance')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** Writes the fact unless there is one, and returns the one that stands. Of several nodes, one wins. */
export async function ensureFact(db: Db | Tx, name: string, value: string): Promise<string> {
  await db
    .insertInto('instance')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  return (await findFact(db, name)) ?? value
}

// Any number, the same on every node.
const oneNodeLock = 4_400_001

/** Runs the work on one node at a time. The others wait, and should then look whether anything is left to do. */
export async function oneNodeAtATime<T>({ db, supports }: Database, work: () => Promise<T>): Promise<T> {
  // A database that takes one process needs no lock, and has no second connection to hold one with.
  if (!supports.severalProcesses) return await work()
  return await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${oneNodeLock})`.execute(tx)
    return await work()
  })
}
