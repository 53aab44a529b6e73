import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDocent, type ServerProcess, startServerProcess } from '#tests/harness/server-process.ts'
import { createTestDatabase, type TestDatabase } from '#tests/harness/test-database.ts'

let database: TestDatabase
let server: ServerProcess
beforeAll(async () => {
  database = await createTestDatabase()
  server = await startServerProcess(database.settings)
})
afterAll(async () => {
  await server.end('SIGKILL')
  await database.delete()
})

const docent = (...words: string[]) => runDocent(words, { data: database.settings.data })
const printedLink = () => /Set it up +(\S+\/app\/setup#token=[\w-]{43})/.exec(server.output())?.[1] ?? null
const post = (path: string, body: object) =>
  server.fetch(path, {
    key: null,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const person = { name: 'Ana', email: 'ana@example.com', password: 'correct horse' }
const setUp = (link: string) => post('/v1/setup', { token: link.split('#token=')[1], ...person })

test('each start prints a setup link until there is an owner, and only the newest works', async () => {
  const first = printedLink()!
  expect(first).toContain(server.url)
  await server.end('SIGTERM')
  server = await startServerProcess(database.settings)
  const second = printedLink()!
  expect(second.split('#')[1]).not.toBe(first.split('#')[1])
  expect((await setUp(first)).status).toBe(403)

  const made = await docent('setup-link', '--json')
  const { url } = JSON.parse(made.stdout)
  expect((await setUp(second)).status).toBe(403)
  const done = await setUp(url)
  expect([done.status, await done.json()]).toMatchObject([201, { user: { name: 'Ana' }, role: 'owner' }])

  const late = await docent('setup-link')
  expect([late.code, late.output]).toEqual([5, expect.stringContaining('has an owner already')])
  await server.end('SIGTERM')
  server = await startServerProcess(database.settings)
  expect(printedLink()).toBeNull()
  expect(server.output()).toContain(`${server.url}/app/`)
  // Whose session was opened before is still signed in.
  const cookie = String(done.headers.get('set-cookie')).split(';')[0]!
  const state = await server.fetch('/v1/session', { key: null, headers: { cookie } })
  expect(await state.json()).toMatchObject({ user: { email: 'ana@example.com' } })
}, 120_000)

test('whoever is at the machine lists members and gets them back in', async () => {
  const listed = await docent('member', 'list')
  expect([listed.code, listed.stdout]).toEqual([0, expect.stringMatching(/^ana@example\.com +Ana +owner/m)])
  const unknown = await docent('member', 'password-link', 'nobody@example.com')
  expect([unknown.code, unknown.output]).toEqual([4, expect.stringContaining('docent member list')])
  const { stdout } = await docent('member', 'password-link', 'Ana@example.com', '--json')
  const { url } = JSON.parse(stdout)
  const chosen = await post('/v1/password', { token: url.split('#token=')[1], password: 'battery staple' })
  expect(chosen.status).toBe(200)
  const signIn = async (password: string) => (await post('/v1/session', { ...person, password })).status
  expect([await signIn(person.password), await signIn('battery staple')]).toEqual([401, 200])
}, 120_000)
