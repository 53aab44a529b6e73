import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const foundation: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('instance')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('value', 'text', (column) => column.notNull())
      .execute()

    await db.schema
      .createTable('organizations')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('slug', 'text', (column) => column.notNull().unique())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .execute()

    await db.schema
      .createTable('api_keys')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull().unique())
      .addColumn('hint', 'text', (column) => column.notNull())
      .addColumn('scopes', sql`text[]`, (column) => column.notNull())
      .addColumn('allowed_addresses', sql`text[]`, (column) => column.notNull())
      .addColumn('expires_at', 'timestamptz')
      .addColumn('last_used_at', 'timestamptz')
      .addColumn('revoked_at', 'timestamptz')
      .addColumn('preset', 'boolean', (column) => column.notNull().defaultTo(false))
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .execute()
    await db.schema
      .createIndex('api_keys_by_organization')
      .on('api_keys')
      .columns(['organization_id', 'created_at', 'id'])
      .execute()

    await db.schema
      .createTable('projects')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('slug', 'text', (column) => column.notNull().unique())
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('repository', 'text')
      .addColumn('ref', 'text')
      .addColumn('docs_path', 'text', (column) => column.notNull().defaultTo(''))
      .addColumn('api_url', 'text')
      .addColumn('sealed_token', 'text')
      .addColumn('model', 'text')
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addColumn('updated_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .execute()
    await db.schema
      .createIndex('projects_by_organization')
      .on('projects')
      .columns(['organization_id', 'created_at', 'id'])
      .execute()

    await db.schema
      .createTable('audit_records')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addColumn('actor_kind', 'text', (column) => column.notNull())
      .addColumn('actor_id', 'text')
      .addColumn('actor_name', 'text', (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('target', 'text', (column) => column.notNull())
      .addColumn('details', 'jsonb', (column) => column.notNull())
      .addColumn('request_id', 'text')
      .execute()
    await db.schema
      .createIndex('audit_records_by_organization')
      .on('audit_records')
      .columns(['organization_id', 'at', 'id'])
      .execute()

    // Counts of a minute: worthless after a crash, so kept out of the write-ahead log.
    await sql`
      create unlogged table rate_windows (
        bucket text not null,
        window_start timestamptz not null,
        count integer not null,
        primary key (bucket, window_start)
      )`.execute(db)
  },
}
