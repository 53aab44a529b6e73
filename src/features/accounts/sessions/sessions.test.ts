import { verifyPassword } from 'better-auth/crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compose } from '#app/compose.ts'
import { buildServer } from '#app/http/server.ts'
import { newId } from '#base/ids.ts'
import { cookieIn, createMember, createOwner, type Person, signInAgain } from '#tests/harness/person.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { createPasswordHasher } from './password-hash.ts'

const clock = { at: Date.now(), now: () => new Date(clock.at) }

let it: TestApp
let owner: Person
beforeAll(async () => {
  it = await createTestApp({ clock })
  owner = await createOwner(it)
})
afterAll(() => it.close())

const password = 'wrong password'
const attempt = (email: string, remoteAddress: string, given = password) =>
  it.call('POST', '/v1/session', { key: null, remoteAddress, body: { email, password: given } })

describe('signing in', () => {
  test('opens a session by a cookie that no script can read, and says who it is', async () => {
    const answer = await attempt(` ${owner.email.toUpperCase()}`, '192.0.2.1', owner.password)
    expect([answer.status, answer.body.user]).toEqual([200, { id: owner.id, name: 'Ana', email: owner.email }])
    expect([answer.headers['set-cookie']].flat()).toEqual([
      expect.stringMatching(/^docent_session=[\w%.]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
    expect(answer.headers['cache-control']).toBe('no-store')
    const cookie = cookieIn(answer)
    const { body } = await it.call('GET', '/v1/session', { key: null, headers: { cookie } })
    expect(body).toEqual(answer.body)
  })

  test('over https its cookie is for https only', async () => {
    const secure = await createTestApp({ settings: { baseUrl: 'https://docs.example' } })
    const person = await createOwner(secure)
    const { headers } = await secure.call('POST', '/v1/session', { key: null, body: person })
    expect(String(headers['set-cookie'])).toMatch(/^docent_session=.*; Secure/)
    const out = await person.call('DELETE', '/v1/session')
    expect(out.headers['set-cookie']).toBe('docent_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure')
    await secure.close()
  })

  test('answers an unknown address and a wrong password alike, in about the same time', async () => {
    const took = { known: [] as number[], unknown: [] as number[] }
    for (let round = 0; round < 4; round++) {
      for (const [who, email] of [
        ['known', owner.email],
        ['unknown', 'nobody@example.com'],
      ] as const) {
        const began = performance.now()
        const { status, text } = await attempt(email, `192.0.2.${10 + round}`)
        took[who].push(performance.now() - began)
        expect([status, text]).toEqual([
          401,
          '{"error":"There is no member with this e-mail address and password.","code":"auth.wrong_password"}',
        ])
      }
    }
    // Not hashing at all would be a hundred times quicker.
    expect(Math.min(...took.unknown)).toBeGreaterThan(Math.min(...took.known) / 4)
  })

  test.each(['https://evil.example', 'null', 'http://127.0.0.1:9999'])(
    'is refused from a page of %s',
    async (origin) => {
      const { status, body } = await it.call('POST', '/v1/session', {
        key: null,
        headers: { origin, host: '127.0.0.1:4400' },
        body: { email: owner.email, password: owner.password },
      })
      expect([status, body.code]).toEqual([403, 'auth.cross_site'])
    },
  )

  test('is counted by who and from where: ten guesses a minute, and nobody is locked out from elsewhere', async () => {
    const person = await createMember(it, 'viewer')
    clock.at += 60_000
    for (let count = 0; count < 10; count++) expect((await attempt(person.email, '198.51.100.1')).status).toBe(401)
    const refused = await attempt(person.email, '198.51.100.1', person.password)
    expect([refused.status, refused.body.code]).toEqual([429, 'auth.too_many_attempts'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused.body.error).toContain(`${refused.headers['retry-after']} s`)
    // From another address, and somebody else from the same.
    expect((await attempt(person.email, '198.51.100.2', person.password)).status).toBe(200)
    expect((await attempt(owner.email, '198.51.100.1', owner.password)).status).toBe(200)
    clock.at += 60_000
    expect((await attempt(person.email, '198.51.100.1', person.password)).status).toBe(200)
  })

  test('forty attempts a minute from one address are enough, whatever they try', async () => {
    clock.at += 60_000
    const tries: [string, object][] = [
      ['/v1/invitations/lookup', { token: 'x' }],
      ['/v1/setup', { token: 'x', name: 'x', email: 'x@example.com', password: 'ten letters' }],
      ['/v1/invitations/accept', { token: 'x', name: 'x', email: 'x@example.com', password: 'ten letters' }],
      ['/v1/password', { token: 'x', password: 'ten letters' }],
    ]
    const statuses: number[] = []
    for (let count = 0; count < 44; count++) {
      const [path, body] = tries[count % tries.length]!
      statuses.push((await it.call('POST', path, { key: null, remoteAddress: '198.51.100.9', body })).status)
    }
    expect(new Set(statuses.slice(0, 40))).toEqual(new Set([403, 409]))
    expect(statuses.slice(40)).toEqual([429, 429, 429, 429])
  })
})

describe('a password', () => {
  test('is kept as better-auth keeps it: salted, slow, and no two alike', async () => {
    const hasher = createPasswordHasher()
    const [one, two] = await Promise.all([hasher.hash('correct horse'), hasher.hash('correct horse')])
    expect(one).not.toBe(two)
    expect(await verifyPassword({ hash: one, password: 'correct horse' })).toBe(true)
    expect(await hasher.verify({ hash: one, password: 'correct horse' })).toBe(true)
    expect(await hasher.verify({ hash: one, password: 'correct horsf' })).toBe(false)
    expect(await hasher.verify({ hash: 'nonsense', password: '' })).toBe(false)
    const { rows } = await sql`select * from user_accounts`.execute(it.services.db)
    expect(JSON.stringify(rows)).not.toContain(owner.password)
    expect(it.logged.join('')).not.toContain(owner.password)
  })

  test('is hashed few at a time; a flood is turned away, and later ones are served again', async () => {
    const hasher = createPasswordHasher({ mostAtOnce: 2, mostWaiting: 3 })
    const results = await Promise.allSettled(Array.from({ length: 13 }, () => hasher.hash('x')))
    const refused = results.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(8)
    expect((refused[0] as PromiseRejectedResult).reason).toMatchObject({
      kind: 'unavailable',
      code: 'server.overloaded',
    })
    expect(await hasher.hash('x')).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/)
  })

  test('is changed by who knows the one before, which ends all other sessions', async () => {
    const person = await createMember(it, 'viewer')
    const other = await signInAgain(it, person)
    const change = (current: string, next = 'the next password') =>
      person.call('PATCH', '/v1/account', { body: { password: { current, next } } })
    const wrong = await change('not this one')
    expect([wrong.status, wrong.body.code]).toEqual([403, 'auth.wrong_password'])
    expect((await change(person.password, 'short')).body.details[0].path).toBe('password.next')
    expect((await other.call('GET', '/v1/projects')).status).toBe(200)
    const done = await change(person.password)
    expect([done.status, done.body.user.id]).toEqual([200, person.id])
    expect((await other.call('GET', '/v1/projects')).status).toBe(401)
    expect((await person.call('GET', '/v1/projects')).status).toBe(200)
    expect((await signInAgain(it, person)).cookie).toBe('')
    expect((await signInAgain(it, { ...person, password: 'the next password' })).cookie).not.toBe('')
    const { body } = await it.call('GET', '/v1/audit?limit=1')
    expect(body.records[0]).toMatchObject({ action: 'password.change', target: person.id, details: {} })
  })
})

describe('sessions', () => {
  test('are listed for their own person, the newest first, and end one by one', async () => {
    const person = await createMember(it, 'viewer')
    const second = await signInAgain(it, person)
    const { body, text } = await second.call('GET', '/v1/sessions')
    expect(body.sessions.map(({ current }: { current: boolean }) => current)).toEqual([true, false])
    for (const session of body.sessions) {
      expect(session).toEqual({
        id: expect.stringMatching(/^ses_/),
        current: expect.any(Boolean),
        createdAt: expect.any(String),
        lastUsedAt: expect.any(String),
        expiresAt: expect.any(String),
        userAgent: 'lightMyRequest',
      })
      const lasts = Date.parse(session.expiresAt) - Date.parse(session.createdAt)
      expect(Math.abs(lasts - 30 * 86_400_000)).toBeLessThan(5_000)
    }
    expect(text).not.toMatch(/token|203\.0/)
    const first = body.sessions[1].id
    expect((await owner.call('DELETE', `/v1/sessions/${first}`)).status).toBe(404)
    expect((await second.call('DELETE', `/v1/sessions/${newId('ses')}`)).status).toBe(404)
    expect((await person.call('GET', '/v1/projects')).status).toBe(200)
    expect((await second.call('DELETE', `/v1/sessions/${first}`)).status).toBe(204)
    expect((await person.call('GET', '/v1/projects')).status).toBe(401)
    expect((await second.call('GET', '/v1/sessions')).body.sessions).toHaveLength(1)
  })

  test('are nothing for a key', async () => {
    for (const [method, path, body] of [
      ['GET', '/v1/sessions'],
      ['DELETE', `/v1/sessions/${newId('ses')}`],
      ['PATCH', '/v1/account', { name: 'x' }],
    ] as const) {
      const answer = await it.call(method, path, body ? { body } : {})
      expect([answer.status, answer.body.code]).toEqual([403, 'auth.session_needed'])
    }
  })

  test('never have an address in the database', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.77', 'x-real-ip': '203.0.113.77' }
    await it.call('POST', '/v1/session', { key: null, headers, body: { email: owner.email, password: owner.password } })
    const { rows } = await sql<{ ip_address: null }>`select * from sessions`.execute(it.services.db.withoutPlugins())
    expect(rows.every((row) => row.ip_address === null)).toBe(true)
    expect(JSON.stringify(rows)).not.toContain('203.0')
  })

  test('end with signing out, which also works twice and without one', async () => {
    const person = await signInAgain(it, owner)
    const out = await person.call('DELETE', '/v1/session')
    expect([out.status, out.headers['set-cookie']]).toEqual([
      204,
      'docent_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
    ])
    expect((await person.call('GET', '/v1/projects')).status).toBe(401)
    expect((await person.call('DELETE', '/v1/session')).status).toBe(204)
    expect((await it.call('DELETE', '/v1/session', { key: null })).status).toBe(204)
    expect((await owner.call('GET', '/v1/projects')).status).toBe(200)
  })

  test('are prolonged by being used, and end thirty days after that', async () => {
    const person = await signInAgain(it, owner)
    const age = (days: number) =>
      sql`update sessions set expires_at = expires_at - make_interval(days => ${days}),
          updated_at = updated_at - make_interval(days => ${days}) where user_id = ${owner.id}`.execute(it.services.db)
    await age(29)
    clock.at += 1_000
    const used = await person.call('GET', '/v1/projects')
    expect([used.status, cookieIn(used)]).toEqual([200, person.cookie])
    const { body } = await person.call('GET', '/v1/sessions')
    const own = body.sessions.find(({ current }: { current: boolean }) => current)
    expect(Date.parse(own.expiresAt)).toBeGreaterThan(Date.now() + 29 * 86_400_000)
    expect(Date.parse(own.lastUsedAt)).toBeGreaterThan(Date.now() - 60_000)
    await age(31)
    clock.at += 1_000
    const late = await person.call('GET', '/v1/projects')
    expect([late.status, late.body.code]).toEqual([401, 'auth.session_ended'])
    owner = await signInAgain(it, owner)
  })

  test('are signed: a token from the database alone, or a changed cookie, is none', async () => {
    const { token } = await it.services.db.selectFrom('sessions').selectAll().limit(1).executeTakeFirstOrThrow()
    const value = owner.cookie.slice('docent_session='.length)
    for (const forged of [
      token,
      `${token}.`,
      `${token}.AAAA`,
      value.slice(0, -8),
      `x${value}`,
      'x'.repeat(5_000),
      '%',
    ]) {
      const headers = { cookie: `docent_session=${forged}` }
      const { status, body } = await it.call('GET', '/v1/projects', { key: null, headers })
      expect([forged, status, body.code]).toEqual([forged, 401, 'auth.session_ended'])
      const state = await it.call('GET', '/v1/session', { key: null, headers })
      expect([state.status, state.body.user]).toEqual([200, null])
      expect(state.headers['set-cookie']).toMatch(/^docent_session=; Max-Age=0/)
    }
  })

  test('stop within a second on another node', async () => {
    const { config, log, database } = it.services
    const itsClock = { at: Date.now(), now: () => new Date(itsClock.at) }
    const services = database.supports.severalProcesses ? await compose({ config, log, clock: itsClock }) : null
    const node = services
      ? await buildServer({ ...services, version: 'x', checks: {}, isStopping: () => false })
      : it.app
    const person = await createMember(it, 'viewer')
    const call = async () => (await node.inject({ url: '/v1/projects', headers: { cookie: person.cookie } })).statusCode
    expect(await call()).toBe(200)
    expect((await owner.call('DELETE', `/v1/members/${person.id}`)).status).toBe(204)
    itsClock.at += 1_000
    expect(await call()).toBe(401)
    if (services) {
      await node.close()
      await services.close({ timeoutMs: 2_000 })
    }
  })
})

test('a name is changed by its own person, a viewer too, and seen in what they do next', async () => {
  const person = await createMember(it, 'viewer')
  const { status, body } = await person.call('PATCH', '/v1/account', { body: { name: '  Vi  ' } })
  expect([status, body.user.name]).toEqual([200, 'Vi'])
  expect((await person.call('GET', '/v1/session')).body.user.name).toBe('Vi')
})

test('better-auth itself is reached by no address', async () => {
  for (const path of ['/v1/session/sign-up/email', '/v1/session/sign-in/email', '/v1/session/docent/open-session']) {
    const { status } = await it.call('POST', path, { key: null, body: { userId: owner.id, email: 'x@example.com' } })
    expect([path, status]).toEqual([path, 404])
  }
})
