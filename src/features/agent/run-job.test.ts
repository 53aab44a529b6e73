import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runGit } from '#infra/git/run-git.ts'
import { endedJob } from '#tests/harness/ended-job.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { until } from '#tests/harness/until.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ worker: true, settings: { agentJobsPerHour: 1000 } })
})
afterAll(() => app.close())

let count = 0
interface TestProject {
  id: string
  slug: string
  git(...args: string[]): Promise<string>
}

async function newProject(): Promise<TestProject> {
  const { body } = await app.call('POST', '/v1/projects', { body: { name: `Run ${count++}` } })
  const gitDir = `${app.services.config.data}/git/${body.id}.git`
  const git = async (...args: string[]) => (await runGit({ gitDir, args })).toString('utf8').trim()
  return { id: body.id, slug: body.slug, git }
}

async function create(project: TestProject, prompt: string) {
  const { status, body } = await app.call('POST', `/v2/agent/${project.id}/job`, { body: { prompt } })
  expect(status).toBe(201)
  return body
}

const ended = (project: TestProject, id: string) =>
  endedJob(async () => (await app.call('GET', `/v2/agent/${project.id}/job/${id}`)).body)

async function run(project: TestProject, prompt: string) {
  return await ended(project, (await create(project, prompt)).id)
}

async function followUp(project: TestProject, id: string, prompt: string) {
  const { status } = await app.call('POST', `/v2/agent/${project.id}/job/${id}/message`, { body: { prompt } })
  expect(status).toBe(200)
  return await ended(project, id)
}

describe('a job on the built-in host', () => {
  test('becomes one commit on a branch of its own and a pull request, and touches nothing else', async () => {
    const project = await newProject()
    const before = await project.git('rev-parse', 'main')
    const job = await run(project, 'add page guides/deploy titled "Deploy" with "How to deploy."')
    expect(job).toMatchObject({ status: 'completed', branch: `docent/${job.id}`, error: null })
    expect(job.prLink).toMatch(new RegExp(`/git/${project.slug}/pulls/1$`))
    expect(await project.git('rev-parse', 'main')).toBe(before)
    expect(await project.git('rev-parse', `${job.branch}^`)).toBe(before)
    const changed = await project.git('diff', '--name-only', 'main', job.branch)
    expect(changed.split('\n').sort()).toEqual(['docs.json', 'guides/deploy.mdx'])
    expect(await project.git('show', `${job.branch}:guides/deploy.mdx`)).toContain('How to deploy.')
  })

  test('with nothing to change is completed without a pull request or a branch', async () => {
    const project = await newProject()
    const job = await run(project, 'replace "nowhere to be found" with "x"')
    expect(job).toMatchObject({ status: 'completed', prLink: null, error: null })
    expect(await project.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main')
  })

  test('that is not understood fails, and says what would be', async () => {
    const project = await newProject()
    const job = await run(project, 'make it nicer')
    expect(job).toMatchObject({ status: 'failed', prLink: null, error: { code: 'editor.not_understood' } })
    expect(job.error.message).toMatch(/replace/)
    expect(job.error.message).toMatch(/DOCENT_MODEL/)
    // Nothing is wrong with the server.
    const lines = app.logged.filter((line) => line.includes(job.id) && line.includes('job.run_failed'))
    expect(lines).toEqual([expect.stringContaining('"level":"info"')])
  })

  test('of a project whose docs folder is not in the repository fails, and says what to change', async () => {
    const project = await newProject()
    await app.call('PATCH', `/v1/projects/${project.id}`, { body: { source: { docsPath: 'docs' } } })
    const job = await run(project, 'fix broken links')
    expect(job).toMatchObject({ status: 'failed', error: { code: 'job.docs_missing' } })
    expect(job.error.message).toMatch(/main has no folder docs.*docsPath/)
  })

  test('has events from waiting to the end, in order', async () => {
    const project = await newProject()
    const job = await run(project, 'set title to "Hello" in index')
    const { text } = await app.call('GET', `/v2/agent/${project.id}/job/${job.id}/events`)
    const types = [...text.matchAll(/^event: (.+)$/gm)].map(([, type]) => type!)
    const once = types.filter((type, index) => types.indexOf(type) === index)
    expect(once).toEqual(['queued', 'preparing', 'working', 'tool', 'check', 'publishing', 'completed'])
  })
})

describe('a follow-up', () => {
  test('lands on the same pull request, on top of what is there', async () => {
    const project = await newProject()
    const first = await run(project, 'set title to "One" in index')
    const head = await project.git('rev-parse', first.branch)
    const second = await followUp(project, first.id, 'set title to "Two" in quickstart')
    expect(second).toMatchObject({ status: 'completed', prLink: first.prLink, branch: first.branch })
    expect(await project.git('rev-parse', `${first.branch}^`)).toBe(head)
    expect(await project.git('rev-list', '--count', `main..${first.branch}`)).toBe('2')
  })

  test('that changes nothing leaves the pull request as it was', async () => {
    const project = await newProject()
    const first = await run(project, 'set title to "One" in index')
    const head = await project.git('rev-parse', first.branch)
    const second = await followUp(project, first.id, 'set title to "One" in index')
    expect(second).toMatchObject({ status: 'completed', prLink: first.prLink })
    expect(await project.git('rev-parse', first.branch)).toBe(head)
  })

  test('after a failure starts anew, and the job is completed then', async () => {
    const project = await newProject()
    const first = await run(project, 'make it nicer')
    const second = await followUp(project, first.id, 'set title to "One" in index')
    expect(second).toMatchObject({ status: 'completed', error: null })
    expect(second.prLink).not.toBeNull()
  })

  test('while the job is active waits its turn', async () => {
    const project = await newProject()
    const job = await create(project, 'set title to "One" in index')
    const done = await followUp(project, job.id, 'set title to "Two" in quickstart')
    expect(done.status).toBe('completed')
    const branch = done.branch
    expect(await project.git('rev-list', '--count', `main..${branch}`)).toBe('2')
    expect(await project.git('show', `${branch}:index.mdx`)).toContain('One')
    expect(await project.git('show', `${branch}:quickstart.mdx`)).toContain('Two')
  })

  test('starts from what somebody else pushed to the branch meanwhile', async () => {
    const project = await newProject()
    const first = await run(project, 'set title to "One" in index')
    const parent = await project.git('rev-parse', first.branch)
    const tree = await project.git('rev-parse', `${first.branch}^{tree}`)
    const env = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com']
    const theirs = await project.git(...env, 'commit-tree', tree, '-p', parent, '-m', 'By hand')
    await project.git('update-ref', `refs/heads/${first.branch}`, theirs)
    await followUp(project, first.id, 'set title to "Two" in quickstart')
    expect(await project.git('rev-parse', `${first.branch}^`)).toBe(theirs)
  })
})

describe('several jobs', () => {
  test('of two projects take turns, however many one of them asked for', async () => {
    const [many, few] = [await newProject(), await newProject()]
    const jobs = []
    for (let index = 0; index < 12; index++) jobs.push(await create(many, `set title to "T${index}" in index`))
    const late = await create(few, 'set title to "Late" in index')
    await ended(few, late.id)
    const { body } = await app.call('GET', `/v2/agent/${many.id}/jobs?status=active`)
    expect(body.jobs.length).toBeGreaterThan(4)
    for (const job of jobs) expect((await ended(many, job.id)).status).toBe('completed')
    const links = new Set<string>()
    for (const job of jobs) links.add((await ended(many, job.id)).prLink)
    expect(links.size).toBe(12)
  })
})

describe('an active job that is archived', () => {
  test('stays archived, whatever its worker does', async () => {
    const project = await newProject()
    const job = await create(project, 'set title to "One" in index')
    await app.call('POST', `/v2/agent/${project.id}/job/${job.id}/archive`)
    await sleep(300)
    const { body } = await app.call('GET', `/v2/agent/${project.id}/job/${job.id}`)
    expect(body.status).toBe('archived')
    const { text } = await app.call('GET', `/v2/agent/${project.id}/job/${job.id}/events`)
    expect(text.trimEnd().split('event: ').at(-1)).toMatch(/^archived/)
  })
})

test('a job waits for its host, and does not follow its project to another repository', async () => {
  const source = { provider: 'gitea', repository: 'https://git.example.com/acme/one' }
  const { body: project } = await app.call('POST', '/v1/projects', { body: { name: 'Moving', source } })
  const { body: job } = await app.call('POST', `/v2/agent/${project.id}/job`, { body: { prompt: 'fix broken links' } })
  const address = `/v2/agent/${project.id}/job/${job.id}`
  await until(async () => app.logged.some((line) => line.includes(job.id) && line.includes('host.unreachable')))
  const moved = { source: { repository: 'https://git.example.com/acme/two' } }
  expect((await app.call('PATCH', `/v1/projects/${project.id}`, { body: moved })).status).toBe(200)
  const over = await endedJob(async () => (await app.call('GET', address)).body)
  expect(over).toMatchObject({ status: 'failed', error: { code: 'job.repository_changed' } })
  expect(over.source.repository).toContain('acme/one')
})
