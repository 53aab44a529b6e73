import { type Migration, Migrator } from 'kysely/migration'
import { DocentError, messageOf } from '#base/errors.ts'
import { foundation } from './migrations/0001-foundation.ts'
import { agentJobs } from './migrations/0002-agent-jobs.ts'
import { analytics } from './migrations/0003-analytics.ts'
import { sites } from './migrations/0004-sites.ts'
import { accounts } from './migrations/0005-accounts.ts'
import { agentLimits } from './migrations/0006-agent-limits.ts'
import type { Db } from './schema.ts'

/** In the order they run. One that has landed is never edited; a change is a new one. */
const migrations: Record<string, Migration> = {
  '0001-foundation': foundation,
  '0002-agent-jobs': agentJobs,
  '0003-analytics': analytics,
  '0004-sites': sites,
  '0005-accounts': accounts,
  '0006-agent-limits': agentLimits,
}

/** Brings the schema up to date. Safe when several nodes start at once: Kysely holds an advisory lock meanwhile. */
export async function migrate(db: Db): Promise<string[]> {
  // Kysely's own tables must not be renamed by the plugin that serves ours.
  const migrator = new Migrator({ db: db.withoutPlugins(), provider: { getMigrations: async () => migrations } })
  const { error, results } = await migrator.migrateToLatest()
  if (error) {
    const message = `The database could not be brought up to date: ${messageOf(error)}. If a newer version of Docent ran on it, run that version.`
    throw new DocentError('unavailable', 'database.migration_failed', message, { cause: error })
  }
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName)
}
