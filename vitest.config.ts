import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const root = import.meta.dirname
const tests = ['src/**/*.test.ts', 'tests/**/*.test.ts']
/** What a test imports to reach a database. */
const reachesDatabase = /harness\/(test-app|test-database)\.ts'|\binject\('(engine|template)'\)/
/** Says so in a file that does reach one, with the reason after it. */
const runsOnce = /^\/\/ Runs on PGlite alone: /m

/**
 * All tests run on PGlite; those that reach a database run again on PostgreSQL. The others could not tell the two apart.
 * tests/harness/global-setup.ts prepares the database by the project's name.
 */
const include = {
  pglite: tests,
  postgres: globSync(tests, { cwd: root }).filter((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return reachesDatabase.test(text) && !runsOnce.test(text)
  }),
}

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The long ones wait more than they work: for heartbeats, retries, and servers to start.
    maxWorkers: 3,
    // As in src/app/main.ts. PGlite is new in each file, and optimising it takes longer than most files ask it anything.
    execArgv: ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering'],
    projects: (['pglite', 'postgres'] as const).map((name) => ({
      extends: true as const,
      test: { name, include: include[name], globalSetup: ['tests/harness/global-setup.ts'] },
    })),
  },
})
