import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { endedJob } from '#tests/harness/ended-job.ts'
import { startBitbucketServer } from '#tests/harness/hosts/bitbucket-server.ts'
import { startGiteaServer } from '#tests/harness/hosts/gitea-server.ts'
import { startGitHubServer } from '#tests/harness/hosts/github-server.ts'
import { startGitLabServer } from '#tests/harness/hosts/gitlab-server.ts'
import type { VendorServer } from '#tests/harness/hosts/vendor-server.ts'
import { startOpenAiServer } from '#tests/harness/models/openai-server.ts'
import type { Reply } from '#tests/harness/models/scripted-server.ts'
import { type ServerProcess, startServerProcess } from '#tests/harness/server-process.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { createTestDatabase, type TestDatabase } from '#tests/harness/test-database.ts'

const files = {
  'docs.json': `${JSON.stringify({ name: 'Acme', navigation: { pages: ['index', 'guide'] } }, null, 2)}\n`,
  'index.mdx': '---\ntitle: Start\n---\n\nSee the [guide](/guide).\n',
  'guide.mdx': '---\ntitle: Guide\n---\r\n\r\nWindows line ends stay.\r\n',
}

const starters = {
  github: startGitHubServer,
  gitlab: startGitLabServer,
  gitea: startGiteaServer,
  bitbucket: startBitbucketServer,
}
type VendorName = keyof typeof starters

async function startVendor(name: VendorName): Promise<VendorServer> {
  const vendor = await starters[name]()
  await vendor.repository.commitTo(vendor.repository.defaultBranch, files)
  return vendor
}

const sourceOf = (provider: VendorName, { repositoryUrl, apiUrl, token }: VendorServer) => ({
  provider,
  repository: repositoryUrl,
  apiUrl,
  token,
})

const setTitle = (title: string) => `set title to "${title}" in index`

// What hosts do does not depend on the database, so once is enough; what a death leaves behind does, see below.
const vendorNames = inject('engine') === 'pglite' ? (Object.keys(starters) as VendorName[]) : []

describe.each(vendorNames)('a job on %s', (name) => {
  let app: TestApp
  let vendor: VendorServer
  let projectId: string
  beforeAll(async () => {
    app = await createTestApp({ worker: true })
    vendor = await startVendor(name)
    const body = { name: 'Vendor', source: sourceOf(name, vendor) }
    projectId = (await app.call('POST', '/v1/projects', { body })).body.id
  })
  afterEach(() => vendor.recover())
  afterAll(async () => {
    await app.close()
    await vendor[Symbol.asyncDispose]()
  })

  const post = async (path: string, prompt: string) => {
    const { status, body } = await app.call('POST', `/v2/agent/${projectId}/${path}`, { body: { prompt } })
    expect([200, 201]).toContain(status)
    return await endedJob(async () => (await app.call('GET', `/v2/agent/${projectId}/job/${body.id}`)).body)
  }

  test('opens one pull request on the default branch, whose follow-up adds to it until it is merged', async () => {
    const { repository } = vendor
    const first = await post('job', setTitle('One'))
    expect(first).toMatchObject({ status: 'completed', error: null, source: { ref: repository.defaultBranch } })
    expect(repository.pullRequests).toHaveLength(1)
    expect(first.prLink).toBe(vendor.pageOf(repository.pullRequests[0]!.number))
    const head = await repository.findHead(first.branch)
    expect(head).not.toBeNull()

    const second = await post(`job/${first.id}/message`, setTitle('Two'))
    expect(second).toMatchObject({ status: 'completed', prLink: first.prLink, branch: first.branch })
    expect(repository.pullRequests).toHaveLength(1)
    expect(await repository.findHead(first.branch)).not.toBe(head)

    await repository.merge(repository.pullRequests[0]!.number)
    const third = await post(`job/${first.id}/message`, setTitle('Three'))
    expect(third).toMatchObject({ status: 'completed', branch: `docent/${first.id}-3` })
    expect(repository.pullRequests).toHaveLength(2)
    expect(third.prLink).toBe(vendor.pageOf(repository.pullRequests[1]!.number))

    repository.close(repository.pullRequests[1]!.number)
    const fourth = await post(`job/${first.id}/message`, setTitle('Four'))
    expect(fourth).toMatchObject({ status: 'completed', branch: `docent/${first.id}-4` })
    expect(repository.pullRequests).toHaveLength(3)
  })

  test('that the host is too busy for is done when it no longer is', async () => {
    vendor.fail({ kind: 'failing' }, { times: 6 })
    expect(await post('job', setTitle('Five'))).toMatchObject({ status: 'completed', error: null })
  })

  test('whose pull request is made but not answered for opens no second one', async () => {
    const before = vendor.repository.pullRequests.length
    vendor.fail({ kind: 'answer lost' }, { times: 1, method: 'POST' })
    expect(await post('job', setTitle('Six'))).toMatchObject({ status: 'completed', error: null })
    expect(vendor.repository.pullRequests).toHaveLength(before + 1)
  })

  test('with a token that expired fails at once and says what to do, and the token is in no word of it', async () => {
    vendor.tokens.delete(vendor.token)
    const job = await post('job', setTitle('Seven'))
    vendor.tokens.set(vendor.token, 'write')
    expect(job.status).toBe('failed')
    expect(job.error.code).toMatch(/^(host\.token_refused|git\.credential_refused)$/)
    expect(JSON.stringify(job) + app.logged.join('')).not.toContain(vendor.token)
  })

  test('with a token that may only read fails and names what is missing', async () => {
    vendor.tokens.set(vendor.token, 'read')
    const job = await post('job', setTitle('Eight'))
    vendor.tokens.set(vendor.token, 'write')
    expect(job.status).toBe('failed')
    expect(job.error.code).toMatch(/^(host\.permission_missing|git\.push_refused)$/)
  })

  test('in a repository that was renamed finds it', async () => {
    vendor.rename('acme/handbook')
    expect(await post('job', setTitle('Nine'))).toMatchObject({ status: 'completed', error: null })
  })
})

describe('kill -9 of the server', () => {
  let database: TestDatabase
  let server: ServerProcess
  beforeEach(async () => {
    database = await createTestDatabase()
  })
  afterEach(async () => {
    await server.end('SIGKILL')
    await database.delete()
  })

  const call = async (path: string, body?: object) => {
    const sent = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    // biome-ignore lint/suspicious/noExplicitAny: whatever the API answers.
    return (await (await server.fetch(path, sent)).json()) as any
  }
  const ended = (projectId: string, id: string) => endedJob(() => call(`/v2/agent/${projectId}/job/${id}`))

  test('at each request to the host, before it is done and after: one commit and one pull request', async () => {
    // As many jobs at a time as there are moments to stop one at: all of them together cost the server one death.
    const settings = { ...database.settings, agentConcurrency: 20 }
    server = await startServerProcess(settings)
    await using vendors = new AsyncDisposableStack()
    const open = async () => {
      const vendor = vendors.use(await startVendor('github'))
      const project = await call('/v1/projects', { name: 'Killed', source: sourceOf('github', vendor) })
      const create = async (title: string) =>
        (await call(`/v2/agent/${project.id}/job`, { prompt: setTitle(title) })).id as string
      // The first is told apart as it has no mirror yet.
      const first = await ended(project.id, await create('First'))
      expect(first).toMatchObject({ status: 'completed', error: null })
      vendor.requests.length = 0
      return { vendor, projectId: project.id as string, create }
    }

    // What a job asks, in order.
    const probe = await open()
    const undisturbed = await ended(probe.projectId, await probe.create('Probe'))
    expect(undisturbed).toMatchObject({ status: 'completed', error: null })
    const moments = probe.vendor.requests.flatMap(({ method, url }, index) => {
      const isApi = url.startsWith(new URL(probe.vendor.apiUrl).pathname)
      // Reading again after an answer is as reading again before it.
      const after = isApi && method !== 'GET' ? [{ index, moment: 'after' as const }] : []
      return [{ index, moment: 'before' as const }, ...after]
    })
    expect(moments.length).toBeGreaterThan(5)
    expect(moments.length).toBeLessThanOrEqual(settings.agentConcurrency)

    const stopped = await Promise.all(
      moments.map(async ({ index, moment }) => {
        const { vendor, projectId, create } = await open()
        let count = 0
        const reached = Promise.withResolvers<void>()
        vendor.gate = async (now) => {
          if (now === 'before') count++
          if (count !== index + 1 || now !== moment) return
          reached.resolve()
          await new Promise(() => {})
        }
        const id = await create(`Killed ${moment} ${index}`)
        await reached.promise
        return { vendor, projectId, id, place: `${moment} request ${index + 1}` }
      }),
    )
    await server.end('SIGKILL')
    for (const { vendor } of stopped) vendor.gate = null
    server = await startServerProcess(settings)
    for (const { vendor, projectId, id, place } of stopped) {
      const job = await ended(projectId, id)
      expect(job, place).toMatchObject({ status: 'completed', error: null })
      // The first job's, and this one's.
      expect(vendor.repository.pullRequests, place).toHaveLength(2)
      expect(job.prLink, place).toBe(vendor.pageOf(vendor.repository.pullRequests[1]!.number))
    }
  }, 180_000)

  test('while a model thinks: what it did is not asked for again, and the work goes on', async () => {
    const replies: Reply[] = [
      { calls: [{ name: 'read', input: { path: 'index.mdx' } }] },
      { calls: [{ name: 'edit', input: { path: 'index.mdx', oldText: 'Welcome.', newText: 'Hello.' } }] },
      { calls: [{ name: 'check', input: {} }] },
      { calls: [{ name: 'finish', input: { title: 'Rename the start page', summary: 'It begins now.' } }] },
    ]
    // A job for each step that it may be at, told apart by what it was asked.
    const steps = replies.map((_, dieAt) => ({
      dieAt,
      prompt: `Rename the start page, number ${dieAt}.`,
      questions: 0,
      reached: Promise.withResolvers<void>(),
    }))
    await using model = await startOpenAiServer((request) => {
      const job = steps.find(({ prompt }) => request.text.includes(prompt))!
      job.questions++
      // How far the conversation is says which answer comes next, whoever asks.
      const step = request.body.messages.filter(({ role }: { role: string }) => role === 'assistant').length
      // The first who asks this is the one who dies.
      if (step !== job.dieAt || job.questions > step + 1) return replies[step]!
      job.reached.resolve()
      return { hang: true }
    })
    const settings = {
      ...database.settings,
      model: 'openai-compatible/test',
      modelBaseUrl: model.url,
      agentConcurrency: steps.length,
    }
    server = await startServerProcess(settings)
    const jobs = await Promise.all(
      steps.map(async ({ prompt, reached }) => {
        const project = await call('/v1/projects', { name: 'Thinking' })
        const { id } = await call(`/v2/agent/${project.id}/job`, { prompt })
        await reached.promise
        return { projectId: project.id as string, id }
      }),
    )
    await server.end('SIGKILL')
    server = await startServerProcess(settings)
    for (const [dieAt, { projectId, id }] of jobs.entries()) {
      const job = await ended(projectId, id)
      expect(job, `died at step ${dieAt}`).toMatchObject({ status: 'completed', error: null })
      // One question was asked twice: the one whose answer never came.
      expect(steps[dieAt]!.questions).toBe(replies.length + 1)
      expect(job.usage.steps).toBe(replies.length)
      expect(job.prLink).toMatch(/\/pulls\/1$/)
    }
  }, 180_000)
})
