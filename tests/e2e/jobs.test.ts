import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openBrowser } from '#tests/harness/browser.ts'
import { endedJob } from '#tests/harness/ended-job.ts'
import { startOpenAiServer } from '#tests/harness/models/openai-server.ts'
import type { ModelServer } from '#tests/harness/models/scripted-server.ts'
import { startReceiver } from '#tests/harness/receiver.ts'
import { runDocent, type ServerProcess, spawnDocent, startServerProcess } from '#tests/harness/server-process.ts'
import { chromiumPath } from '#tests/harness/system-programs.ts'
import { testAdminKey } from '#tests/harness/test-config.ts'
import { createTestDatabase, type TestDatabase } from '#tests/harness/test-database.ts'
import { until } from '#tests/harness/until.ts'

/** Whole journeys through a real server, as its users make them. */
let database: TestDatabase
let model: ModelServer
let server: ServerProcess
let isModelAway = false

beforeAll(async () => {
  database = await createTestDatabase()
  // Writes a page, then is done; while it is away, whoever asks for the second answer waits.
  model = await startOpenAiServer(({ body }) => {
    const turn = body.messages.filter(({ role }: { role: string }) => role === 'assistant').length
    if (turn === 0) return { calls: [{ name: 'write', input: { path: 'faq.mdx', content: '---\ntitle: FAQ\n---\n' } }] }
    if (isModelAway) return { hang: true }
    return { calls: [{ name: 'finish', input: { title: 'Add a FAQ', summary: 'A page.' } }] }
  })
  server = await start()
})
afterAll(async () => {
  await server?.end('SIGTERM')
  await model?.[Symbol.asyncDispose]()
  await database?.delete()
})

const start = () =>
  startServerProcess({ ...database.settings, webhookAllowPrivate: true, modelBaseUrl: model.url, modelApiKey: 'x' })

interface Project {
  id: string
  slug: string
}

// biome-ignore lint/suspicious/noExplicitAny: answers have many shapes.
async function call(method: string, path: string, body?: object): Promise<any> {
  const content = body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}
  const response = await server.fetch(path, { method, ...content })
  expect(response.status, path).toBeLessThan(300)
  return await response.json()
}

let count = 0
const createProject = (settings: object = {}): Promise<Project> =>
  call('POST', '/v1/projects', { name: `Journey ${++count}`, ...settings })
const createModelProject = () => createProject({ model: 'openai-compatible/test' })
const createJob = (project: Project, prompt: string) => call('POST', `/v2/agent/${project.id}/job`, { prompt })
const jobOf = (project: Project, id: string) => call('GET', `/v2/agent/${project.id}/job/${id}`)
const ended = (project: Project, id: string) => endedJob(() => jobOf(project, id))

/** git as people have it, with a key as the password. */
async function git(args: string[], { key = testAdminKey } = {}): Promise<string> {
  const header = `Authorization: Basic ${Buffer.from(`me:${key}`).toString('base64')}`
  const options = ['-c', `http.extraHeader=${header}`, '-c', 'user.name=Ann', '-c', 'user.email=ann@example.com']
  const env = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0', HOME: '/nonexistent' }
  const { stdout } = await promisify(execFile)('git', [...options, ...args], { env })
  return stdout.trim()
}

const repositoryOf = ({ slug }: Project) => `${server.url}/git/${slug}.git`

async function clone(project: Project) {
  const folder = mkdtempSync(join(tmpdir(), 'docent-clone-'))
  await git(['clone', '-q', repositoryOf(project), folder])
  return {
    read: (path: string) => readFileSync(join(folder, path), 'utf8'),
    in: (...args: string[]) => git(['-C', folder, ...args]),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

// Needs Chromium; what a browser shows does not depend on the database, so once is enough.
test.runIf(chromiumPath !== null && inject('engine') === 'pglite')(
  'a prompt becomes a pull request that a person reads and merges in a browser, and a follow-up the next one',
  async () => {
    const project = await createProject()
    using before = await clone(project)
    const { id } = await createJob(project, 'replace "first page" with "front page" in index')
    const job = await ended(project, id)
    expect(job).toMatchObject({ status: 'completed', prLink: `${server.url}/git/${project.slug}/pulls/1` })

    const browser = await openBrowser(chromiumPath!)
    try {
      const page = await browser.newPage({ httpCredentials: { username: 'me', password: testAdminKey } })
      await page.goto(job.prLink)
      expect(await page.locator('tr.deleted .line').textContent()).toContain('This is the first page of')
      expect(await page.locator('tr.added .line').textContent()).toContain('This is the front page of')
      await page.getByRole('button', { name: 'Merge into main' }).click()
      await page.getByText('merged', { exact: true }).waitFor()
    } finally {
      await browser.close()
    }
    using after = await clone(project)
    expect(after.read('index.mdx')).toBe(before.read('index.mdx').replace('first page', 'front page'))
    expect(await after.in('diff', '--name-only', await before.in('rev-parse', 'HEAD'))).toBe('index.mdx')

    await call('POST', `/v2/agent/${project.id}/job/${id}/message`, { prompt: 'set title to "Front" in index' })
    const followed = await ended(project, id)
    expect(followed).toMatchObject({ prLink: job.prLink.replace(/1$/, '2'), branch: `${job.branch}-2` })
  },
)

test('a person’s own push and a job’s changes meet: the follow-up builds on both, in the same pull request', async () => {
  const project = await createProject()
  const { id } = await createJob(project, 'add page faq titled "FAQ"')
  const { prLink, branch } = await ended(project, id)
  using mine = await clone(project)
  await mine.in('switch', '-q', branch)
  await mine.in('mv', 'faq.mdx', 'questions.mdx')
  await mine.in('commit', '-qm', 'Call it questions')
  await mine.in('push', '-q')
  await call('POST', `/v2/agent/${project.id}/job/${id}/message`, { prompt: 'set title to "Questions" in questions' })
  expect(await ended(project, id)).toMatchObject({ status: 'completed', prLink, branch })
  await mine.in('pull', '-q')
  expect(mine.read('questions.mdx')).toContain('title: Questions')
  expect(await mine.in('rev-list', '--count', `origin/main..${branch}`)).toBe('3')
})

describe.runIf(inject('engine') === 'pglite')('docent job (which asks the server, and knows no database)', () => {
  const local = (...args: string[]) => runDocent(args, { data: database.settings.data })
  const remote = (...args: string[]) => runDocent(args, { url: server.url, apiKey: testAdminKey, data: '/nonexistent' })

  test('creates, watches, lists, shows, goes on with and archives a job', async () => {
    const { slug } = await createProject()
    const options = ['--project', slug]
    const prompt = 'rename page quickstart to start'
    const watched = await local('job', 'create', ...options, '--prompt', prompt, '--watch')
    expect(watched.code).toBe(0)
    expect(watched.output).toMatch(/Waiting for a worker\n[\s\S]*moved 1 file[\s\S]*✓ Pull request http/)
    const [id = ''] = /job_\w+/.exec(watched.stdout) ?? []
    const link = `${server.url}/git/${slug}/pulls/1`
    expect(watched.stdout).toContain(`pull request  ${link}\n`)

    expect((await remote('job', 'list', ...options)).stdout).toMatch(new RegExp(`^${id} +completed .*${link}$`, 'm'))
    const { stdout } = await remote('job', 'show', id, ...options, '--json')
    expect(JSON.parse(stdout)).toMatchObject({ id, status: 'completed', prLink: link })

    const more = await remote('job', 'message', id, ...options, '--prompt', 'write a poem', '--watch')
    expect(more.code).toBe(1)
    // Only what is new.
    expect(more.output).toMatch(/^Job job_\w+ with builtin\/editor\n +0\.0 s {2}· Follow-up waits/)
    expect(more.stdout).toContain('(editor.not_understood)')
    expect(await local('job', 'archive', id, ...options)).toMatchObject({ code: 0, stdout: `Archived ${id}.\n` })
    expect(await local('job', 'message', id, ...options, '--prompt', 'x')).toMatchObject({ code: 5 })
  })

  test('lets go of a job at Ctrl-C, which goes on', async () => {
    const project = await createModelProject()
    isModelAway = true
    const words = ['job', 'create', '--project', project.slug, '--prompt', 'Add a FAQ', '--watch']
    const watching = spawnDocent(words, { data: database.settings.data })
    await until(() => watching.output().includes('faq.mdx'))
    watching.child.kill('SIGINT')
    expect(await watching.ended).toBe(130)
    expect(watching.output()).toContain('The job goes on.')
    const [id = ''] = /job_\w+/.exec(watching.output()) ?? []
    expect(await jobOf(project, id)).toMatchObject({ status: 'active' })
    expect(await local('job', 'archive', id, '--project', project.slug)).toMatchObject({ code: 0 })
    isModelAway = false
  })

  test('shows nothing that would move the cursor', async () => {
    const project = await createProject()
    const job = await ended(project, (await createJob(project, 'set title to "x" in \u001b[2Jnowhere')).id)
    expect(job.error.message).toContain('\u001b')
    const shown = await local('job', 'watch', job.id, '--project', project.slug)
    expect(shown.output).toContain('[2Jnowhere')
    expect(shown.output).not.toContain('\u001b')
  })

  test.each([
    ['no prompt', ['create'], 2, 'Missing --prompt'],
    ['an empty prompt', ['create', '--prompt', ' '], 2, 'prompt: expected at least 1 character'],
    ['a status that there is not', ['list', '--status', 'done'], 2, 'status: expected one of "active"'],
    ['an unknown job', ['show', 'job_x'], 4, 'There is no such job.'],
  ])('says what is wrong with %s', async (_, words, code, message) => {
    const { slug } = await createProject()
    const result = await local('job', ...words, '--project', slug)
    expect(result).toMatchObject({ code, output: expect.stringContaining(message) })
  })

  test('asks which project when there are several, and finds one by id, slug or name', async () => {
    const { id, slug } = await createProject()
    await createProject()
    const unsaid = await local('job', 'list')
    expect(unsaid).toMatchObject({ code: 2, output: expect.stringContaining(slug) })
    for (const name of [id, slug, `journey ${slug.split('-')[1]}`]) {
      expect(await local('job', 'list', '--project', name)).toMatchObject({ code: 0 })
    }
    expect(await local('job', 'list', '--project', 'nobody')).toMatchObject({ code: 4 })
  })
})

interface SentEvent {
  id: number
  type: string
  text: string
}

/** Reads the events after one until the server ends the connection. */
async function readEvents(path: string, after: number, onEvent: (event: SentEvent) => void): Promise<number> {
  const response = await server.fetch(path, { headers: { 'last-event-id': String(after) } })
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString('utf8')
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const [, id, type, data] = /^id: (\d+)\nevent: (\w+)\ndata: (.+)$/.exec(text.slice(0, end)) ?? []
      if (data !== undefined) onEvent({ id: Number(id), type: type!, text: JSON.parse(data).text })
      text = text.slice(end + 2)
    }
  }
  return response.status
}

test('a server that restarts in the middle of a job goes on with it where it began, and watchers miss nothing', async () => {
  const project = await createModelProject()
  isModelAway = true
  const { id } = await createJob(project, 'Add a FAQ')
  const path = `/v2/agent/${project.id}/job/${id}/events`
  const events: SentEvent[] = []
  const reading = readEvents(path, 0, (event) => events.push(event))
  await until(() => events.some(({ type }) => type === 'tool'))
  // A change of the project in between is for later jobs.
  await call('PATCH', `/v1/projects/${project.id}`, { source: { docsPath: 'guides' } })
  expect(await server.end('SIGTERM')).toBe(0)
  expect(await reading).toBe(200)
  isModelAway = false
  server = await start()
  await readEvents(path, events.length, (event) => events.push(event))
  expect(events.map((event) => event.id)).toEqual(events.map((_, index) => index + 1))
  expect(events.at(-1)).toMatchObject({ type: 'completed' })
  expect(events.filter(({ text }) => text === 'Created faq.mdx')).toHaveLength(1)
  expect(await readEvents(path, events.length, () => {})).toBe(204)

  const { branch, status } = await jobOf(project, id)
  expect(status).toBe('completed')
  using work = await clone(project)
  expect(await work.in('diff', '--name-only', `origin/main..origin/${branch}`)).toBe('faq.mdx')
})

test('a webhook tells of a job that is done, signed, with the job as the API has it', async () => {
  const project = await createProject()
  const receiver = await startReceiver()
  const options = { url: receiver.url, events: ['job.completed'] }
  const { secret } = await call('POST', `/v1/projects/${project.id}/webhooks`, options)
  const failed = await createJob(project, 'write a poem')
  const { id } = await createJob(project, 'set title to "Hello" in index')
  await ended(project, failed.id)
  const job = await ended(project, id)
  await until(() => receiver.received.length > 0)
  const { body, headers } = receiver.received[0]!
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'job.completed', data: job })
  expect(receiver.received).toHaveLength(1)
  await receiver.close()
})

test('a project can be deleted while a job of it runs: nothing is left, and nothing fails', async () => {
  const project = await createModelProject()
  isModelAway = true
  const { id } = await createJob(project, 'Add a FAQ')
  const events: SentEvent[] = []
  const reading = readEvents(`/v2/agent/${project.id}/job/${id}/events`, 0, (event) => events.push(event))
  await until(() => events.some(({ type }) => type === 'tool'))
  expect((await server.fetch(`/v1/projects/${project.id}`, { method: 'DELETE' })).status).toBe(204)
  await reading
  isModelAway = false
  expect((await server.fetch(`/v2/agent/${project.id}/job/${id}`)).status).toBe(404)
  await expect(git(['ls-remote', repositoryOf(project)])).rejects.toThrow('not found')
  expect(server.output()).not.toMatch(/"level":"(error|fatal)"/)
})

test('another organization finds nothing of a project, on any route', async () => {
  const project = await createProject()
  const job = await ended(project, (await createJob(project, 'set title to "Ours" in index')).id)
  const { id: webhookId } = await call('POST', `/v1/projects/${project.id}/webhooks`, { url: 'https://example.com' })
  const { stdout } = await runDocent(['org', 'create', '--name', 'Others', '--json'], { data: database.settings.data })
  const words = ['key', 'create', '--name', 'theirs', '--org', JSON.parse(stdout).slug, '--json']
  const { key } = JSON.parse((await runDocent(words, { data: database.settings.data })).stdout)

  const jobPath = `/v2/agent/${project.id}/job`
  const hooksPath = `/v1/projects/${project.id}/webhooks`
  const json = { 'content-type': 'application/json' }
  const prompt = { body: JSON.stringify({ prompt: 'replace "a" with "b"' }), headers: json }
  const routes: [method: string, path: string, init?: RequestInit][] = [
    ['POST', jobPath, prompt],
    ['GET', `${jobPath}s`],
    ['GET', `${jobPath}/${job.id}`],
    ['GET', `${jobPath}/${job.id}/events`],
    ['POST', `${jobPath}/${job.id}/message`, prompt],
    ['POST', `${jobPath}/${job.id}/archive`],
    ['GET', `/v1/projects/${project.id}/check`],
    ['POST', `/v1/projects/${project.id}/push-hook`],
    ['GET', hooksPath],
    ['POST', hooksPath, { body: '{"url":"https://example.com"}', headers: json }],
    ['GET', `${hooksPath}/${webhookId}`],
    ['PATCH', `${hooksPath}/${webhookId}`, { body: '{"enabled":false}', headers: json }],
    ['GET', `${hooksPath}/${webhookId}/deliveries`],
    ['POST', `${hooksPath}/${webhookId}/test`],
    ['DELETE', `${hooksPath}/${webhookId}`],
    ['GET', `/git/${project.slug}.git/info/refs?service=git-upload-pack`],
    ['GET', `/git/${project.slug}.git/info/refs?service=git-receive-pack`],
    ...['upload', 'receive'].map((service): [string, string, RequestInit] => {
      const headers = { 'content-type': `application/x-git-${service}-pack-request` }
      return ['POST', `/git/${project.slug}.git/git-${service}-pack`, { headers, body: '0000' }]
    }),
    ['POST', `/git/${project.slug}/pulls/1/merge`],
    ['POST', `/git/${project.slug}/pulls/1/close`],
  ]
  for (const [method, path, init] of routes) {
    const { status } = await server.fetch(path, { ...init, method, key })
    expect(status, `${method} ${path}`).toBe(404)
  }
  await expect(git(['ls-remote', repositoryOf(project)], { key })).rejects.toThrow('not found')
  // And nothing of it was done.
  expect(await jobOf(project, job.id)).toEqual(job)
  expect((await call('GET', `${jobPath}s`)).jobs).toHaveLength(1)
  expect(await call('GET', `${hooksPath}/${webhookId}`)).toMatchObject({ enabled: true })
})
