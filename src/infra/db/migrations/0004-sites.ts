import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const sites: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('deployments')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('project_id', 'text', (column) => column.notNull().references('projects.id').onDelete('cascade'))
      .addColumn('commit', 'text')
      .addColumn('ref', 'text', (column) => column.notNull())
      .addColumn('docs_path', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('by', 'text')
      .addColumn('pages', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('changes', 'jsonb', (column) => column.notNull().defaultTo(sql`'{}'::jsonb`))
      .addColumn('warning_count', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('warnings', 'jsonb', (column) => column.notNull().defaultTo(sql`'[]'::jsonb`))
      .addColumn('error', 'jsonb')
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addColumn('finished_at', 'timestamptz')
      .addColumn('work', 'text')
      .addColumn('heartbeat_at', 'timestamptz')
      .execute()
    // One at a time for each project: whoever has the row has the turn.
    await sql`create unique index deployments_building on deployments (project_id) where state = 'building'`.execute(db)
    await db.schema
      .createIndex('deployments_by_project')
      .on('deployments')
      .columns(['project_id', 'created_at', 'id'])
      .execute()

    await db.schema
      .createTable('sites')
      .addColumn('project_id', 'text', (column) => column.primaryKey().references('projects.id').onDelete('cascade'))
      .addColumn('live_deployment', 'text', (column) => column.references('deployments.id').onDelete('set null'))
      .addColumn('head', 'text')
      .addColumn('source', 'text')
      .addColumn('next_poll_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addColumn('poll_failures', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('updated_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .execute()

    await db.schema.createIndex('sites_by_next_poll').on('sites').column('next_poll_at').execute()

    await db.schema
      .createTable('site_domains')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('project_id', 'text', (column) => column.notNull().references('projects.id').onDelete('cascade'))
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .execute()
    await db.schema.createIndex('site_domains_by_project').on('site_domains').column('project_id').execute()
  },
}
