import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runGit } from '#infra/git/run-git.ts'
import { endedJob } from '#tests/harness/ended-job.ts'
import { startGitHubServer } from '#tests/harness/hosts/github-server.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import type { JobDiff } from './schema.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ worker: true })
})
afterAll(() => app.close())

let count = 0
async function newProject(source?: object): Promise<string> {
  const body = { name: `Diff ${count++}`, ...(source ? { source } : {}) }
  return (await app.call('POST', '/v1/projects', { body })).body.id
}

/** Sends the prompt, as a new job or as a follow-up of one, and waits until it is done. */
async function ask(projectId: string, prompt: string, job?: string) {
  const path = job === undefined ? 'job' : `job/${job}/message`
  const { body } = await app.call('POST', `/v2/agent/${projectId}/${path}`, { body: { prompt } })
  return await endedJob(async () => (await app.call('GET', `/v2/agent/${projectId}/job/${body.id}`)).body)
}

async function diffOf(projectId: string, id: string): Promise<JobDiff> {
  const { status, body } = await app.call('GET', `/v2/agent/${projectId}/job/${id}/diff`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

describe('what a job changed', () => {
  test('is each file with its lines as git would print them, those of follow-ups included', async () => {
    const projectId = await newProject()
    const { id } = await ask(projectId, 'add page guides/deploy titled "Deploy" with "How to deploy."')
    const first = await diffOf(projectId, id)
    expect(first.truncated).toBe(false)
    expect(first.files.map(({ path, status }) => [path, status])).toEqual([
      ['docs.json', 'changed'],
      ['guides/deploy.mdx', 'added'],
    ])
    const page = first.files[1]!
    expect(page).toMatchObject({ previousPath: null, removed: 0, isBinary: false })
    expect(page.patch).toMatch(/^@@ -0,0 \+1,\d+ @@\n\+---\n\+title: "?Deploy"?\n/)
    expect(page.patch!.split('\n').filter((line) => line.startsWith('+'))).toHaveLength(page.added)

    await ask(projectId, 'set title to "Hello there" in index', id)
    const both = await diffOf(projectId, id)
    expect(both.files.map(({ path }) => path)).toEqual(['docs.json', 'guides/deploy.mdx', 'index.mdx'])
    expect(both.files[2]).toMatchObject({ status: 'changed', added: 1, removed: 1 })
    expect(both.files[2]!.patch).toMatch(/^-title: .+\n\+title: "?Hello there"?$/m)
  })

  test('names where a renamed page was before', async () => {
    const projectId = await newProject()
    const { id } = await ask(projectId, 'rename page quickstart to start')
    const { files } = await diffOf(projectId, id)
    expect(files).toContainEqual(
      expect.objectContaining({ path: 'start.mdx', previousPath: 'quickstart.mdx', status: 'renamed' }),
    )
  })

  test.each(['replace "nowhere to be found" with "x"', 'make it nicer'])('is nothing after %s', async (prompt) => {
    const projectId = await newProject()
    const { id } = await ask(projectId, prompt)
    expect(await diffOf(projectId, id)).toEqual({ files: [], truncated: false })
  })

  test('is said to be gone once the repository has lost its commits', async () => {
    const projectId = await newProject()
    const job = await ask(projectId, 'set title to "Hello" in index')
    const gitDir = `${app.services.config.data}/git/${projectId}.git`
    await runGit({ gitDir, args: ['update-ref', '-d', `refs/heads/${job.branch}`] })
    await runGit({ gitDir, args: ['gc', '--quiet', '--prune=now'] })
    const { status, body } = await app.call('GET', `/v2/agent/${projectId}/job/${job.id}/diff`)
    expect([status, body.code]).toEqual([404, 'job.diff_gone'])
  })

  test('on another host is read from the mirror, and fetched where this machine has none', async () => {
    await using vendor = await startGitHubServer()
    const { repository, repositoryUrl, apiUrl, token } = vendor
    await repository.commitTo(repository.defaultBranch, {
      'docs.json': '{"name": "Acme", "navigation": {"pages": ["index"]}}\n',
      'index.mdx': '---\ntitle: Start\n---\n\nHello.\n',
    })
    const projectId = await newProject({ provider: 'github', repository: repositoryUrl, apiUrl, token })
    const { id } = await ask(projectId, 'set title to "Begin" in index')
    const expected = [expect.objectContaining({ path: 'index.mdx', status: 'changed', added: 1, removed: 1 })]
    // The host need not even be there.
    vendor.fail({ kind: 'failing' }, { times: 1_000 })
    expect((await diffOf(projectId, id)).files).toEqual(expected)
    vendor.recover()
    await rm(`${app.services.config.data}/mirrors/${projectId}.git`, { recursive: true })
    // Nothing is wrong with the caller's own key.
    vendor.tokens.delete(token)
    const refused = await app.call('GET', `/v2/agent/${projectId}/job/${id}/diff`)
    expect([refused.status, refused.body.code]).toEqual([503, 'job.diff_unavailable'])
    vendor.tokens.set(token, 'write')
    expect((await diffOf(projectId, id)).files).toEqual(expected)
  })
})

test('a job and its events have the prompts that it was sent', async () => {
  const projectId = await newProject()
  const first = 'set title to "One" in index'
  const job = await ask(projectId, first)
  await ask(projectId, 'make it “nicer”', job.id)
  const { body } = await app.call('GET', `/v2/agent/${projectId}/jobs`)
  expect(body.jobs.map(({ prompt }: { prompt: string }) => prompt)).toEqual([first])
  const { text } = await app.call('GET', `/v2/agent/${projectId}/job/${job.id}/events`)
  const queued = [...text.matchAll(/^event: queued\ndata: (.+)$/gm)].map(([, data]) => JSON.parse(data!).prompt)
  expect(queued).toEqual([first, 'make it “nicer”'])
})
