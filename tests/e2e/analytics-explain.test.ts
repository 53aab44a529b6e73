// Runs on PGlite alone: the command asks the server; settings.test.ts, which the answers come from, runs on both.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDocent, type ServerProcess, startServerProcess } from '#tests/harness/server-process.ts'
import { testAdminKey } from '#tests/harness/test-config.ts'
import { createTestDatabase, type TestDatabase } from '#tests/harness/test-database.ts'

let database: TestDatabase
let server: ServerProcess
beforeAll(async () => {
  database = await createTestDatabase()
  server = await startServerProcess(database.settings)
})
afterAll(async () => {
  await server.end('SIGTERM')
  await database.delete()
})

test('with a project named, its own rules and what it counts as AI are asked for and applied', async () => {
  const docent = (...args: string[]) => runDocent(args, { data: database.settings.data })
  const project = JSON.parse((await docent('project', 'create', '--name', 'Explained', '--json')).stdout)
  const rules = [{ userAgent: 'curl', path: '/internal', category: 'training', client: 'Our mirror' }]
  const changed = await server.fetch(`/v1/analytics/${project.id}/settings`, {
    method: 'PATCH',
    key: testAdminKey,
    body: JSON.stringify({ rules, aiTraffic: 'direct' }),
    headers: { 'content-type': 'application/json' },
  })
  expect(changed.status).toBe(200)
  const explain = async (...args: string[]) => {
    const said = await docent('analytics', 'explain', '--ua', 'curl/8.5.0', '--json', ...args)
    expect(said.code).toBe(0)
    return JSON.parse(said.stdout)
  }
  expect(await explain('--project', project.slug, '--path', '/internal/x')).toMatchObject({
    category: 'training',
    client: 'Our mirror',
    reason: 'project rule 1',
    countsAs: null,
  })
  expect(await explain('--project', project.slug, '--path', '/guide')).toMatchObject({
    category: 'unknown',
    client: 'curl',
  })
  expect(await explain('--path', '/internal/x')).toMatchObject({ category: 'unknown', client: 'curl' })
})
