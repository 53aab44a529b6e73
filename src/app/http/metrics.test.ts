import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newId, randomBase62 } from '#base/ids.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'

let it: TestApp
beforeAll(async () => {
  it = await createTestApp()
})
afterAll(() => it.close())

const elsewhere = '203.0.113.1'

async function series(): Promise<string[]> {
  const { text } = await it.call('GET', '/metrics', { key: null })
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}

/** How many requests were measured, by the labels given. */
async function measured(labels: string): Promise<number> {
  const line = (await series()).find((one) => one.startsWith(`docent_http_request_duration_seconds_count{${labels}}`))
  return Number(line?.split(' ').at(-1) ?? 0)
}

test('the answer is Prometheus text, about this process and its requests', async () => {
  const answer = await it.call('GET', '/metrics', { key: null })
  expect(answer.status).toBe(200)
  expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  const lines = answer.text.trimEnd().split('\n')
  const comment = /^# (HELP|TYPE) [a-zA-Z_:][\w:]* .+$/
  const sample = /^[a-zA-Z_:][\w:]*(\{([a-zA-Z_]\w*="[^"\n]*",?)*\})? ([-+]?[\d.]+(e[-+]?\d+)?|NaN|[+-]Inf)$/i
  expect(lines.filter((line) => !comment.test(line) && !sample.test(line) && line !== '')).toEqual([])
  expect(answer.text).toContain('process_resident_memory_bytes ')
  expect(answer.text).toContain('nodejs_eventloop_lag_seconds ')
})

test.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])('they are open to %s', async (remoteAddress) => {
  expect((await it.call('GET', '/metrics', { key: null, remoteAddress })).status).toBe(200)
})

test.each([elsewhere, '10.0.0.1', '2001:db8::1', '::ffff:203.0.113.1', '0.0.0.0'])(
  'from %s they need a key, of any scope',
  async (remoteAddress) => {
    const without = await it.call('GET', '/metrics', { key: null, remoteAddress })
    expect(without.status).toBe(401)
    expect(without.headers['www-authenticate']).toBe('Bearer')
    expect(without.body).toEqual({ error: expect.any(String), code: 'auth.missing_key' })
    const wrong = await it.call('GET', '/metrics', { key: `docent_${randomBase62(43)}`, remoteAddress })
    expect(wrong.status).toBe(401)
    const { key } = await it.createOrganization('Monitoring', ['read'])
    expect((await it.call('GET', '/metrics', { key, remoteAddress })).status).toBe(200)
  },
)

test.each(['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])(
  'a proxy on this machine, told by %s, does not open them to the world',
  async (header) => {
    for (const value of [elsewhere, '127.0.0.1', '']) {
      const headers = { [header]: value }
      expect((await it.call('GET', '/metrics', { key: null, headers })).status).toBe(401)
      expect((await it.call('GET', '/metrics', { headers })).status).toBe(200)
    }
  },
)

test('requests are counted by route pattern, method and status', async () => {
  const labels = 'method="GET",route="/v1/projects/:projectId",status="404"'
  const before = await measured(labels)
  for (let call = 0; call < 7; call++) await it.call('GET', `/v1/projects/${newId('prj')}`)
  await vi.waitFor(async () => expect(await measured(labels)).toBe(before + 7))
})

test('guessed paths and ids make no new series', async () => {
  const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'] as const
  const guess = async () => {
    for (const method of methods) {
      await it.call(method, `/${randomBase62(10)}/${randomBase62(5)}?${randomBase62(5)}`)
      await it.call(method, `/v1/projects/${randomBase62(10)}`, { headers: { 'x-request-id': randomBase62(9) } })
      await it.call(method, `/%ZZ${randomBase62(5)}`)
    }
  }
  await guess()
  const labels = 'method="HEAD",route="unknown",status="404"'
  await vi.waitFor(async () => expect(await measured(labels)).toBeGreaterThan(0))
  const before = (await series()).length
  const counted = await measured(labels)
  for (let round = 0; round < 10; round++) await guess()
  await vi.waitFor(async () => expect(await measured(labels)).toBe(counted + 10))
  expect((await series()).length).toBe(before)
})
