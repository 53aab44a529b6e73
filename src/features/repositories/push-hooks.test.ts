import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { isSignedByGithub, isSignedByGitlab } from './hook-signature.ts'

describe('a signature', () => {
  // The example in GitHub's documentation.
  const secret = "It's a Secret to Everybody"
  const body = Buffer.from('Hello, World!')
  const good = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'

  test.each<[string, string | string[] | undefined, boolean]>([
    ['as GitHub makes it', good, true],
    ['none', undefined, false],
    ['an empty one', '', false],
    ['two', [good, good], false],
    ['without its algorithm', good.slice(7), false],
    ['of SHA-1', `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`, false],
    ['in capitals', good.toUpperCase(), false],
    ['one character short', good.slice(0, -1), false],
    ['one character long', `${good}0`, false],
    ['of another body', `sha256=${createHmac('sha256', secret).update('Hello, World').digest('hex')}`, false],
    ['by another secret', `sha256=${createHmac('sha256', 'other').update(body).digest('hex')}`, false],
  ])('of GitHub: %s', (_, signature, isGood) => {
    expect(isSignedByGithub({ headers: { 'x-hub-signature-256': signature }, body, secret })).toBe(isGood)
  })

  const gitlabSecret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`
  const now = new Date('2030-01-02T03:04:05Z')
  const signed = (at: Date, text = 'body') => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(gitlabSecret).sign('msg_1', at, text),
  })
  const minutes = (count: number) => new Date(now.getTime() + count * 60_000)

  test.each<[string, Record<string, string>, boolean]>([
    ['the secret token', { 'x-gitlab-token': gitlabSecret }, true],
    ['another token', { 'x-gitlab-token': 'x' }, false],
    ['half of the token', { 'x-gitlab-token': gitlabSecret.slice(0, -1) }, false],
    ['nothing', {}, false],
    ['a signature', signed(now), true],
    [
      'a signature among others',
      { ...signed(now), 'webhook-signature': `v1,AAAA ${signed(now)['webhook-signature']} v2,x` },
      true,
    ],
    ['a signature of four minutes ago', signed(minutes(-4)), true],
    ['a signature of six minutes ago', signed(minutes(-6)), false],
    ['a signature of six minutes from now', signed(minutes(6)), false],
    ['a signature of another body', signed(now, 'other'), false],
    ['a signature of another message', { ...signed(now), 'webhook-id': 'msg_2' }, false],
    ['a signature with another time', { ...signed(now), 'webhook-timestamp': '1893553440' }, false],
    ['a wrong signature and the right token', { ...signed(now, 'other'), 'x-gitlab-token': gitlabSecret }, false],
  ])('of GitLab: %s', (_, headers, isGood) => {
    expect(isSignedByGitlab({ headers, body: Buffer.from('body'), secret: gitlabSecret, now })).toBe(isGood)
  })
})

describe('a host that tells of a push', () => {
  let it: TestApp
  let project: { id: string }
  let hook: { urls: { github: string; gitlab: string }; secret: string }
  beforeAll(async () => {
    it = await createTestApp()
  })
  beforeEach(async () => {
    const source = { provider: 'github', repository: 'Acme/Docs', token: 'x' }
    project = (await it.call('POST', '/v1/projects', { body: { name: 'Hooked', source } })).body
    const { status, body } = await it.call('POST', `/v1/projects/${project.id}/push-hook`)
    expect(status).toBe(201)
    hook = body
  })
  afterAll(() => it.close())

  const [old, next, none] = ['1'.repeat(40), '2'.repeat(40), '0'.repeat(40)]
  const repository = { html_url: 'https://github.com/acme/docs', clone_url: 'https://github.com/acme/docs.git' }
  const push = { ref: 'refs/heads/main', before: old, after: next, repository, commits: [{ id: next }] }

  function github(payload: unknown, { event = 'push', secret = hook.secret, headers = {}, path = '' } = {}) {
    const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
    return it.call('POST', path || new URL(hook.urls.github).pathname, {
      key: null,
      body,
      headers: {
        'content-type': 'application/json',
        'x-github-event': event,
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
        ...headers,
      },
    })
  }

  function gitlab(payload: unknown, headers: Record<string, string> = {}) {
    return it.call('POST', new URL(hook.urls.gitlab).pathname, {
      key: null,
      body: JSON.stringify(payload),
      headers: {
        'content-type': 'application/json',
        'x-gitlab-event': 'Push Hook',
        'x-gitlab-token': hook.secret,
        ...headers,
      },
    })
  }

  async function jobs() {
    const found = await sql<{ data: Record<string, unknown> }>`
      select data from pgboss.job where name = 'repositories.pushed' and data->>'projectId' = ${project.id} order by created_on`.execute(
      it.services.db,
    )
    return found.rows.map(({ data: { projectId, ...move } }) => move)
  }

  test.each<[string, object, object]>([
    ['a push', {}, { branch: 'main', before: old, commit: next }],
    [
      'a new branch',
      { ref: 'refs/heads/feature/ü', before: none },
      { branch: 'feature/ü', before: null, commit: next },
    ],
    ['a deleted branch', { after: none, deleted: true }, { branch: 'main', before: old, commit: null }],
  ])('of GitHub: %s is taken', async (_, change, expected) => {
    const answer = await github({ ...push, ...change })
    expect([answer.status, answer.text]).toEqual([202, ''])
    expect(await jobs()).toEqual([expected])
  })

  test('of GitHub as a form is taken as well', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = `payload=${encodeURIComponent(JSON.stringify(push))}`
    expect((await github(body, { headers: form })).status).toBe(202)
    expect(await jobs()).toHaveLength(1)
  })

  test.each<[string, unknown, string]>([
    ['a ping', { zen: 'Keep it logically awesome.' }, 'ping'],
    ['an issue', { action: 'opened' }, 'issues'],
    ['a tag', { ...push, ref: 'refs/tags/v1' }, 'push'],
    ['another repository', { ...push, repository: { html_url: 'https://github.com/acme/other' } }, 'push'],
    ['the same name on another host', { ...push, repository: { html_url: 'https://evil.test/acme/docs' } }, 'push'],
  ])('of GitHub: %s is answered and ignored', async (_, payload, event) => {
    expect((await github(payload, { event })).status).toBe(204)
    expect(await jobs()).toEqual([])
  })

  test.each(['{', '[]', '{"ref":1}', ''])('whose push reads %j is told so', async (payload) => {
    const answer = await github(payload)
    expect([answer.status, answer.body.code]).toEqual([400, 'hooks.unreadable'])
  })

  test('of GitLab is taken; another event is ignored', async () => {
    const source = { provider: 'gitlab', repository: 'https://gitlab.example.com/group/docs' }
    project = (await it.call('POST', '/v1/projects', { body: { name: 'Hooked', source } })).body
    hook = (await it.call('POST', `/v1/projects/${project.id}/push-hook`)).body
    const place = {
      web_url: 'https://gitlab.example.com/group/docs',
      git_http_url: 'https://gitlab.example.com/group/docs.git',
    }
    const payload = { object_kind: 'push', ref: 'refs/heads/main', before: old, after: next, project: place }
    expect((await gitlab(payload)).status).toBe(202)
    expect((await gitlab({ ...payload, after: none })).status).toBe(202)
    expect((await gitlab(payload, { 'x-gitlab-event': 'Tag Push Hook' })).status).toBe(204)
    expect((await gitlab({ ...payload, project: { web_url: 'https://gitlab.example.com/group/other' } })).status).toBe(
      204,
    )
    expect((await gitlab(payload, { 'x-gitlab-token': 'x' })).status).toBe(401)
    expect(await jobs()).toEqual([
      { branch: 'main', before: old, commit: next },
      { branch: 'main', before: old, commit: null },
    ])
  })

  test('with a wrong signature is refused, and not told whether there is such a project', async () => {
    const bare = (await it.call('POST', '/v1/projects', { body: { name: 'No hook' } })).body
    const answers = [
      await github(push, { secret: 'wrong' }),
      await github(push, { headers: { 'x-hub-signature-256': '' } }),
      await github(push, { path: `/v1/hooks/${newId('prj')}/github` }),
      await github(push, { path: `/v1/hooks/${bare.id}/github` }),
      await github(push, { path: '/v1/hooks/nonsense%00/github' }),
      await github('', { secret: 'wrong', event: 'ping' }),
    ]
    for (const { status, body } of answers) expect([status, body]).toEqual([401, answers[0]!.body])
    expect(await jobs()).toEqual([])
  })

  test('with a secret that was replaced is refused', async () => {
    const { body: newer } = await it.call('POST', `/v1/projects/${project.id}/push-hook`)
    expect((await github(push)).status).toBe(401)
    expect((await github(push, { secret: newer.secret })).status).toBe(202)
  })

  test('is not asked for a key, and is refused what is no JSON, too large, or for a host that we do not know', async () => {
    expect((await github(push, { headers: { 'content-type': 'text/plain' } })).status).toBe(415)
    expect((await github('x'.repeat(26 * 1024 * 1024))).status).toBe(413)
    expect((await github(push, { path: `/v1/hooks/${project.id}/svn` })).status).toBe(400)
  })

  test('may send a few large payloads after each other', async () => {
    const large = { ...push, padding: 'x'.repeat(2_000_000) }
    for (let count = 0; count < 6; count++) expect((await github(large)).status).toBe(202)
  })

  test('gets its secret from whoever may write, once, sealed for its project alone', async () => {
    const { body: key } = await it.call('POST', '/v1/keys', { body: { name: 'reader', scopes: ['read'] } })
    const others = await it.createOrganization('Others')
    const path = `/v1/projects/${project.id}/push-hook`
    expect((await it.call('POST', path, { key: key.key })).status).toBe(403)
    expect((await it.call('POST', path, { key: others.key })).status).toBe(404)
    expect((await it.call('POST', `/v1/projects/${newId('prj')}/push-hook`)).status).toBe(404)
    expect((await it.call('POST', path, { key: null })).status).toBe(401)
    expect((await github(push)).status).toBe(202)
    expect(hook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const { rows } = await sql<{ sealed: string }>`
      select sealed_push_secret as sealed from projects where id = ${project.id}`.execute(it.services.db)
    expect(it.services.secretBox.open(rows[0]!.sealed, `projects.push_secret ${project.id}`)).toBe(hook.secret)
    expect((await it.call('GET', `/v1/projects/${project.id}`)).text).not.toContain('whsec')
    expect((await it.call('GET', '/v1/audit')).text).not.toContain('whsec')
    expect(it.logged.join('')).not.toContain(hook.secret)
  })
})
