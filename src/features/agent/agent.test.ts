import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'

/** No worker runs here: these jobs stay as the API leaves them. */
let app: TestApp
let projectId: string
let now = new Date('2030-01-01T00:00:00Z')
beforeAll(async () => {
  app = await createTestApp({ clock: { now: () => now }, settings: { agentJobsPerHour: 20 } })
})
afterAll(() => app.close())

let count = 0
async function newProject(key?: string): Promise<string> {
  const { body } = await app.call('POST', '/v1/projects', {
    body: { name: `Agent ${count++}` },
    ...(key === undefined ? {} : { key }),
  })
  return body.id
}
beforeAll(async () => {
  projectId = await newProject()
})

const create = (body: unknown, options: { project?: string; key?: string; idempotencyKey?: string } = {}) =>
  app.call('POST', `/v2/agent/${options.project ?? projectId}/job`, {
    body,
    ...(options.key ? { key: options.key } : {}),
    headers: options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey },
  })

describe('a new job', () => {
  test('is active, with every field of the interface and those that Docent adds', async () => {
    const { status, body } = await create({ prompt: '  fix broken links ' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^job_[0-9A-Za-z]{22}$/),
      status: 'active',
      source: { repository: expect.stringMatching(/^http:\/\/.+\/git\/agent-0\.git$/), ref: 'main' },
      model: 'builtin/editor',
      prLink: null,
      createdAt: now.toISOString(),
      archivedAt: null,
      prompt: 'fix broken links',
      branch: null,
      title: null,
      summary: null,
      error: null,
      usage: { steps: 0, inputTokens: 0, outputTokens: 0 },
    })
    expect(Object.keys(body).slice(0, 7)).toEqual([
      ...['id', 'status', 'source', 'model', 'prLink', 'createdAt', 'archivedAt'],
    ])
    const { body: again } = await app.call('GET', `/v2/agent/${projectId}/job/${body.id}`)
    expect(again).toEqual(body)
  })

  test.each([
    ['nothing', {}],
    ['no text', { prompt: 5 }],
    ['only spaces', { prompt: ' \n\t ' }],
    ['more than 20,000 characters', { prompt: 'x'.repeat(20_001) }],
    ['a NUL', { prompt: 'a\0b' }],
    ['half a character', { prompt: 'a\ud800' }],
  ])('with %s as its prompt is refused with 400', async (_, body) => {
    const { status, body: answer } = await create(body)
    expect(status).toBe(400)
    expect(answer.details[0].path).toBe('prompt')
  })

  test('takes 20,000 characters after trimming', async () => {
    expect((await create({ prompt: ` ${'x'.repeat(20_000)} ` })).status).toBe(201)
  })

  test.each(['prj_unknown', 'prj_0000000000000000000000', '..', '%00'])(
    'for a project that does not exist is 404: %s',
    async (project) => {
      const { status } = await create({ prompt: 'x' }, { project })
      expect(status).toBe(404)
    },
  )

  test('of another organization is 404 in the same words, for every call', async () => {
    const other = await app.createOrganization('Elsewhere')
    const { body: job } = await create({ prompt: 'x' })
    const missing = await app.call('GET', `/v2/agent/prj_0000000000000000000000/job/${job.id}`)
    const calls = [
      ['POST', `/v2/agent/${projectId}/job`, { prompt: 'x' }],
      ['GET', `/v2/agent/${projectId}/job/${job.id}`, undefined],
      ['GET', `/v2/agent/${projectId}/jobs`, undefined],
      ['POST', `/v2/agent/${projectId}/job/${job.id}/message`, { prompt: 'x' }],
      ['POST', `/v2/agent/${projectId}/job/${job.id}/archive`, undefined],
      ['GET', `/v2/agent/${projectId}/job/${job.id}/events`, undefined],
      ['GET', `/v2/agent/${projectId}/job/${job.id}/diff`, undefined],
    ] as const
    for (const [method, url, body] of calls) {
      const answer = await app.call(method, url, { key: other.key, ...(body ? { body } : {}) })
      expect([answer.status, answer.body]).toEqual([404, missing.body])
    }
    // And a job under a project of one's own that it does not belong to.
    const own = await newProject(other.key)
    const { status, body } = await app.call('GET', `/v2/agent/${own}/job/${job.id}`, { key: other.key })
    expect([status, body.code]).toEqual([404, 'job.not_found'])
  })

  test('is recorded in the audit, as are follow-ups and archiving', async () => {
    const { body: job } = await create({ prompt: 'x' })
    await app.call('POST', `/v2/agent/${projectId}/job/${job.id}/message`, { body: { prompt: 'y' } })
    await app.call('POST', `/v2/agent/${projectId}/job/${job.id}/archive`)
    const { body } = await app.call('GET', '/v1/audit?limit=250')
    const actions = body.records
      .filter((record: { target: string }) => record.target === job.id)
      .map((record: { action: string }) => record.action)
    expect(actions.sort()).toEqual(['job.archive', 'job.create', 'job.message'])
  })
})

describe('an idempotency key', () => {
  test('gives the same job for the same body, and 409 for another', async () => {
    const project = await newProject()
    const first = await create({ prompt: 'one' }, { project, idempotencyKey: 'k-1' })
    const second = await create({ prompt: ' one ' }, { project, idempotencyKey: 'k-1' })
    expect([second.status, second.body.id]).toEqual([201, first.body.id])
    const other = await create({ prompt: 'two' }, { project, idempotencyKey: 'k-1' })
    expect([other.status, other.body.code]).toEqual([409, 'job.idempotency_conflict'])
    const { body } = await app.call('GET', `/v2/agent/${project}/jobs`)
    expect(body.jobs).toHaveLength(1)
  })

  test('holds when several requests come at once', async () => {
    const project = await newProject()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => create({ prompt: 'one' }, { project, idempotencyKey: 'at-once' })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  })

  test('is one thing in each project', async () => {
    const [one, other] = [await newProject(), await newProject()]
    const first = await create({ prompt: 'x' }, { project: one, idempotencyKey: 'same' })
    const second = await create({ prompt: 'y' }, { project: other, idempotencyKey: 'same' })
    expect([first.status, second.status]).toEqual([201, 201])
    expect(first.body.id).not.toBe(second.body.id)
  })

  test('is forgotten after 24 hours', async () => {
    const project = await newProject()
    const first = await create({ prompt: 'x' }, { project, idempotencyKey: 'day' })
    const before = now
    now = new Date(now.getTime() + 24 * 3_600_000 - 1000)
    expect((await create({ prompt: 'x' }, { project, idempotencyKey: 'day' })).body.id).toBe(first.body.id)
    now = new Date(now.getTime() + 1000)
    expect((await create({ prompt: 'x' }, { project, idempotencyKey: 'day' })).body.id).not.toBe(first.body.id)
    now = before
  })

  test('works for follow-ups too, and is not shared between them and creating', async () => {
    const project = await newProject()
    const { body: job } = await create({ prompt: 'x' }, { project, idempotencyKey: 'a' })
    const send = (prompt: string, key: string) =>
      app.call('POST', `/v2/agent/${project}/job/${job.id}/message`, {
        body: { prompt },
        headers: { 'idempotency-key': key },
      })
    expect((await send('more', 'b')).status).toBe(200)
    expect((await send('more', 'b')).status).toBe(200)
    expect((await send('other', 'b')).status).toBe(409)
    expect((await send('x', 'a')).status).toBe(409)
    const rows = await app.services.db.selectFrom('agentMessages').selectAll().where('jobId', '=', job.id).execute()
    expect(rows.map(({ prompt }) => prompt).sort()).toEqual(['more', 'x'])
  })

  test.each(['', ' ', 'a b', 'é', 'x'.repeat(256)])('that is no such text is 400: %j', async (idempotencyKey) => {
    expect((await create({ prompt: 'x' }, { idempotencyKey })).status).toBe(400)
  })
})

describe('the hourly limit', () => {
  test('counts jobs and follow-ups of a project together, says when to come back, and ends', async () => {
    const project = await newProject()
    const { body: job } = await create({ prompt: 'x' }, { project })
    for (let index = 0; index < 10; index++) await create({ prompt: 'x' }, { project })
    for (let index = 0; index < 9; index++) {
      await app.call('POST', `/v2/agent/${project}/job/${job.id}/message`, { body: { prompt: 'y' } })
    }
    const before = now
    now = new Date(now.getTime() + 600_000)
    const refused = await create({ prompt: 'x' }, { project })
    expect([refused.status, refused.body.code]).toEqual([429, 'job.too_many'])
    expect(refused.headers['retry-after']).toBe('3000')
    expect(
      (await app.call('POST', `/v2/agent/${project}/job/${job.id}/message`, { body: { prompt: 'y' } })).status,
    ).toBe(429)
    expect((await create({ prompt: 'x' })).status).toBe(201)
    now = new Date(before.getTime() + 3_600_001)
    expect((await create({ prompt: 'x' }, { project })).status).toBe(201)
    now = before
  })

  test('holds when many come at once', async () => {
    const project = await newProject()
    const answers = await Promise.all(Array.from({ length: 30 }, () => create({ prompt: 'x' }, { project })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
  })

  test('does not count what an idempotency key answers, nor use a key up for what is refused', async () => {
    const project = await newProject()
    for (let index = 0; index < 20; index++) await create({ prompt: 'x' }, { project, idempotencyKey: 'same' })
    for (let index = 0; index < 19; index++) await create({ prompt: 'x' }, { project })
    expect((await create({ prompt: 'x' }, { project, idempotencyKey: 'late' })).status).toBe(429)
    const before = now
    now = new Date(now.getTime() + 3_600_001)
    expect((await create({ prompt: 'other' }, { project, idempotencyKey: 'late' })).status).toBe(201)
    now = before
  })
})

describe('the list', () => {
  test('has the newest first, in pages, and by status', async () => {
    const project = await newProject()
    const before = now
    const ids: string[] = []
    for (let index = 0; index < 5; index++) {
      now = new Date(now.getTime() + 1000)
      ids.unshift((await create({ prompt: 'x' }, { project })).body.id)
    }
    now = before
    await app.call('POST', `/v2/agent/${project}/job/${ids[1]}/archive`)
    const list = async (query: string) => {
      const { body } = await app.call('GET', `/v2/agent/${project}/jobs?${query}`)
      return { ids: body.jobs.map(({ id }: { id: string }) => id), hasMore: body.hasMore }
    }
    expect(await list('')).toEqual({ ids, hasMore: false })
    expect(await list('limit=2')).toEqual({ ids: ids.slice(0, 2), hasMore: true })
    expect(await list('limit=2&offset=3')).toEqual({ ids: ids.slice(3), hasMore: false })
    expect(await list('status=archived')).toEqual({ ids: [ids[1]], hasMore: false })
    expect((await app.call('GET', `/v2/agent/${project}/jobs?status=done`)).status).toBe(400)
  })
})

describe('archiving', () => {
  test('sets the time once, and the job takes no more messages', async () => {
    const { body: job } = await create({ prompt: 'x' })
    const archive = () => app.call('POST', `/v2/agent/${projectId}/job/${job.id}/archive`)
    const first = await archive()
    expect([first.status, first.body.status, first.body.archivedAt]).toEqual([200, 'archived', now.toISOString()])
    const before = now
    now = new Date(now.getTime() + 1000)
    expect((await archive()).body).toEqual(first.body)
    now = before
    const { status, body } = await app.call('POST', `/v2/agent/${projectId}/job/${job.id}/message`, {
      body: { prompt: 'y' },
    })
    expect([status, body.code]).toEqual([409, 'job.archived'])
  })
})

describe('events', () => {
  const read = (id: string, headers: Record<string, string> = {}) =>
    app.call('GET', `/v2/agent/${projectId}/job/${id}/events`, { headers })

  test('come as server-sent events until the job ends, and from where the reader left off', async () => {
    const { body: job } = await create({ prompt: 'x' })
    const reading = read(job.id)
    await sleep(50)
    await app.call('POST', `/v2/agent/${projectId}/job/${job.id}/archive`)
    const { status, text, headers } = await reading
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/event-stream; charset=utf-8')
    const ids = [...text.matchAll(/^id: (\d+)\nevent: (\w+)\ndata: (.+)$/gm)].map(([, id, type]) => [id, type])
    expect(ids).toEqual([
      ['1', 'queued'],
      ['2', 'archived'],
    ])
    const rest = await read(job.id, { 'last-event-id': '1' })
    expect(rest.text).not.toContain('event: queued')
    expect(rest.text).toContain('event: archived')
    expect((await read(job.id, { 'last-event-id': '2' })).status).toBe(204)
    expect((await read(job.id, { 'last-event-id': 'nonsense' })).status).toBe(400)
  })
})
