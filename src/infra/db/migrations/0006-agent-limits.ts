import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const agentLimits: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('projects').addColumn('agent_limits', 'jsonb').execute()
  },
}
