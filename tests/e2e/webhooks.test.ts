import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { type Receiver, startReceiver } from '#tests/harness/receiver.ts'
import { runDocent, type ServerProcess, startServerProcess } from '#tests/harness/server-process.ts'
import { createTestDatabase, type TestDatabase } from '#tests/harness/test-database.ts'

let database: TestDatabase
let server: ServerProcess
let receiver: Receiver
const start = () => startServerProcess({ ...database.settings, webhookAllowPrivate: true })
beforeAll(async () => {
  database = await createTestDatabase()
  server = await start()
})
afterAll(async () => {
  await server.end('SIGTERM')
  await database.delete()
})
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

const docent = (...args: string[]) => runDocent(args, { data: database.settings.data })
// biome-ignore lint/suspicious/noExplicitAny: answers have many shapes.
const json = ({ stdout }: { stdout: string }): any => JSON.parse(stdout)

// biome-ignore lint/suspicious/noExplicitAny: as above.
async function call(method: string, path: string, body?: object): Promise<any> {
  const content = body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}
  const response = await server.fetch(path, { method, ...content })
  expect(response.status, path).toBeLessThan(300)
  return await response.json()
}

async function createProject(): Promise<string> {
  const source = { provider: 'github', repository: 'acme/docs' }
  return (await call('POST', '/v1/projects', { name: 'Docs', source })).id
}

test('a server that is killed between taking an event and delivering it loses none, and repeats them by their ids', async () => {
  const project = await createProject()
  const { id, secret } = await call('POST', `/v1/projects/${project}/webhooks`, { url: receiver.url })
  const address = `/v1/projects/${project}/webhooks/${id}`
  // The receiver has the requests and does not answer; more of them wait than the worker sends at a time.
  receiver.onRequest(() => {})
  const accepted: string[] = []
  for (let count = 0; count < 5; count++) accepted.push((await call('POST', `${address}/test`)).id)
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(0), 10_000)
  await server.end('SIGKILL')
  const before = receiver.received.map(({ headers }) => headers['webhook-id']!)
  expect(before.length).toBeLessThan(5)

  receiver.onRequest((response) => response.writeHead(200).end())
  server = await start()
  await vi.waitFor(
    async () => {
      const { deliveries } = await call('GET', `${address}/deliveries`)
      expect(deliveries.map(({ state }: { state: string }) => state)).toEqual(Array(5).fill('delivered'))
    },
    { timeout: 45_000, interval: 200 },
  )
  const after = receiver.received.slice(before.length).map(({ headers }) => headers['webhook-id']!)
  expect(after.sort()).toEqual([...accepted].sort())
  for (const sent of before) expect(accepted).toContain(sent)
  for (const { body, headers } of receiver.received) expect(new Webhook(secret).verify(body, headers)).toBeDefined()
  expect(server.output()).not.toContain(secret)
}, 90_000)

describe.runIf(inject('engine') === 'pglite')('docent webhook (which asks the server, and knows no database)', () => {
  test('creates, tests, lists, shows deliveries and deletes', async () => {
    const project = await createProject()
    const options = ['--project', project]
    const created = json(
      await docent('webhook', 'create', ...options, '--to', receiver.url, '--event', 'job.failed', '--json'),
    )
    expect(created).toMatchObject({
      url: `${receiver.url}/`,
      events: ['job.failed'],
      secret: expect.stringMatching(/^whsec_/),
    })
    const tested = await docent('webhook', 'test', created.id, ...options)
    expect(tested).toMatchObject({ code: 0, stdout: 'Delivered: the receiver answered 204.\n' })
    receiver.onRequest((response) => response.writeHead(500).end('out of\norder'))
    const failed = await docent('webhook', 'test', created.id, ...options)
    expect(failed).toMatchObject({ code: 1, stdout: 'Not delivered. Answered 500: out of order\n' })
    const { body, headers } = receiver.received[0]!
    expect(new Webhook(created.secret).verify(body, headers)).toMatchObject({ type: 'webhook.test' })

    const listed = await docent('webhook', 'list', ...options)
    expect(listed.stdout).toMatch(new RegExp(`${created.id}  ${receiver.url}/  job\\.failed  yes`))
    expect(listed.output).not.toContain(created.secret)
    const log = await docent('webhook', 'deliveries', created.id, ...options)
    expect(log.stdout.split('\n').map((line) => line.split(/ {2,}/).slice(2, 5))).toEqual([
      ['state', 'attempts', 'answer'],
      ['failed', '1', '500'],
      ['delivered', '1', '204'],
      [],
    ])
    const some = await docent('webhook', 'deliveries', created.id, ...options, '--state', 'failed', '--json')
    expect(json(some)).toMatchObject({ deliveries: [{ state: 'failed', responseStatus: 500 }], hasMore: false })

    expect(json(await docent('webhook', 'delete', created.id, ...options, '--json'))).toEqual({ deleted: created.id })
    expect((await docent('webhook', 'list', ...options)).stdout).toContain('No webhooks yet')
    expect(await docent('webhook', 'delete', created.id, ...options)).toMatchObject({ code: 4 })
  }, 60_000)

  test('says what is wrong', async () => {
    const project = await createProject()
    expect(await docent('webhook', 'create', '--project', project)).toMatchObject({
      code: 2,
      output: expect.stringContaining('Missing --to'),
    })
    expect(await docent('webhook', 'create', '--project', project, '--to', 'ftp://x.test')).toMatchObject({
      code: 2,
      output: expect.stringContaining('url: expected an http or https URL'),
    })
    expect(await docent('webhook', 'list', '--project', 'prj_x')).toMatchObject({
      code: 4,
      output: expect.stringContaining('There is no such project.'),
    })
  }, 30_000)
})
