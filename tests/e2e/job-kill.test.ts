import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { type ServerProcess, spawnDocent, startServerProcess } from '#tests/harness/server-process.ts'
import { createStallingGit, type StallingGit } from '#tests/harness/stalling-git.ts'
import { testAdminKey, testSecret } from '#tests/harness/test-config.ts'
import { createTestDatabase, type TestDatabase } from '#tests/harness/test-database.ts'

/** Calls of git that change nothing. */
const readers = new Set(['symbolic-ref', 'for-each-ref', 'ls-tree', 'cat-file', 'rev-parse', 'diff-tree'])

const prompt = 'set title to "Killed and alive" in index'

const realGit = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()

let git: StallingGit
let database: TestDatabase
let server: ServerProcess
beforeAll(async () => {
  git = createStallingGit()
})
afterAll(() => git.delete())
beforeEach(async () => {
  vi.stubEnv('PATH', `${git.bin}:${process.env.PATH}`)
  database = await createTestDatabase()
})
afterEach(async () => {
  vi.unstubAllEnvs()
  git.goOn()
  await server?.end('SIGKILL')
  await database.delete()
  git.reset()
})

const start = () => startServerProcess({ ...database.settings, shutdownTimeoutSeconds: 2 })

interface Project {
  id: string
  gitDir: string
}

async function newProject(): Promise<Project> {
  const response = await post('/v1/projects', { name: 'Killed' })
  const { id } = (await response.json()) as { id: string }
  return { id, gitDir: join(database.settings.data, 'git', `${id}.git`) }
}

function post(path: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return server.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function createJob(project: Project): Promise<string> {
  const response = await post(`/v2/agent/${project.id}/job`, { prompt })
  expect(response.status).toBe(201)
  return ((await response.json()) as { id: string }).id
}

// biome-ignore lint/suspicious/noExplicitAny: a job as the API gives it.
async function ended(project: Project, id: string): Promise<any> {
  for (const until = Date.now() + 60_000; ; ) {
    const response = await server.fetch(`/v2/agent/${project.id}/job/${id}`)
    const job = (await response.json()) as { status: string }
    if (job.status !== 'active') return job
    if (Date.now() > until) throw new Error(`The job did not end: ${server.output()}`)
    await sleep(50)
  }
}

/** What git itself says of the repository, past the script that can stop. */
function inRepository({ gitDir }: Project, ...args: string[]): string {
  return execFileSync(realGit, ['-C', gitDir, ...args], { encoding: 'utf8' }).trim()
}

/** One commit, one pull request, and nothing lying about. */
// biome-ignore lint/suspicious/noExplicitAny: a job as the API gives it.
async function expectWhole(project: Project, job: any): Promise<void> {
  expect(job, server.output()).toMatchObject({ status: 'completed', error: null, branch: `docent/${job.id}` })
  expect(inRepository(project, 'rev-list', '--count', `main..${job.branch}`)).toBe('1')
  expect(inRepository(project, 'diff', '--name-only', 'main', job.branch)).toBe('index.mdx')
  expect(inRepository(project, 'for-each-ref', '--format=%(refname)', 'refs/heads').split('\n')).toHaveLength(2)
  expect(job.prLink).toMatch(/\/pulls\/1$/)
  const second = await server.fetch(job.prLink.replace(/.*(\/git\/)/, '$1').replace(/1$/, '2'))
  expect(second.status).toBe(404)
  inRepository(project, 'fsck', '--strict', '--no-dangling')
  const left = readdirSync(database.settings.data, { recursive: true, encoding: 'utf8' })
  expect(
    left.filter((path) => /(\.lock|\.new|\.index|tmp_|tmp-|workspace)/.test(path) && path !== 'server.lock'),
  ).toEqual([])
}

describe('kill -9 of the server', () => {
  // Counted once: which calls of git a job makes, each of which is a moment to die at.
  let calls: string[] = []
  test('at no time gives the same as what comes after', async () => {
    server = await start()
    const project = await newProject()
    git.reset()
    await expectWhole(project, await ended(project, await createJob(project)))
    calls = git.calls()
    expect(calls.length).toBeGreaterThan(3)
    expect(calls.length).toBeLessThan(20)
  })

  test('before and after each call of git: the job ends once the server is back, with one commit and one pull request', async () => {
    server = await start()
    for (const [index, name] of calls.entries()) {
      for (const when of ['before', 'after'] as const) {
        // On a database that several share, the dead one's heartbeat must be missed first; a few times are enough.
        if (inject('engine') === 'postgres' && (index !== calls.length - 1 || when === 'before')) continue
        // What only reads has done nothing yet when it ends; and this one lives until the job is over.
        if (when === 'after' && readers.has(name)) continue
        const project = await newProject()
        git.stallAt(index + 1, when)
        const id = await createJob(project)
        const stalled = await git.reached()
        await server.end('SIGKILL')
        // git outlives the server for a moment, and what it was told to do is done late.
        git.goOn()
        await untilGone(stalled)
        git.reset()
        server = await start()
        await expectWhole(project, await ended(project, id)).catch((error) => {
          throw new Error(`${when} call ${index + 1}, git ${name}: ${error.message}`, { cause: error })
        })
      }
    }
  }, 300_000)

  test('at any other moment: the same', async () => {
    server = await start()
    const moments = inject('engine') === 'postgres' ? [60] : [0, 40, 100, 200]
    for (const delayMs of moments) {
      const project = await newProject()
      const id = await createJob(project)
      await sleep(delayMs)
      await server.end('SIGKILL')
      server = await start()
      await expectWhole(project, await ended(project, id)).catch((error) => {
        throw new Error(`after ${delayMs} ms: ${error.message}`, { cause: error })
      })
    }
  }, 300_000)
})

describe.runIf(inject('engine') === 'pglite')('kill -9 of git (which knows no database)', () => {
  test('at each of its calls is a passing fault: the job is tried again and ends well', async () => {
    server = await start()
    const probe = await newProject()
    git.reset()
    await ended(probe, await createJob(probe))
    const calls = git.calls()
    for (const [index, name] of calls.entries()) {
      const project = await newProject()
      git.stallAt(index + 1, 'before')
      const id = await createJob(project)
      process.kill(-groupOf(await git.reached()), 'SIGKILL')
      git.goOn()
      await expectWhole(project, await ended(project, id)).catch((error) => {
        throw new Error(`call ${index + 1}, git ${name}: ${error.message}`, { cause: error })
      })
      git.reset()
    }
  }, 300_000)
})

describe('SIGTERM', () => {
  test('hands the job back, and the next server goes on with it', async () => {
    server = await start()
    const project = await newProject()
    git.stallAt(2, 'before')
    const id = await createJob(project)
    await git.reached()
    const code = await server.end('SIGTERM')
    expect(code).toBe(0)
    git.goOn()
    git.reset()
    server = await start()
    await expectWhole(project, await ended(project, id))
  })
})

describe.runIf(inject('engine') === 'postgres')('several workers (an embedded database has one process)', () => {
  test('a killed worker’s job is with another one within 30 seconds', async () => {
    server = await start()
    const project = await newProject()
    git.stallAt(2, 'before')
    const id = await createJob(project)
    const stalled = await git.reached()
    // The server has the job; a worker comes, and then the server dies.
    const worker = spawnDocent(['worker'], {
      ...database.settings,
      adminKey: testAdminKey,
      secret: testSecret,
      demo: false,
    })
    while (!worker.output().includes('ready')) await sleep(50)
    await server.end('SIGKILL')
    const diedAt = Date.now()
    process.kill(-groupOf(stalled), 'SIGKILL')
    git.goOn()
    while (!worker.output().includes(id)) await sleep(50)
    // The time that counts is until another has it; how long it then takes is the machine's.
    expect(Date.now() - diedAt).toBeLessThan(30_000)
    server = await start()
    await expectWhole(project, await ended(project, id))
    expect(worker.output()).toContain('job.done')
    worker.child.kill('SIGTERM')
    expect(await worker.ended).toBe(0)
  }, 120_000)
})

async function untilGone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
    await sleep(10)
  }
}

/** git runs in a group of its own, with everything it starts. */
function groupOf(pid: number): number {
  // After the name, which stands in brackets: state, parent, group.
  return Number(
    readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')[2],
  )
}
