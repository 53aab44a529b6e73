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

// As many jobs at a time as there are moments to stop one at.
const start = () => startServerProcess({ ...database.settings, shutdownTimeoutSeconds: 2, agentConcurrency: 40 })

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

/** A job that git has stopped in, in a project of its own. */
interface StalledJob {
  project: Project
  id: string
  place: string
  /** The git that waits. */
  pid: number
}

/** Many at once: each costs the server a slot, and all of them together one death. */
async function stallJobs(moments: { call: number; when: 'before' | 'after'; name: string }[]): Promise<StalledJob[]> {
  return await Promise.all(
    moments.map(async ({ call, when, name }) => {
      const project = await newProject()
      const repository = git.on(project.gitDir)
      repository.stallAt(call, when)
      const id = await createJob(project)
      return { project, id, place: `${when} call ${call}, git ${name}`, pid: await repository.reached() }
    }),
  )
}

/** All of them end before any is looked at: what one that works has lying about is nobody's fault. */
async function expectAllWhole(jobs: Omit<StalledJob, 'pid'>[]): Promise<void> {
  const over = await Promise.all(jobs.map(async (job) => ({ ...job, job: await ended(job.project, job.id) })))
  for (const { project, job, place } of over) {
    await expectWhole(project, job).catch((error) => {
      throw new Error(`${place}: ${error.message}`, { cause: error })
    })
  }
}

// Counted once: which calls of git a job makes, each of which is a moment to die at.
let calls: string[] = []

describe('kill -9 of the server', () => {
  test('at no time gives the same as what comes after', async () => {
    server = await start()
    const project = await newProject()
    git.reset()
    await expectWhole(project, await ended(project, await createJob(project)))
    calls = git.on(project.gitDir).calls()
    expect(calls.length).toBeGreaterThan(3)
    expect(calls.length).toBeLessThan(20)
  })

  test('before and after each call of git: the job ends once the server is back, with one commit and one pull request', async () => {
    const moments = calls.flatMap((name, index) => [
      { call: index + 1, when: 'before' as const, name },
      // What only reads has done nothing yet when it ends; and this one lives until the job is over.
      ...(readers.has(name) ? [] : [{ call: index + 1, when: 'after' as const, name }]),
    ])
    expect(moments.length).toBeGreaterThan(calls.length)
    server = await start()
    const stalled = await stallJobs(moments)
    await server.end('SIGKILL')
    // git outlives the server for a moment, and what it was told to do is done late.
    git.goOn()
    for (const { pid } of stalled) await untilGone(pid)
    git.reset()
    server = await start()
    await expectAllWhole(stalled)
  }, 180_000)

  test('at any other moment: the same', async () => {
    server = await start()
    const jobs = []
    for (const pauseMs of [100, 60, 40, 0]) {
      const project = await newProject()
      jobs.push({ project, id: await createJob(project), place: `job ${jobs.length + 1}` })
      await sleep(pauseMs)
    }
    await server.end('SIGKILL')
    server = await start()
    await expectAllWhole(jobs)
  }, 180_000)
})

describe.runIf(inject('engine') === 'pglite')('kill -9 of git (which knows no database)', () => {
  test('at each of its calls is a passing fault: the job is tried again and ends well', async () => {
    expect(calls).not.toEqual([])
    server = await start()
    const stalled = await stallJobs(calls.map((name, index) => ({ call: index + 1, when: 'before', name })))
    for (const { pid } of stalled) process.kill(-groupOf(pid), 'SIGKILL')
    git.goOn()
    await expectAllWhole(stalled)
  }, 180_000)
})

describe('SIGTERM', () => {
  test('hands the job back, and the next server goes on with it', async () => {
    server = await start()
    const project = await newProject()
    const repository = git.on(project.gitDir)
    repository.stallAt(2, 'before')
    const id = await createJob(project)
    await repository.reached()
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
    const repository = git.on(project.gitDir)
    repository.stallAt(2, 'before')
    const id = await createJob(project)
    const stalled = await repository.reached()
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
  }, 180_000)
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
