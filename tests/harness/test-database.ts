import { cp, mkdtemp, rm } from 'node:fs/promises'
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

/** A copy of the migrated template; `empty` gives what a first start finds: nothing. */
export async function createTestDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const data = await mkdtemp(join(tmpdir(), 'docent-test-'))
  const template = inject('template')
  if (inject('engine') === 'pglite') {
    if (!empty) await cp(join(template, 'pg'), join(data, 'pg'), { recursive: true })
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
