import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { type ImportedFile, importCommit, plainGit } from './git-history.ts'
import { startGitHubServer } from './hosts/github-server.ts'
import type { VendorServer } from './hosts/vendor-server.ts'
import { startOpenAiServer } from './models/openai-server.ts'
import type { ModelServer, Script } from './models/scripted-server.ts'
import { createTestApp, type TestApp } from './test-app.ts'
import { testAdminKey, testSecret } from './test-config.ts'

export type HostName = 'builtin' | 'github'

/** A project whose repository anybody may have written. */
export interface HostileProject {
  id: string
  slug: string
  gitDir: string
  base: string
  vendor: VendorServer | null
  /** Of the job that was created last. */
  jobId: string | null
  git(...args: string[]): string
  /** Paths that the job's branch changed. */
  changed(job: Job): string[]
}

// biome-ignore lint/suspicious/noExplicitAny: a job as the API gives it.
export type Job = any

export interface HostileStage {
  app: TestApp
  /** Whatever runs makes a file in here: `touch ${canary}/x`. */
  canary: string
  /** A folder for what a test builds. */
  scratch: string
  model: ModelServer
  /** What the model answers from now on. */
  play(script: Script): void
  open(host: HostName, files: Iterable<ImportedFile>, options?: OpenOptions): Promise<HostileProject>
  /** Lets a job come to its end, and sees to it that nothing ran, leaked, hung or stayed behind. */
  run(project: HostileProject, prompt: string): Promise<Job>
  close(): Promise<void>
}

export interface OpenOptions {
  docsPath?: string
  ref?: string
  model?: string
  branch?: string
  message?: string
  author?: string
}

export const secrets = {
  adminKey: testAdminKey,
  secret: testSecret,
  modelKey: 'key-of-the-model-that-must-not-leak',
  token: 'token-of-the-vendor-that-must-not-leak',
  environment: 'value-of-the-environment-that-must-not-leak',
}

// Far above what any of these takes on a busy machine, far below what a person would call hanging.
const mostJobMs = 60_000
const mostWaitMs = 10_000
/** What a data folder has, whatever repositories hold. */
const dataNames = new Set(['pg', 'git', 'mirrors', 'sites', 'secret.key', 'server.lock', 'docent.sock'])

export async function openHostileStage(): Promise<HostileStage> {
  const canary = mkdtempSync(join(tmpdir(), 'docent-canary-'))
  const scratch = mkdtempSync(join(tmpdir(), 'docent-hostile-'))
  let script: Script = []
  let from = 0
  const model = await startOpenAiServer((request, index) => {
    return (typeof script === 'function' ? script(request, index - from) : script[index - from]) ?? { status: 418 }
  })
  const settings = { modelBaseUrl: model.url, modelApiKey: secrets.modelKey, agentJobsPerHour: 1000 }
  const app = await createTestApp({ worker: true, settings })
  const { data } = app.services.config
  const vendors: VendorServer[] = []
  let count = 0

  return {
    app,
    canary,
    scratch,
    model,
    play(next) {
      script = next
      from = model.requests.length
    },

    async open(host, files, { docsPath, ref, model: modelId, branch, message, author } = {}) {
      const vendor = host === 'github' ? await startGitHubServer({ token: secrets.token }) : null
      if (vendor) vendors.push(vendor)
      const source = vendor
        ? { provider: 'github', repository: vendor.repositoryUrl, apiUrl: vendor.apiUrl, token: vendor.token }
        : { provider: 'builtin' }
      const chosen = { ...(docsPath === undefined ? {} : { docsPath }), ...(ref === undefined ? {} : { ref }) }
      const body = { name: `Hostile ${count++}`, source: { ...source, ...chosen }, ...(modelId && { model: modelId }) }
      const answer = await app.call('POST', '/v1/projects', { body })
      expect(answer.status, answer.text).toBe(201)
      const { id, slug } = answer.body
      const gitDir = vendor ? vendor.repository.gitDir : join(data, 'git', `${id}.git`)
      const base = branch ?? vendor?.repository.defaultBranch ?? 'main'
      importCommit(gitDir, base, { files, ...(message && { message }), ...(author && { author }) })
      const git = (...args: string[]) => plainGit(gitDir, ['--no-replace-objects', ...args])
      const changed = (job: Job) => {
        const args = [
          '--git-dir',
          gitDir,
          '--no-replace-objects',
          'diff-tree',
          '-r',
          '-z',
          '--name-only',
          base,
          job.branch,
        ]
        return execFileSync('git', args, { encoding: 'utf8' }).split('\0').filter(Boolean)
      }
      return { id, slug, gitDir, base, vendor, jobId: null, git, changed }
    },

    async run(project, prompt) {
      const asked = model.requests.length
      const { status, body } = await app.call('POST', `/v2/agent/${project.id}/job`, { body: { prompt } })
      expect(status).toBe(201)
      project.jobId = body.id
      const started = performance.now()
      let job: Job = body
      let longestMs = 0
      while (job.status === 'active') {
        await sleep(20)
        const before = performance.now()
        job = (await app.call('GET', `/v2/agent/${project.id}/job/${body.id}`)).body
        longestMs = Math.max(longestMs, performance.now() - before)
        expect(performance.now() - started, 'the job takes too long').toBeLessThan(mostJobMs)
      }
      expect(longestMs, 'the server does not answer').toBeLessThan(mostWaitMs)
      expect(['completed', 'failed']).toContain(job.status)
      if (job.status === 'failed') {
        expect(job.error.code).toMatch(/^[a-z]+\.[a-z_]+$/)
        expect(job.error.code, 'nobody foresaw this').not.toMatch(/^(server\.internal|git\.failed|job\.worker_died)$/)
      }
      await expectHarmless(project, job, asked)
      return job
    },

    async close() {
      await app.close()
      await model[Symbol.asyncDispose]()
      for (const vendor of vendors) await vendor[Symbol.asyncDispose]()
      for (const folder of [canary, scratch]) rmSync(folder, { recursive: true, force: true })
    },
  }

  async function expectHarmless(project: HostileProject, job: Job, asked: number): Promise<void> {
    expect(readdirSync(canary), 'something of the repository ran').toEqual([])

    const events = await app.call('GET', `/v2/agent/${project.id}/job/${job.id}/events`)
    const requests = model.requests.slice(asked).map(({ text }) => text)
    const { vendor } = project
    const pulls = vendor ? vendor.repository.pullRequests.map(({ title, body }) => `${title}\n${body}`) : []
    if (job.prLink && !vendor) pulls.push((await app.call('GET', new URL(job.prLink).pathname)).text)
    const commits = job.prLink
      ? [project.git('log', '--format=%an %ae %cn %ce %B', `${project.base}..${job.branch}`)]
      : []
    const told = [JSON.stringify(job), events.text, ...requests, ...pulls, ...commits].join('\n')
    for (const [name, secret] of Object.entries(secrets)) {
      expect(told.includes(secret), `the ${name} is told`).toBe(false)
      expect(app.logged.join('').includes(secret), `the ${name} is logged`).toBe(false)
    }
    expect(told, 'a file of the machine is told').not.toMatch(/root:[x*]?:0:0|daemon:/)
    expect(told.includes(data) || told.includes(process.cwd()), 'a path of the machine is told').toBe(false)
    // A terminal obeys these, and the last is not storable.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    expect(events.text, 'an event holds control characters').not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)

    expect(readdirSync(data).filter((name) => !dataNames.has(name) && !name.startsWith('server.lock'))).toEqual([])
    const left = execFileSync('find', [data, '-path', join(data, 'pg'), '-prune', '-o', '-print'], { encoding: 'utf8' })
    expect(
      left
        .split('\n')
        .filter(
          (path) => /(\.lock|\.new|\.index|tmp_|tmp-|\.mdx?)$/.test(path) && !/(server|\.sqlite)\.lock$/.test(path),
        ),
    ).toEqual([])
  }
}
