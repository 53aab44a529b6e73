import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { freePort } from '#tests/harness/free-port.ts'
import { runDocent, type ServerProcess, spawnDocent, startServerProcess } from '#tests/harness/server-process.ts'
import { testAdminKey, testSecret } from '#tests/harness/test-config.ts'
import { createTestDatabase, type TestDatabase, type TestDatabaseOptions } from '#tests/harness/test-database.ts'
import { until } from '#tests/harness/until.ts'

const isPostgres = inject('engine') === 'postgres'
const secret = testSecret

const running: ServerProcess[] = []
const databases: TestDatabase[] = []

async function database(options?: TestDatabaseOptions): Promise<TestDatabase> {
  const created = await createTestDatabase(options)
  databases.push(created)
  return created
}

async function start(settings: Parameters<typeof startServerProcess>[0]): Promise<ServerProcess> {
  const server = await startServerProcess(settings)
  running.push(server)
  return server
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}

afterEach(async () => {
  for (const server of running.splice(0))
    if (server.child.exitCode === null && !server.child.killed) await server.end('SIGKILL')
  for (const created of databases.splice(0)) await created.delete()
})

describe('the first start', () => {
  test('prints an address, a key, the demo project, and two commands that make a first pull request', async () => {
    const { settings } = await database({ empty: true, exists: false })
    const server = await start({ ...settings, adminKey: undefined, demo: undefined })
    const [, key] = /Admin API key\s+(docent_[0-9A-Za-z]{43})\s/.exec(server.output()) ?? []
    const [, projectId] = /Demo project\s+(prj_\w+)/.exec(server.output()) ?? []
    expect(server.output()).toContain(`is ready at ${server.url}`)
    const answer = await server.fetch(`/v1/projects/${projectId}`, { key: key! })
    expect(await answer.json()).toMatchObject({ id: projectId, name: 'Demo' })

    const [curl = ''] = /curl -H .*\\\n.*/.exec(server.output()) ?? []
    expect(curl).toContain(`Bearer ${key}`)
    if (existsSync('/usr/bin/curl')) {
      const { stdout } = await promisify(execFile)('sh', ['-c', curl])
      expect(JSON.parse(stdout)).toMatchObject({ status: 'active', source: { ref: 'main' } })
    }
    const [, data, prompt] =
      /DOCENT_DATA=(\S+) npx docent job create --prompt '(.+)' --watch/.exec(server.output()) ?? []
    expect(data).toBe(settings.data)
    const watched = await runDocent(['job', 'create', '--prompt', prompt!, '--watch', '--json'], { data })
    expect(watched.code, watched.output).toBe(0)
    expect(JSON.parse(watched.stdout)).toMatchObject({
      status: 'completed',
      prLink: expect.stringContaining('/git/demo/pulls/'),
    })
  })

  test('shows the key once, and a deleted demo project stays deleted', async () => {
    const { settings } = await database({ empty: true })
    const first = await start({ ...settings, adminKey: undefined, demo: true })
    const [key] = /docent_[0-9A-Za-z]{43}/.exec(first.output())!
    const [projectId] = /prj_\w+/.exec(first.output())!
    expect((await first.fetch(`/v1/projects/${projectId}`, { key, method: 'DELETE' })).status).toBe(204)
    expect(await first.end('SIGINT')).toBe(0)
    const second = await start({ ...settings, adminKey: undefined, demo: true })
    expect(second.output()).not.toMatch(/docent_[0-9A-Za-z]{43}|prj_/)
    const listed = await second.fetch('/v1/projects', { key })
    expect(await listed.json()).toEqual({ projects: [], hasMore: false })
  })

  test('leaves the demo project out when told so', async () => {
    const { settings } = await database({ empty: true })
    const server = await start({ ...settings, demo: 0 })
    expect(await (await server.fetch('/v1/projects')).json()).toEqual({ projects: [], hasMore: false })
  })

  /** What tells from outside how far a first start is. */
  const moments: [string, (folder: string, output: string) => boolean][] = [
    ['it has the folder', (folder) => existsSync(join(folder, 'server.lock'))],
    ['the demo project is made', (folder) => namesIn(join(folder, 'git')).length > 0],
    ['the key is shown', (_, output) => output.includes('Admin API key')],
  ]
  const makingFiles: (typeof moments)[number] = [
    'the files of the database are made',
    (folder) => namesIn(folder).some((name) => name.startsWith('pg.new-')),
  ]

  test.each([
    ...moments.map(([moment, isReached]) => ({ moment, isReached, pauseMs: 0 })),
    // While migrations run, on a machine with nothing else to do.
    { moment: 'it has the folder, and a little later', isReached: moments[0]![1], pauseMs: 400 },
    ...(isPostgres ? [] : [{ moment: makingFiles[0], isReached: makingFiles[1], pauseMs: 100 }]),
  ])(
    'ends well after a kill when $moment: the next one prints a key that works',
    async ({ moment, isReached, pauseMs }) => {
      const { settings } = await database({ empty: true, exists: moment !== makingFiles[0] })
      const killed = spawnDocent(['serve'], { ...settings, secret, port: await freePort() })
      await until(() => isReached(settings.data, killed.output()), { everyMs: 2 })
      await sleep(pauseMs)
      killed.child.kill('SIGKILL')
      await killed.ended
      const server = await start({ ...settings, adminKey: undefined, demo: true })
      // The first one's may be shown and not yet noted as shown; then the next start makes another, and ends that one.
      const shown = server.output().includes('Admin API key') ? server.output() : killed.output()
      const key = /docent_[0-9A-Za-z]{43}/.exec(shown)?.[0]
      // On a shared database another node may be showing the key, so a start does not replace one it did not make.
      if (!isPostgres) expect(key).toBeDefined()
      if (key) {
        const answer = await server.fetch('/v1/projects', { key })
        const { projects } = (await answer.json()) as { projects: { name: string }[] }
        expect(projects.map(({ name }) => name)).toEqual(['Demo'])
      }
    },
  )
})

describe('beside a server that runs', () => {
  let own: TestDatabase
  let first: ServerProcess
  beforeAll(async () => {
    own = await createTestDatabase()
    first = await startServerProcess(own.settings)
  })
  afterAll(async () => {
    await first.end('SIGKILL')
    await own.delete()
  })

  test('a second one on the same data folder refuses, names the first, and harms nothing', async () => {
    const second = await runDocent(['serve'], { ...own.settings, secret, port: await freePort() })
    expect(second.code).toBe(5)
    expect(second.output).toContain('Another Docent server is running on the data folder')
    expect(second.output).toContain(`process ${first.child.pid}`)
    expect(second.output).not.toContain('at ')
    expect((await first.fetch('/readyz')).status).toBe(200)
  })

  test('one for its port has a clear message, and its data folder is free again afterwards', async () => {
    const { settings } = await database()
    const port = Number(new URL(first.url).port)
    const second = await runDocent(['serve'], { ...settings, secret, port })
    expect(second.code).toBe(6)
    expect(second.output).toContain(`Port ${port} on 127.0.0.1 is taken`)
    await start(settings)
  })

  test('everything in its data folder is for its owner alone', async () => {
    const mode = async (name: string) => ((await stat(join(own.settings.data, name))).mode & 0o777).toString(8)
    expect(await mode('.')).toBe('700')
    expect(await mode('docent.sock')).toBe('600')
    expect(await mode('server.json')).toBe('600')
  })

  test('docent doctor finds nothing wrong, and names a taken port where the server has another folder', async () => {
    const port = new URL(first.url).port
    const well = await runDocent(['doctor', '--json'], { ...own.settings, port })
    expect(well.code, well.output).toBe(0)
    expect(JSON.parse(well.stdout)).toMatchObject({ ok: true })
    const ill = await runDocent(['doctor'], { data: '/tmp/docent-none', port })
    expect(ill).toMatchObject({ code: 1, stdout: expect.stringContaining('EADDRINUSE') })
  })

  test.runIf(isPostgres)('a node with another secret is refused', async () => {
    const data = await mkdtemp(join(tmpdir(), 'docent-node-'))
    const other = await runDocent(['serve'], { ...own.settings, data, secret: 'x'.repeat(40), port: await freePort() })
    await rm(data, { recursive: true, force: true })
    expect(other.code).toBe(5)
    expect(other.output).toContain('another secret')
  })
})

test('a wrong setting stops the start with what was expected, found and where', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docent-config-'))
  await writeFile(join(folder, 'docent.yaml'), 'host: 127.0.0.1\nprot: 80\n')
  const { code, output } = await runDocent(['serve'], { port: 'http', config: join(folder, 'docent.yaml') })
  await rm(folder, { recursive: true })
  expect(code).toBe(2)
  expect(output).toContain('DOCENT_PORT: expected a whole number from 1 to 65535, found "http".')
  expect(output).toMatch(/docent\.yaml line 2: there is no setting "prot"\. Did you mean port\?/)
})

describe('stopping', () => {
  test('a signal during the start is followed by a clean stop', async () => {
    const { settings } = await database()
    const starting = spawnDocent(['serve'], { ...settings, secret, port: await freePort() })
    // Listening for signals is the first thing it does, the lock one of the next.
    while (!existsSync(join(settings.data, 'server.lock'))) await sleep(10)
    starting.child.kill('SIGTERM')
    expect(await starting.ended).toBe(0)
    expect(starting.output()).toContain('server.stopped')
  })

  test('SIGTERM lets a running request finish, takes no new ones, and ends with 0', async () => {
    const { settings } = await database()
    const server = await start(settings)
    const body = JSON.stringify({ name: 'Sent while stopping' })
    const upload = request(`${server.url}/v1/projects`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${testAdminKey}`,
        'content-type': 'application/json',
        'content-length': body.length,
      },
    })
    upload.write(body.slice(0, 5))
    await sleep(300)
    const ended = server.end('SIGTERM')
    await sleep(300)
    await expect(server.fetch('/healthz')).rejects.toThrow()
    upload.end(body.slice(5))
    const [response] = await once(upload, 'response')
    expect(response.statusCode).toBe(201)
    response.resume()
    expect(await ended).toBe(0)
    const again = await start(settings)
    const { projects } = (await (await again.fetch('/v1/projects')).json()) as { projects: { name: string }[] }
    expect(projects.map(({ name }) => name)).toEqual(['Sent while stopping'])
  })

  test('requests that never end, over the network and over the socket, are cut when the time is up', async () => {
    const { settings } = await database()
    const server = await start({ ...settings, shutdownTimeoutSeconds: 5 })
    const headers = { authorization: `Bearer ${testAdminKey}`, 'content-type': 'application/json' }
    const path = '/v1/projects'
    const uploads = [
      request(`${server.url}${path}`, { method: 'POST', headers }),
      request({ socketPath: join(settings.data, 'docent.sock'), path, method: 'POST', headers }),
    ]
    for (const upload of uploads) {
      upload.on('error', () => {})
      upload.write('{')
    }
    await sleep(300)
    const stoppedAt = performance.now()
    expect(await server.end('SIGTERM')).toBe(0)
    // The time is for all of it together, not for each step; pg-boss takes a second of its own when it is up.
    expect(performance.now() - stoppedAt).toBeLessThan(2 * 5_000)
  })
})

test('kill -9 while writing loses no acknowledged write, and the next start is clean', async () => {
  const { settings } = await database()
  const acknowledged: string[] = []
  for (let round = 0; round < 4; round++) {
    const server = await start(settings)
    const { projects } = (await (await server.fetch('/v1/projects?limit=250')).json()) as { projects: { id: string }[] }
    const ids = new Set(projects.map(({ id }) => id))
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([])
    let isAlive = true
    const write = async () => {
      while (isAlive) {
        const options = { method: 'POST', headers: { 'content-type': 'application/json' } }
        const source = { provider: 'github', repository: 'acme/docs' }
        const answer = await server.fetch('/v1/projects', {
          ...options,
          body: JSON.stringify({ name: 'Written', source }),
        })
        if (answer.status === 201) acknowledged.push(((await answer.json()) as { id: string }).id)
      }
    }
    const writers = [write(), write(), write()].map((writer) => writer.catch(() => {}))
    await sleep(150 + round * 130)
    await server.end('SIGKILL')
    isAlive = false
    await Promise.all(writers)
  }
  expect(acknowledged.length).toBeGreaterThan(5)
}, 120_000)

describe.runIf(isPostgres)('several nodes on one PostgreSQL', () => {
  test('can all start at once on an empty database, and one of them makes the first key and project', async () => {
    const { settings } = await database({ empty: true })
    const folders = await Promise.all([1, 2, 3].map(() => mkdtemp(join(tmpdir(), 'docent-node-'))))
    const nodes = await Promise.all(
      folders.map((data) => start({ ...settings, data, adminKey: undefined, demo: true })),
    )
    const keys = nodes.flatMap((node) => /docent_[0-9A-Za-z]{43}/.exec(node.output())?.[0] ?? [])
    expect(keys).toHaveLength(1)
    for (const node of nodes) {
      const { projects } = (await (await node.fetch('/v1/projects', { key: keys[0]! })).json()) as {
        projects: object[]
      }
      expect(projects).toHaveLength(1)
    }
    // A node writes to its folder until it has ended.
    for (const node of nodes) await node.end('SIGKILL')
    for (const data of folders) await rm(data, { recursive: true, force: true })
  }, 120_000)

  test('a worker of its own does background work, and stops on SIGTERM', async () => {
    const { settings } = await database()
    const worker = spawnDocent(['worker'], { ...settings, secret })
    while (!worker.output().includes('worker.ready')) await sleep(50)
    worker.child.kill('SIGTERM')
    expect(await worker.ended).toBe(0)
  })
})

test('a worker without PostgreSQL says that it needs one', async () => {
  const { code, output } = await runDocent(['worker'], {})
  expect(code).toBe(2)
  expect(output).toContain('DOCENT_DATABASE_URL')
})
