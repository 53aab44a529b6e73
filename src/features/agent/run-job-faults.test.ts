import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DocentError } from '#base/errors.ts'
import { runGit } from '#infra/git/run-git.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import type { Agent, AgentRun } from './agent-run.ts'
import { runJob } from './run-job.ts'
import { pruneJobs } from './service.ts'

/** No worker takes jobs here: each test runs them by hand, with an agent of its own, to see each fault by itself. */
let app: TestApp
let now = new Date('2030-01-01T00:00:00Z')
beforeAll(async () => {
  app = await createTestApp({ clock: { now: () => now }, settings: { agentJobsPerHour: 1000 } })
})
afterAll(() => app.close())

let projectId: string
let count = 0
beforeEach(async () => {
  projectId = (await app.call('POST', '/v1/projects', { body: { name: `Faults ${count++}` } })).body.id
})

const git = async (...args: string[]) => {
  const gitDir = `${app.services.config.repositories}/${projectId}.git`
  return (await runGit({ gitDir, args })).toString('utf8').trim()
}
const create = async () =>
  (await app.call('POST', `/v2/agent/${projectId}/job`, { body: { prompt: 'x' } })).body.id as string
const get = async (id: string) => (await app.call('GET', `/v2/agent/${projectId}/job/${id}`)).body
const rowOf = (id: string) =>
  app.services.db.selectFrom('agentJobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const messageOf = (id: string) =>
  app.services.db.selectFrom('agentMessages').selectAll().where('jobId', '=', id).executeTakeFirstOrThrow()

/** What the queue would do with the newest entry of the job. */
async function run(id: string, agent: Agent, { stopping, ticket }: { stopping?: AbortSignal; ticket?: number } = {}) {
  const never = new AbortController().signal
  await runJob(
    { ...app.services, agents: { editor: agent, loop: agent } },
    {
      id: 'by-hand',
      attempt: 1,
      data: { jobId: id, ticket: ticket ?? (await rowOf(id)).ticket },
      signal: never,
      stopping: stopping ?? never,
    },
  )
}

const outcome = { title: 'Change the page', summary: 'Changed.' }
const write = (run: AgentRun, text: string) => run.tree.write('index.mdx', Buffer.from(`# ${text}\n`))
const changing =
  (text: string): Agent =>
  async (run) => {
    write(run, text)
    return outcome
  }
const failing =
  (error: Error): Agent =>
  async () => {
    throw error
  }
const step = { data: {}, usage: { inputTokens: 10, outputTokens: 1 } }

/** An agent that stands still until it is let go, and when it is aborted. */
function blocking() {
  const reached = Promise.withResolvers<AgentRun>()
  const goOn = Promise.withResolvers<void>()
  const agent: Agent = async (run) => {
    reached.resolve(run)
    await goOn.promise
    write(run, 'Late')
    return outcome
  }
  return { agent, reached: reached.promise, goOn: goOn.resolve }
}

describe('a queue entry', () => {
  test('that is not the newest of its job does nothing', async () => {
    const id = await create()
    const { ticket } = await rowOf(id)
    await run(id, changing('Old'), { ticket: ticket - 1 })
    expect((await get(id)).status).toBe('active')
    expect((await rowOf(id)).claim).toBe(0)
  })

  test('of a job that has ended, was archived or deleted does nothing', async () => {
    const id = await create()
    const { ticket } = await rowOf(id)
    await run(id, changing('New'))
    const ended = await get(id)
    await run(id, changing('Again'), { ticket })
    expect(await get(id)).toEqual(ended)
    await app.call('DELETE', `/v1/projects/${projectId}`)
    const never = new AbortController().signal
    const context = { id: 'x', attempt: 1, data: { jobId: id, ticket }, signal: never, stopping: never }
    await expect(runJob(app.services, context)).resolves.toBeUndefined()
  })
})

describe('a worker that was thought dead', () => {
  test('writes and publishes nothing once another has the job', async () => {
    const id = await create()
    const late = blocking()
    const first = run(id, late.agent)
    await late.reached
    await run(id, changing('In time'))
    late.goOn()
    await first
    const job = await get(id)
    expect(job).toMatchObject({ status: 'completed', error: null })
    expect(await git('rev-list', '--count', `main..${job.branch}`)).toBe('1')
    expect(await git('show', `${job.branch}:index.mdx`)).toBe('# In time')
  })

  test('cannot store a step any more, and is told to stop', async () => {
    const id = await create()
    const late = blocking()
    const first = run(id, late.agent)
    const lateRun = await late.reached
    await run(id, changing('In time'))
    write(lateRun, 'Late')
    await expect(lateRun.saveStep(step)).rejects.toMatchObject({ code: 'job.lost' })
    while (!lateRun.signal.aborted) await sleep(20)
    late.goOn()
    await first
    expect((await get(id)).usage.steps).toBe(1)
  })
})

describe('an archived job', () => {
  test('is left alone by its worker within moments, and nothing is published', async () => {
    const id = await create()
    const busy = blocking()
    const running = run(id, busy.agent)
    const { signal } = await busy.reached
    await app.call('POST', `/v2/agent/${projectId}/job/${id}/archive`)
    while (!signal.aborted) await sleep(20)
    busy.goOn()
    await running
    expect(await get(id)).toMatchObject({ status: 'archived', prLink: null })
    expect(await git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main')
  })
})

describe('a worker that is told to stop', () => {
  test('hands the job back without counting it as a failure', async () => {
    const id = await create()
    for (let round = 0; round < 5; round++) {
      const stopping = new AbortController()
      const before = (await rowOf(id)).ticket
      await run(
        id,
        async ({ signal }) => {
          stopping.abort()
          signal.throwIfAborted()
          throw new Error('not reached')
        },
        { stopping: stopping.signal },
      )
      expect((await rowOf(id)).ticket).toBe(before + 1)
    }
    expect(await messageOf(id)).toMatchObject({ state: 'waiting', attempts: 0 })
    await run(id, changing('At last'))
    expect((await get(id)).status).toBe('completed')
  })
})

describe('a fault that passes', () => {
  const away = () => new DocentError('unavailable', 'host.away', 'The host is away.', { retryAfterSeconds: 40 })

  test('puts the job back for as long as the host asks, and goes on after the steps that are stored', async () => {
    const id = await create()
    await run(id, async (run) => {
      write(run, 'Half')
      await run.saveStep(step)
      throw away()
    })
    expect(await messageOf(id)).toMatchObject({ state: 'waiting', attempts: 1 })
    const { text } = await events(id)
    expect(text).toContain('The host is away. Trying again in 40 s.')
    let seen: string | undefined
    await run(id, async (run) => {
      seen = (await run.tree.read('index.mdx'))?.toString()
      expect(run.steps).toEqual([step])
      return outcome
    })
    expect(seen).toBe('# Half\n')
    expect(await get(id)).toMatchObject({ status: 'completed', usage: { steps: 1, inputTokens: 10, outputTokens: 1 } })
  })

  test('that does not pass fails the job at the third try, with its words', async () => {
    const id = await create()
    for (let attempt = 1; attempt <= 3; attempt++) {
      expect((await get(id)).status).toBe('active')
      await run(id, failing(away()))
    }
    expect(await get(id)).toMatchObject({
      status: 'failed',
      error: { code: 'host.away', message: 'The host is away.' },
    })
  })

  test('does not keep a follow-up from its turn', async () => {
    const id = await create()
    await app.call('POST', `/v2/agent/${projectId}/job/${id}/message`, { body: { prompt: 'y' } })
    await run(id, failing(new DocentError('invalid', 'agent.cannot', 'It cannot be done.')))
    expect((await get(id)).status).toBe('active')
    await run(id, changing('Second'))
    expect(await get(id)).toMatchObject({ status: 'completed', error: null })
  })
})

describe('a worker that dies', () => {
  test('three times over one prompt fails the job', async () => {
    const id = await create()
    await app.services.db.updateTable('agentMessages').set({ attempts: 3 }).where('jobId', '=', id).execute()
    await run(id, changing('Never'))
    expect(await get(id)).toMatchObject({ status: 'failed', error: { code: 'job.worker_died' } })
  })
})

describe('a fault that nobody foresaw', () => {
  test('fails the job at once with words that give nothing away, and is in the log', async () => {
    const id = await create()
    await run(id, failing(new Error('secret path /srv/x')))
    const job = await get(id)
    expect(job).toMatchObject({ status: 'failed', error: { code: 'server.internal' } })
    expect(JSON.stringify(job)).not.toContain('/srv/x')
    expect(app.logged.some((line) => line.includes('secret path /srv/x') && line.includes(id))).toBe(true)
  })
})

describe('a change that is too large', () => {
  test.each([
    [
      'in files',
      'job.too_many_files',
      (run: AgentRun) => range(501, (index) => run.tree.write(`p${index}.mdx`, Buffer.from('x\n'))),
    ],
    [
      'in bytes',
      'job.patch_too_large',
      (run: AgentRun) => run.tree.write('big.mdx', Buffer.alloc(1_100_000, 'words\n')),
    ],
  ])('%s is refused, and nothing is published', async (_, code, change) => {
    const id = await create()
    await run(id, async (run) => {
      change(run)
      return outcome
    })
    expect(await get(id)).toMatchObject({ status: 'failed', error: { code } })
    expect(await git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main')
  })
})

describe('keeping jobs', () => {
  test('archives those that ended long ago, tells of it, and leaves the others', async () => {
    const [old, fresh, active] = [await create(), await create(), await create()]
    await run(old, changing('Old'))
    const before = now
    now = new Date(now.getTime() + 10 * 24 * 3_600_000)
    await run(fresh, changing('Fresh'))
    await pruneJobs(app.services, { retentionDays: 9 })
    expect([(await get(old)).status, (await get(fresh)).status, (await get(active)).status]).toEqual([
      ...['archived', 'completed', 'active'],
    ])
    expect((await get(old)).prLink).not.toBeNull()
    expect((await events(old)).text).toContain('event: archived')
    now = before
  })
})

/** The events so far; a job that is active keeps the connection, so they are read from the database. */
async function events(id: string): Promise<{ text: string }> {
  const rows = await app.services.db.selectFrom('agentEvents').selectAll().where('jobId', '=', id).execute()
  return { text: rows.map(({ type, data }) => `event: ${type}\n${JSON.stringify(data)}`).join('\n') }
}

function range(length: number, each: (index: number) => void): void {
  for (let index = 0; index < length; index++) each(index)
}
