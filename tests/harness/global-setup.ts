import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { compose } from '#app/compose.ts'
import { createLog } from '#base/log.ts'
import { dataPaths } from '#infra/data/folder.ts'
import { openDatabase } from './open-database.ts'
import { startPostgresServer } from './postgres-server.ts'
import { testConfig } from './test-config.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Which database the tests of this project run on. */
    engine: 'pglite' | 'postgres'
    /** A data folder (PGlite: `pg`, and `empty` beside it) or the server's address (PostgreSQL) with a migrated database to copy. */
    template: string
  }
}

/**
 * Prepares one migrated database for the whole run, which each test then copies: setting one up afresh takes seconds.
 * The project's name says which engine.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Before any server needs it: two at once would each build it.
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, '..', '..', 'web', 'build.ts')])
  const engine = project.name === 'postgres' ? 'postgres' : 'pglite'
  const folder = await mkdtemp(join(tmpdir(), 'docent-template-'))
  const server = engine === 'postgres' ? await startPostgresServer() : null
  if (server) await server.execute('create database template_docent')
  else await makeEmpty(folder)
  const config = testConfig({ data: folder, ...(server ? { databaseUrl: server.url('template_docent') } : {}) })
  const log = createLog({ level: 'silent', format: 'json', destination: process.stderr })
  const services = await compose({ config, log })
  await services.close({ timeoutMs: 1000 })
  project.provide('engine', engine)
  project.provide('template', server ? server.url('template_docent') : folder)
  return async () => {
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The files of a database without a table; the migrated one grows out of them. */
async function makeEmpty(folder: string): Promise<void> {
  const { close } = await openDatabase({ data: folder })
  await close()
  await cp(dataPaths(folder).pg, join(folder, 'empty'), { recursive: true })
}
