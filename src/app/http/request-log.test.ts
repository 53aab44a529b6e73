import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { randomBase62 } from '#base/ids.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { testAdminKey } from '#tests/harness/test-config.ts'

let it: TestApp
beforeAll(async () => {
  it = await createTestApp({ settings: { logLevel: 'trace' } })
})
afterAll(() => it.close())

/** The line about a request, which is written when its answer is out. */
async function lineOf(requestId: string) {
  return await vi.waitFor(() => {
    const entries = it.logged.map((line) => JSON.parse(line))
    const entry = entries.find(({ msg, requestId: id }) => msg === 'http.request' && id === requestId)
    expect(entry).toBeDefined()
    return entry
  })
}

describe('a request', () => {
  test('leaves one line: what was asked, by whom, and how it went', async () => {
    const { headers } = await it.call('GET', '/v1/projects?limit=1')
    const entry = await lineOf(String(headers['x-request-id']))
    expect(entry).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      requestId: headers['x-request-id'],
      method: 'GET',
      path: '/v1/projects',
      status: 200,
      durationMs: expect.any(Number),
      by: expect.stringMatching(/^key_/),
      msg: 'http.request',
    })
  })

  test('without a good key has nobody behind it', async () => {
    const { headers } = await it.call('GET', '/v1/projects', { key: null })
    const entry = await lineOf(String(headers['x-request-id']))
    expect(entry).toMatchObject({ status: 401 })
    expect(entry).not.toHaveProperty('by')
  })

  test('of a probe is for debugging only', async () => {
    for (const url of ['/healthz', '/readyz', '/metrics']) {
      const { headers } = await it.call('GET', url)
      expect(await lineOf(String(headers['x-request-id']))).toMatchObject({ level: 'debug', path: url })
    }
  })

  test('cannot write lines of its own', async () => {
    const forged = '{"level":"error","msg":"forged"}'
    const before = it.logged.length
    const url = `/${encodeURIComponent(`\n${forged}\n`)}`
    const { headers } = await it.call('GET', url, { headers: { 'user-agent': `x\n${forged}` } })
    await lineOf(String(headers['x-request-id']))
    for (const line of it.logged.slice(before)) expect(JSON.parse(line).msg).not.toBe('forged')
  })
})

describe('secrets', () => {
  const token = `ghp_${randomBase62(36)}`
  const plainToken = `t0ken-${randomBase62(24)}`
  const unknownKey = `docent_${randomBase62(43)}`
  const github = { provider: 'github', repository: 'acme/docs' }

  test('of every way in are in no line of the log, at its most talkative', async () => {
    const { body: made } = await it.call('POST', '/v1/keys', { body: { name: 'seen once' } })
    const headers = { cookie: `session=${plainToken}`, 'x-api-key': plainToken }
    const { body: project } = await it.call('POST', '/v1/projects', {
      body: { name: 'P', source: { ...github, token } },
      headers,
    })
    await it.call('PATCH', `/v1/projects/${project.id}`, { body: { source: { token: plainToken } } })
    await it.call('POST', '/v1/projects', {
      body: { name: '', source: { ...github, token, apiUrl: `https://u:${plainToken}@x.test` } },
    })
    await it.call('POST', '/v1/projects', {
      body: { name: 'P', source: { ...github, repository: `https://u:${plainToken}@x.test/a/b` } },
    })
    await it.call('POST', '/v1/projects', {
      body: `{"token":"${plainToken}"`,
      headers: { 'content-type': 'application/json' },
    })
    for (const key of [made.key, unknownKey, `Bearer${testAdminKey}`, `docent_${plainToken}`])
      await it.call('GET', '/v1/projects', { key })
    for (const key of [made.key, unknownKey, testAdminKey]) {
      await it.call('GET', `/v1/projects?key=${key}&token=${plainToken}`, { key: null })
      await it.call('GET', `/v1/projects/${key}`)
      await it.call('GET', `/${key}?token=${plainToken}#${key}`)
      await it.call('GET', `/%ZZ${key}?token=${plainToken}`)
      await it.call('GET', '/v1/projects', { headers: { 'x-request-id': key } })
      await it.call('GET', '/v1/projects', {
        key: null,
        headers: { authorization: `Basic ${Buffer.from(`x:${key}`).toString('base64')}` },
      })
    }
    await it.call('DELETE', `/v1/keys/${made.id}`)
    expectHidden([made.key, unknownKey, testAdminKey, token, plainToken])
  })

  test('that are part of a link to a preview are not written down, however the link is written', async () => {
    const mac = randomBase62(43)
    const links = [`main@1790000000-${mac}`, `main%401790000000-${mac}`, `main%401790000000%2D${mac}`]
    const urls = links.flatMap((name) => [
      `/previews/docs/${name}/`,
      `/%70reviews/docs/${name}/a/b`,
      `/previews/docs/${name}`,
    ])
    for (const url of urls) {
      const { headers } = await it.call('GET', url, { key: null })
      expect((await lineOf(String(headers['x-request-id']))).path).toMatch(
        /^\/(?:p|%70)reviews\/docs\/main@1790000000-…/,
      )
    }
    expectHidden([mac])
  })

  test('stay out of the log of a failure, which quotes what the database was given', async () => {
    await sql`alter table projects add constraint no_bombs check (name <> 'bomb')`.execute(it.services.db)
    await sql`alter table api_keys add constraint no_bombs check (name <> 'bomb')`.execute(it.services.db)
    const secrets = [token, plainToken, testAdminKey]
    for (const secret of secrets) {
      const failed = await it.call('POST', '/v1/projects', {
        body: { name: 'bomb', source: { ...github, token: secret } },
      })
      expect(failed.status).toBe(500)
    }
    expect((await it.call('POST', '/v1/keys', { body: { name: 'bomb' } })).status).toBe(500)
    const failures = it.logged.filter((line) => line.includes('http.failed'))
    expect(failures).toHaveLength(4)
    expect(failures.join('')).not.toMatch(/docent_[0-9A-Za-z]{8}/)
    expectHidden(secrets)
  })

  function expectHidden(secrets: string[]): void {
    expect(it.logged.length).toBeGreaterThan(10)
    const log = it.logged.join('')
    for (const secret of secrets) {
      expect(log).not.toContain(secret)
      expect(log).not.toContain(Buffer.from(secret).toString('base64').slice(0, -4))
      expect(log).not.toContain(encodeURIComponent(secret))
    }
  }
})
