import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import type { HttpApp } from '#infra/http/http-app.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { testAdminKey } from '#tests/harness/test-config.ts'
import type { HealthDeps } from './health.ts'
import { buildServer } from './server.ts'

let it: TestApp
beforeAll(async () => {
  it = await createTestApp({ settings: { overloadDelayMs: 1000 } })
})
afterAll(() => it.close())

test('/healthz answers anybody, as long as the process does', async () => {
  const { status, body } = await it.call('GET', '/healthz', { key: null, remoteAddress: '203.0.113.1' })
  expect([status, body]).toEqual([200, { status: 'ok' }])
})

describe('/readyz', () => {
  async function withChecks<T>(checks: HealthDeps['checks'], work: (node: HttpApp) => Promise<T>): Promise<T> {
    const node = await buildServer({ ...it.services, version: 'x', checks, isStopping: () => false })
    return await work(node).finally(() => node.close())
  }
  const passes = async () => {}

  test('is ready when everything answers', async () => {
    const { status, body } = await it.call('GET', '/readyz', { key: null })
    expect([status, body]).toEqual([200, { status: 'ready', checks: { database: 'ok', queue: 'ok' } }])
  })

  test('names what does not answer, and keeps the reason for the log', async () => {
    const fails = async () => {
      throw new Error('connect ECONNREFUSED db.internal:5432 as docent')
    }
    await withChecks({ database: fails, queue: passes, analytics: fails }, async (node) => {
      const { statusCode, headers, payload } = await node.inject('/readyz')
      expect(statusCode).toBe(503)
      expect(headers['retry-after']).toMatch(/^\d+$/)
      expect(JSON.parse(payload)).toEqual({ error: 'Not answering: database, analytics.', code: 'server.not_ready' })
      const lines = it.logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'health.failing')
      expect(lines.map(({ check }) => check)).toEqual(['database', 'analytics'])
      expect(lines[0].reason).toContain('db.internal')
    })
  })

  test('does not wait for a check that never ends', async () => {
    await withChecks({ database: () => new Promise(() => {}), queue: passes }, async (node) => {
      const { statusCode, payload } = await node.inject('/readyz')
      expect(statusCode).toBe(503)
      expect(JSON.parse(payload).error).toBe('Not answering: database.')
    })
  })

  test('asks once for however many probes come at once, and again for the next', async () => {
    const check = vi.fn(() => nextTurn())
    await withChecks({ database: check }, async (node) => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => node.inject('/readyz')))
      expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true)
      expect(check).toHaveBeenCalledTimes(1)
      await node.inject('/readyz')
      expect(check).toHaveBeenCalledTimes(2)
    })
  })

  test('is a 503 that names the database when that is gone, while /healthz still answers', async () => {
    const broken = await createTestApp()
    await broken.services.database.close()
    const { status, body, text } = await broken.call('GET', '/readyz', { key: null })
    expect(status).toBe(503)
    expect(body).toEqual({ error: expect.stringMatching(/^Not answering: database\b/), code: 'server.not_ready' })
    expect(text).not.toContain('127.0.0.1')
    expect((await broken.call('GET', '/healthz')).status).toBe(200)
    const call = await broken.call('GET', '/v1/projects')
    expect(call).toMatchObject({ status: 503, body: { code: 'dependency.unreachable' } })
    expect(call.headers['retry-after']).toBe('5')
    await broken.close()
  })
})

describe.runIf(inject('engine') === 'pglite')('a server that cannot keep up (whatever its database)', () => {
  const call = (url: string) => it.app.inject({ url, headers: { authorization: `Bearer ${testAdminKey}` } })
  const stall = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

  test('sheds load in the shape of any error, still answers probes, and recovers', async () => {
    expect((await call('/v1/projects')).statusCode).toBe(200)
    // Every turn of the event loop takes too long, until somebody notices.
    const giveUpAt = Date.now() + 40_000
    while (!it.app.isUnderPressure() && Date.now() < giveUpAt) {
      stall(1_200)
      await nextTurn()
    }
    const urls = ['/v1/projects', '/nothing', '/healthz', '/metrics']
    const [shed, unknown, healthy, measured] = await Promise.all(urls.map(call))
    for (const answer of [shed!, unknown!]) {
      expect(answer.statusCode).toBe(503)
      expect(answer.headers['retry-after']).toMatch(/^\d+$/)
      expect(answer.headers['x-request-id']).toMatch(/^req_/)
      expect(JSON.parse(answer.payload)).toEqual({ error: expect.any(String), code: 'server.overloaded' })
    }
    expect(healthy!.statusCode).toBe(200)
    expect(measured!.statusCode).toBe(200)
    await vi.waitFor(async () => expect((await call('/v1/projects')).statusCode).toBe(200), { timeout: 30_000 })
  }, 120_000)

  test('is not taken for one that had a long step or two', async () => {
    for (let step = 0; step < 2; step++) {
      stall(1_200)
      await nextTurn()
    }
    for (let turn = 0; turn < 20; turn++) {
      expect((await call('/v1/projects')).statusCode).toBe(200)
      await sleep(20)
    }
  })
})
