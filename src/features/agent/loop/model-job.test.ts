import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runGit } from '#infra/git/run-git.ts'
import { endedJob } from '#tests/harness/ended-job.ts'
import { startOpenAiServer } from '#tests/harness/models/openai-server.ts'
import type { ModelServer, Reply } from '#tests/harness/models/scripted-server.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'

const key = 'key-of-the-model-that-must-not-leak'

let app: TestApp
let server: ModelServer
let replies: Reply[]
beforeAll(async () => {
  server = await startOpenAiServer(() => replies.shift() ?? { status: 418 })
  const settings = { model: 'openai-compatible/test', modelBaseUrl: server.url, modelApiKey: key }
  app = await createTestApp({ worker: true, settings })
})
afterAll(async () => {
  await app.close()
  await server[Symbol.asyncDispose]()
})

let count = 0
async function newProject() {
  const { body } = await app.call('POST', '/v1/projects', { body: { name: `Model ${count++}` } })
  const gitDir = `${app.services.config.data}/git/${body.id}.git`
  return {
    id: body.id as string,
    git: async (...args: string[]) => (await runGit({ gitDir, args })).toString('utf8').trim(),
  }
}

const ended = (projectId: string, jobId: string) =>
  endedJob(async () => (await app.call('GET', `/v2/agent/${projectId}/job/${jobId}`)).body)

async function work(projectId: string, prompt: string, script: Reply[]) {
  replies = script
  const { body } = await app.call('POST', `/v2/agent/${projectId}/job`, { body: { prompt } })
  return await ended(projectId, body.id)
}

const call = (name: string, input: object): Reply => ({ calls: [{ name, input }] })
const finish = (title: string, summary: string) => call('finish', { title, summary })

describe('a job with a model behind an OpenAI-compatible URL', () => {
  test('becomes a pull request with a new page in the navigation, and its follow-up lands on the same one', async () => {
    const project = await newProject()
    const page = '---\ntitle: Webhooks\n---\n\nDocent calls you.\n'
    const job = await work(project.id, 'Add a page about webhooks.', [
      {
        calls: [
          { name: 'list', input: {} },
          { name: 'read', input: { path: 'index.mdx' } },
        ],
      },
      call('write', { path: 'guides/webhooks.mdx', content: page }),
      call('navigation', { action: 'add_page', page: 'guides/webhooks' }),
      call('check', {}),
      finish('Add a page about webhooks', 'It says when Docent calls.'),
    ])
    expect(job).toMatchObject({
      status: 'completed',
      title: 'Add a page about webhooks',
      summary: 'It says when Docent calls.',
      error: null,
      usage: { steps: 5, inputTokens: 500, outputTokens: 50 },
    })
    expect(job.prLink).toMatch(/\/pulls\/1$/)
    const changed = await project.git('diff', '--name-only', 'main', job.branch)
    expect(changed.split('\n')).toEqual(['docs.json', 'guides/webhooks.mdx'])
    expect(await project.git('show', `${job.branch}:guides/webhooks.mdx`)).toBe(page.trim())

    replies = [
      call('read', { path: 'guides/webhooks.mdx' }),
      call('edit', { path: 'guides/webhooks.mdx', oldText: 'Docent calls you.', newText: 'Docent calls you, signed.' }),
      finish('Say that they are signed', 'One word.'),
    ]
    const asked = server.requests.length
    await app.call('POST', `/v2/agent/${project.id}/job/${job.id}/message`, {
      body: { prompt: 'Say they are signed.' },
    })
    const after = await ended(project.id, job.id)
    expect(after).toMatchObject({ status: 'completed', prLink: job.prLink, branch: job.branch })
    expect(await project.git('rev-list', '--count', `main..${job.branch}`)).toBe('2')
    const opening = server.requests[asked]!.body.messages[1].content
    expect(opening).toContain('It says when Docent calls.')
    expect(opening).toContain('guides/webhooks.mdx')
  })

  test('fails with a word about the key when the server refuses it, and the key is nowhere to be read', async () => {
    const project = await newProject()
    const refused = { status: 401, body: { error: { message: `Incorrect API key provided: ${key}` } } }
    const job = await work(project.id, 'Do something.', [refused])
    expect(job).toMatchObject({ status: 'failed', prLink: null, error: { code: 'model.key_refused' } })
    const { text } = await app.call('GET', `/v2/agent/${project.id}/job/${job.id}`)
    expect(text).not.toContain(key)
    expect(app.logged.join('\n')).not.toContain(key)
  })

  test('with nothing to change is completed without a pull request', async () => {
    const project = await newProject()
    const job = await work(project.id, 'Check it.', [finish('Nothing to do', 'All is as it should be.')])
    expect(job).toMatchObject({ status: 'completed', prLink: null, summary: 'All is as it should be.' })
  })
})
