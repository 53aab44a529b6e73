// Runs on PGlite alone: a command asks the server; projects.test.ts and accounts.test.ts, whose answers it prints, run on both.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

/** On the server's machine: no key, only the data folder. */
const local = (...args: string[]) => runDocent(args, { data: database.settings.data })
/** From elsewhere. */
const remote = (...args: string[]) => runDocent(args, { url: server.url, apiKey: testAdminKey, data: '/nonexistent' })
// biome-ignore lint/suspicious/noExplicitAny: commands print many shapes.
const json = ({ stdout }: { stdout: string }): any => JSON.parse(stdout)

describe.each([
  ['over the local socket', local],
  ['with a URL and a key', remote],
])('%s', (_, docent) => {
  test('a project is created, listed, shown and deleted', async () => {
    const created = json(await docent('project', 'create', '--name', 'From the CLI', '--json'))
    expect(created).toMatchObject({ name: 'From the CLI', source: { provider: 'builtin' } })
    expect(json(await docent('project', 'list', '--json')).projects).toContainEqual(created)
    expect((await docent('project', 'show', created.id)).stdout).toContain('From the CLI')
    const unsaid = await docent('project', 'delete', created.id)
    expect(unsaid).toMatchObject({ code: 2, output: expect.stringContaining('--yes') })
    expect(json(await docent('project', 'delete', created.id, '--yes', '--json'))).toEqual({ deleted: created.id })
    expect(await docent('project', 'show', created.id)).toMatchObject({ code: 4 })
  })

  test('a key is created, works, is listed without its secret, and is revoked', async () => {
    const options = ['--name', 'ci', '--scope', 'read', '--expires', '30d', '--allow', '127.0.0.0/8']
    const created = json(await docent('key', 'create', ...options, '--json'))
    expect(created).toMatchObject({ scopes: ['read'], allowedAddresses: ['127.0.0.0/8'] })
    expect((await server.fetch('/v1/projects', { key: created.key })).status).toBe(200)
    const listed = await docent('key', 'list')
    expect(listed.stdout).toContain(created.id)
    expect(listed.stdout).not.toContain(created.key)
    expect(await docent('key', 'revoke', created.id)).toMatchObject({ code: 0 })
    expect((await server.fetch('/v1/projects', { key: created.key })).status).toBe(401)
    expect(await docent('key', 'revoke', created.id)).toMatchObject({ code: 4 })
  })
})

test('an organization is made on the server, and its key sees its own projects only', async () => {
  const { slug } = json(await local('org', 'create', '--name', 'Acme', '--json'))
  const { key } = json(await local('key', 'create', '--org', slug, '--name', 'theirs', '--json'))
  const theirs = await server.fetch('/v1/projects', { key })
  expect(await theirs.json()).toEqual({ projects: [], hasMore: false })
  expect(await remote('org', 'list')).toMatchObject({ code: 3 })
  expect(await local('project', 'list', '--org', 'nobody')).toMatchObject({ code: 4 })
})

test.each([
  ['an unknown command', ['porject', 'list'], 2, 'Did you mean docent project list?'],
  ['an unknown option', ['project', 'create', '--nmae', 'x'], 2, 'Did you mean --name?'],
  ['a missing option', ['project', 'create'], 2, 'Missing --name'],
  ['a missing argument', ['project', 'show'], 2, 'Missing <project>'],
  ['an argument too many', ['project', 'list', 'all'], 2, 'Did not expect "all"'],
  ['a value the server refuses', ['project', 'create', '--name', ' '], 2, 'name: expected at least 1 character'],
  ['a wrong expiry', ['key', 'create', '--name', 'x', '--expires', 'soon'], 2, '--expires: expected'],
  ['an unknown project', ['project', 'show', 'prj_x'], 4, 'There is no such project.'],
])('%s ends with its own exit code and says what to do', async (_, args, code, words) => {
  const result = await local(...args)
  expect(result.code).toBe(code)
  expect(result.output).toContain(words)
  const asJson = await local(...args, '--json')
  expect(asJson.code).toBe(code)
  expect(JSON.parse(asJson.output)).toMatchObject({
    error: expect.stringContaining(words),
    code: expect.stringMatching(/^\w+\.\w+$/),
  })
})

test('without a server, it says how to start or name one', async () => {
  const { code, output } = await runDocent(['project', 'list'], { data: '/tmp/docent-none' })
  expect(code).toBe(6)
  expect(output).toContain('npm start')
})

test('a wrong key from elsewhere is told apart from a server that is not there', async () => {
  const wrong = await runDocent(['project', 'list'], { url: server.url, apiKey: 'docent_wrong' })
  expect(wrong).toMatchObject({ code: 3, output: expect.stringContaining('unknown or revoked') })
  const nowhere = await runDocent(['project', 'list'], { url: 'http://127.0.0.1:9', apiKey: 'docent_wrong' })
  expect(nowhere).toMatchObject({ code: 6, output: expect.stringContaining('does not answer') })
})

test('help lists every command, and each has its own', async () => {
  const { stdout } = await local('--help')
  for (const name of ['serve', 'worker', 'config', 'project create', 'key revoke', 'doctor']) {
    expect(stdout).toContain(name)
    expect((await local(...name.split(' '), '--help')).stdout).toContain(`Usage: docent ${name}`)
  }
})

test('config shows values and origins, and hides secrets', async () => {
  const settings = { port: 4999, secret: 'x'.repeat(40), databaseUrl: 'postgres://me:hunter2@db/docent' }
  const { stdout } = await runDocent(['config', '--json'], settings)
  expect(JSON.parse(stdout)).toMatchObject({
    port: { value: 4999, from: 'DOCENT_PORT' },
    host: { value: '127.0.0.1', from: 'default' },
    secret: { value: '[hidden]' },
    databaseUrl: { value: '[hidden]' },
  })
  expect((await runDocent(['config'], settings)).output).not.toMatch(/hunter2|xxx/)
})
