import type { Connection } from './connection.ts'

/** From version 3 to 4: every view was looked at. In the caller's transaction. */
export async function upgradeToFirstOfDay(connection: Connection): Promise<void> {
  await connection.run('alter table views add column first_of_day boolean default true')
  await connection.run('update facts set version = 4')
}
