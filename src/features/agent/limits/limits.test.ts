import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { endedJob } from '#tests/harness/ended-job.ts'
import { startOpenAiServer } from '#tests/harness/models/openai-server.ts'
import type { ModelServer } from '#tests/harness/models/scripted-server.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { changeLimits, readLimits } from './limits.ts'
import type { LimitName } from './schema.ts'

const server = { jobsPerHour: 40, maxSteps: 20, maxMinutes: 15, maxTokens: 50_000, maxFiles: 10 }

let it: TestApp
let model: ModelServer
beforeAll(async () => {
  model = await startOpenAiServer(() => ({ calls: [{ name: 'list', input: {} }], usage: { input: 900, output: 100 } }))
  it = await createTestApp({
    worker: true,
    settings: {
      agentJobsPerHour: server.jobsPerHour,
      agentMaxSteps: server.maxSteps,
      agentMaxMinutes: server.maxMinutes,
      agentMaxTokens: server.maxTokens,
      agentMaxFiles: server.maxFiles,
      modelBaseUrl: model.url,
    },
  })
})
afterAll(async () => {
  await it.close()
  await model[Symbol.asyncDispose]()
})

let projectId: string
let address: string
beforeEach(async () => {
  projectId = (await it.call('POST', '/v1/projects', { body: { name: 'Limits' } })).body.id
  address = `/v1/projects/${projectId}/agent-limits`
})

const set = (body: Partial<Record<LimitName, number | null>>) => it.call('PATCH', address, { body })

async function run(prompt: string) {
  const { status, body } = await it.call('POST', `/v2/agent/${projectId}/job`, { body: { prompt } })
  expect(status).toBe(201)
  return await endedJob(async () => (await it.call('GET', `/v2/agent/${projectId}/job/${body.id}`)).body)
}

describe('limits of a project’s agents', () => {
  test('are the server’s until the project sets its own, and again when it takes them back', async () => {
    const { status, body } = await it.call('GET', address)
    expect(status).toBe(200)
    const expected = Object.entries(server).map(([name, most]) => [name, { value: most, own: null, most }])
    expect(body).toEqual(Object.fromEntries(expected))

    const changed = await set({ maxSteps: 5, maxFiles: 10 })
    expect(changed.body).toMatchObject({
      maxSteps: { value: 5, own: 5, most: 20 },
      maxFiles: { value: 10, own: 10, most: 10 },
      maxMinutes: { value: 15, own: null, most: 15 },
    })
    await set({ maxMinutes: 2 })
    expect((await it.call('GET', address)).body).toMatchObject({ maxSteps: { own: 5 }, maxMinutes: { own: 2 } })
    const back = await set({ maxSteps: null, maxFiles: null, maxMinutes: null })
    expect(back.body).toEqual(body)
    const { agentLimits } = await it.services.db
      .selectFrom('projects')
      .select('agentLimits')
      .where('id', '=', projectId)
      .executeTakeFirstOrThrow()
    expect(agentLimits).toBeNull()
  })

  test.each(Object.entries(server))('%s cannot be above %i, which the server allows', async (name, most) => {
    const { status, body } = await set({ [name]: most + 1 })
    expect(status).toBe(400)
    expect(body.details).toEqual([{ path: name, message: `expected at most ${most}, which is what the server allows` }])
    expect((await it.call('GET', address)).body[name].own).toBeNull()
  })

  test.each([{ maxSteps: 0 }, { maxTokens: 999 }, { maxFiles: 1.5 }, { jobsPerHour: -1 }])(
    '%j is refused',
    async (body) => {
      expect((await set(body)).status).toBe(400)
    },
  )

  test('follow a server whose setting was lowered since', async () => {
    await set({ maxSteps: 18 })
    const config = { ...it.services.config, agentMaxSteps: 8 }
    expect(await readLimits({ db: it.services.db, config }, projectId)).toEqual({ ...server, maxSteps: 8 })
  })

  test('are nobody else’s to see or change', async () => {
    const { key } = await it.createOrganization('Others')
    expect((await it.call('GET', address, { key })).status).toBe(404)
    expect((await it.call('PATCH', address, { key, body: { maxSteps: 1 } })).status).toBe(404)
    const reader = await it.call('POST', '/v1/keys', { body: { name: 'reader', scopes: ['read'] } })
    expect((await it.call('GET', address, { key: reader.body.key })).status).toBe(200)
    expect((await it.call('PATCH', address, { key: reader.body.key, body: { maxSteps: 1 } })).status).toBe(403)
    expect((await it.call('GET', address)).body.maxSteps.own).toBeNull()
  })

  test('set by two at once are both kept', async () => {
    const { services } = it
    const by = { organizationId: '', actor: { kind: 'system' as const, id: null, name: 'test' }, requestId: null }
    const { organizationId } = await services.db
      .selectFrom('projects')
      .select('organizationId')
      .where('id', '=', projectId)
      .executeTakeFirstOrThrow()
    const caller = { ...by, organizationId, scopes: ['read', 'write'] } as Parameters<typeof changeLimits>[1]['by']
    await Promise.all(
      [{ maxSteps: 3 }, { maxFiles: 4 }, { maxMinutes: 5 }].map((change) =>
        changeLimits(services, { projectId, change, by: caller }),
      ),
    )
    const limits = await readLimits(services, projectId)
    expect(limits).toMatchObject({ maxSteps: 3, maxFiles: 4, maxMinutes: 5 })
  })
})

describe('a job', () => {
  test('beyond the project’s own number an hour is refused, and says whose limit it was', async () => {
    await set({ jobsPerHour: 1 })
    await run('replace "nowhere to be found" with "x"')
    const { status, body } = await it.call('POST', `/v2/agent/${projectId}/job`, { body: { prompt: 'x' } })
    expect([status, body.code]).toEqual([429, 'job.too_many'])
    expect(body.error).toContain('raise the project’s limit')
  })

  test('that changes more files than its project allows fails, and says so', async () => {
    await set({ maxFiles: 1 })
    const job = await run('add page guides/deploy titled "Deploy" with "How to deploy."')
    expect(job.error).toMatchObject({ code: 'editor.too_many_files' })
    expect(job.error.message).toContain('a job may change 1')
  })

  test.each([
    ['steps', { maxSteps: 3 }, 'the limit of 3 steps'],
    ['tokens', { maxTokens: 4000 }, 'the limit of 4000 tokens'],
  ])('wraps up when its project’s %s are used', async (_, limits, words) => {
    await it.call('PATCH', `/v1/projects/${projectId}`, { body: { model: 'openai-compatible/test' } })
    await set(limits)
    const before = model.requests.length
    const job = await run('look around')
    expect(JSON.stringify(job)).toContain(words)
    expect(model.requests.length - before).toBeLessThanOrEqual(4)
  })
})
