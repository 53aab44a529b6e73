import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const analytics: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('analytics_settings')
      .addColumn('project_id', 'text', (column) => column.primaryKey().references('projects.id').onDelete('cascade'))
      .addColumn('ai_traffic', 'text', (column) => column.notNull().defaultTo('all'))
      .addColumn('visitor_ids', 'text', (column) => column.notNull().defaultTo('stable'))
      .addColumn('retention_days', 'integer')
      .addColumn('origins', sql`text[]`, (column) => column.notNull().defaultTo(sql`'{}'`))
      .addColumn('rules', 'jsonb', (column) => column.notNull().defaultTo(sql`'[]'::jsonb`))
      .addColumn('updated_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .execute()

    await db.schema
      .createTable('analytics_secrets')
      .addColumn('project_id', 'text', (column) => column.notNull().references('projects.id').onDelete('cascade'))
      .addColumn('period', 'text', (column) => column.notNull())
      .addColumn('sealed_secret', 'text', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addPrimaryKeyConstraint('analytics_secrets_key', ['project_id', 'period'])
      .execute()

    await db.schema
      .createTable('analytics_imports')
      .addColumn('project_id', 'text', (column) => column.notNull().references('projects.id').onDelete('cascade'))
      .addColumn('fingerprint', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('position', 'bigint', (column) => column.notNull())
      .addColumn('lines', 'bigint', (column) => column.notNull())
      .addColumn('checkpoint', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addPrimaryKeyConstraint('analytics_imports_key', ['project_id', 'fingerprint'])
      .execute()

    await db.schema
      .createTable('feedback')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('project_id', 'text', (column) => column.notNull().references('projects.id').onDelete('cascade'))
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('comment', 'text')
      .addColumn('helpful', 'boolean', (column) => column.notNull())
      .addColumn('contact', 'text')
      .addColumn('status', 'text', (column) => column.notNull().defaultTo('pending'))
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .execute()
    await db.schema
      .createIndex('feedback_by_project')
      .on('feedback')
      .columns(['project_id', 'created_at', 'id'])
      .execute()

    await db.schema
      .createTable('searches')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('project_id', 'text', (column) => column.notNull().references('projects.id').onDelete('cascade'))
      .addColumn('query', 'text', (column) => column.notNull())
      .addColumn('clicked_path', 'text')
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .execute()
    await db.schema
      .createIndex('searches_by_project')
      .on('searches')
      .columns(['project_id', 'created_at', 'id'])
      .execute()
  },
}
