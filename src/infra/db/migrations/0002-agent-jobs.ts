import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const agentJobs: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('agent_jobs')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('project_id', 'text', (column) => column.notNull().references('projects.id').onDelete('cascade'))
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('repository', 'text', (column) => column.notNull())
      .addColumn('ref', 'text')
      .addColumn('model', 'text', (column) => column.notNull())
      .addColumn('branch', 'text')
      .addColumn('pull_request', 'integer')
      .addColumn('pr_link', 'text')
      .addColumn('title', 'text')
      .addColumn('summary', 'text')
      .addColumn('error', 'jsonb')
      .addColumn('steps', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('input_tokens', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('output_tokens', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('turn', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('ticket', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('claim', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('last_event', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addColumn('finished_at', 'timestamptz')
      .addColumn('archived_at', 'timestamptz')
      .execute()
    await db.schema
      .createIndex('agent_jobs_by_project')
      .on('agent_jobs')
      .columns(['project_id', 'created_at', 'id'])
      .execute()
    await sql`create index agent_jobs_unfinished on agent_jobs (project_id) where status = 'active'`.execute(db)
    await sql`create index agent_jobs_to_archive on agent_jobs (finished_at) where archived_at is null`.execute(db)

    await db.schema
      .createTable('agent_messages')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('job_id', 'text', (column) => column.notNull().references('agent_jobs.id').onDelete('cascade'))
      .addColumn('project_id', 'text', (column) => column.notNull())
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('prompt', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('branch', 'text')
      .addColumn('base_commit', 'text')
      .addColumn('docs_path', 'text')
      .addColumn('commit', 'text')
      .addColumn('title', 'text')
      .addColumn('summary', 'text')
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addUniqueConstraint('agent_messages_by_job', ['job_id', 'number'])
      .execute()
    // How many there were in the last hour.
    await db.schema
      .createIndex('agent_messages_by_project')
      .on('agent_messages')
      .columns(['project_id', 'created_at'])
      .execute()

    await db.schema
      .createTable('agent_steps')
      .addColumn('message_id', 'text', (column) => column.notNull().references('agent_messages.id').onDelete('cascade'))
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('data', 'jsonb', (column) => column.notNull())
      .addColumn('changes', 'jsonb', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addPrimaryKeyConstraint('agent_steps_key', ['message_id', 'number'])
      .execute()

    await db.schema
      .createTable('agent_events')
      .addColumn('job_id', 'text', (column) => column.notNull().references('agent_jobs.id').onDelete('cascade'))
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('data', 'jsonb', (column) => column.notNull())
      .addColumn('at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addPrimaryKeyConstraint('agent_events_key', ['job_id', 'number'])
      .execute()

    await db.schema
      .createTable('idempotency_keys')
      .addColumn('project_id', 'text', (column) => column.notNull().references('projects.id').onDelete('cascade'))
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('request_hash', 'text', (column) => column.notNull())
      .addColumn('job_id', 'text', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .addPrimaryKeyConstraint('idempotency_keys_key', ['project_id', 'key'])
      .execute()

    await db.schema
      .createTable('pull_requests')
      .addColumn('project_id', 'text', (column) => column.notNull().references('projects.id').onDelete('cascade'))
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('branch', 'text', (column) => column.notNull())
      .addColumn('base', 'text', (column) => column.notNull())
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addColumn('draft', 'boolean', (column) => column.notNull().defaultTo(false))
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('base_commit', 'text')
      .addColumn('head_commit', 'text')
      .addColumn('merge_commit', 'text')
      .addColumn('ended_by', 'text')
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addColumn('updated_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addColumn('ended_at', 'timestamptz')
      .addPrimaryKeyConstraint('pull_requests_key', ['project_id', 'number'])
      .execute()
    await sql`
      create unique index pull_requests_open on pull_requests (project_id, branch, base) where state = 'open'`.execute(
      db,
    )

    await db.schema
      .createTable('webhook_endpoints')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('project_id', 'text', (column) => column.notNull().references('projects.id').onDelete('cascade'))
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('events', sql`text[]`, (column) => column.notNull())
      .addColumn('sealed_secret', 'text', (column) => column.notNull())
      .addColumn('enabled', 'boolean', (column) => column.notNull().defaultTo(true))
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .execute()
    await db.schema
      .createIndex('webhook_endpoints_by_project')
      .on('webhook_endpoints')
      .columns(['project_id', 'created_at', 'id'])
      .execute()

    await db.schema
      .createTable('webhook_deliveries')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('endpoint_id', 'text', (column) =>
        column.notNull().references('webhook_endpoints.id').onDelete('cascade'),
      )
      .addColumn('event', 'text', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('response_status', 'integer')
      .addColumn('error', 'text')
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addColumn('last_attempt_at', 'timestamptz')
      .execute()
    await db.schema
      .createIndex('webhook_deliveries_by_endpoint')
      .on('webhook_deliveries')
      .columns(['endpoint_id', 'created_at', 'id'])
      .execute()
    await db.schema.createIndex('webhook_deliveries_by_age').on('webhook_deliveries').column('created_at').execute()

    // What the host's own webhooks are checked with; see features/repositories.
    await db.schema
      .alterTable('projects')
      .addColumn('sealed_push_secret', 'text')
      .addColumn('open_paths', sql`text[]`, (column) => column.notNull().defaultTo(sql`'{}'`))
      .execute()
  },
}
