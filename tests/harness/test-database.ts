import { cpSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { randomBase62 } from '#base/ids.ts'

/** A database and data folder of a test's own, as settings for `testConfig` or for a child's environment. */
export interface TestDatabase {
  settings: { data: string; databaseUrl?: string }
  delete(): Promise<void>
}

export interface TestDatabaseOptions {
  /** Without a table in it. */
  empty?: boolean
  /** False, and there are not even the files of an embedded database, which take seconds to make. */
  exists?: boolean
}

/** A copy of the migrated template, unless told otherwise. */
export async function createTestDatabase({
  empty = false,
  exists = true,
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const data = await mkdtemp(join(tmpdir(), 'docent-test-'))
  const template = inject('template')
  if (inject('engine') === 'pglite') {
    // Not the `cp` that waits for each of a thousand files: it takes ten times as much of the processor.
    if (exists) cpSync(join(template, empty ? 'empty' : 'pg'), join(data, 'pg'), { recursive: true })
    return { settings: { data }, delete: () => rm(data, { recursive: true, force: true }) }
  }
  const name = `test_${randomBase62(12).toLowerCase()}`
  const databaseUrl = template.replace(/[^/]+$/, name)
  await onServer(template, `create database ${name} template ${empty ? 'template0' : 'template_docent'}`)
  return {
    settings: { data, databaseUrl },
    async delete() {
      await onServer(template, `drop database ${name} with (force)`)
      await rm(data, { recursive: true, force: true })
    },
  }
}

async function onServer(template: string, statement: string): Promise<void> {
  const client = new pg.Client(template.replace(/[^/]+$/, 'postgres'))
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
