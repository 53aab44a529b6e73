import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#base/ids.ts'
import {
  cookieIn,
  createMember,
  createOwner,
  insertMember,
  type Person,
  signInAgain,
  tokenIn,
} from '#tests/harness/person.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { testAdminKey } from '#tests/harness/test-config.ts'
import { pruneAccounts } from './prune-accounts.ts'
import { createSetupLink } from './setup.ts'

const clock = { at: Date.now(), now: () => new Date(clock.at) }
const day = 86_400_000

let it: TestApp
let owner: Person
beforeAll(async () => {
  it = await createTestApp({ clock })
})
afterAll(() => it.close())

const newUser = (token: string, more: object = {}) => ({
  token,
  name: 'Bo',
  email: `${newId('usr').toLowerCase()}@example.com`,
  password: 'ten letters',
  ...more,
})
let addresses = 0
const accept = (body: object, path = '/v1/invitations/accept') =>
  it.call('POST', path, { key: null, body, remoteAddress: `192.0.2.${++addresses % 250}` })
const invite = async (input: object = { role: 'viewer' }, by: Pick<Person, 'call'> = it) =>
  await by.call('POST', '/v1/invitations', { body: input })
const auditOf = async () => (await it.call('GET', '/v1/audit?limit=250')).body.records

// In the order of the file: there is one server, and it is set up once.
describe('setting up', () => {
  test('is needed until there is an owner, and then never again', async () => {
    expect((await it.call('GET', '/v1/session', { key: null })).body).toEqual({
      user: null,
      organization: null,
      role: null,
      setupNeeded: true,
      oidc: null,
      version: '0.0.0-test',
    })
  })

  test('takes the newest link only', async () => {
    const first = (await createSetupLink(it.services))!
    const second = (await createSetupLink(it.services))!
    expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:4400\/app\/setup#token=[\w-]{43}$/)
    for (const token of [tokenIn(first.url), 'made-up', `${tokenIn(second.url)}x`, tokenIn(second.url).toLowerCase()]) {
      const { status, body } = await accept(newUser(token), '/v1/setup')
      expect([status, body.code]).toEqual([403, 'setup.link_invalid'])
    }
    const { rows } = await sql`select * from one_time_links`.execute(it.services.db)
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).toContain(createHash('sha256').update(tokenIn(second.url)).digest('hex'))
    expect(JSON.stringify(rows)).not.toContain(tokenIn(second.url))
  })

  test('takes a link for seven days', async () => {
    const { url, expiresAt } = (await createSetupLink(it.services))!
    expect(expiresAt).toBe(new Date(clock.at + 7 * day).toISOString())
    clock.at += 7 * day
    expect((await accept(newUser(tokenIn(url)), '/v1/setup')).body.code).toBe('setup.link_invalid')
  })

  const bad: [string, object][] = [
    ['name', { name: '  ' }],
    ['name', { name: 'x'.repeat(101) }],
    ['email', { email: 'ana' }],
    ['email', { email: `${'x'.repeat(250)}@example.com` }],
    ['password', { password: 'nine char' }],
    ['password', { password: 'x'.repeat(129) }],
    ['token', { token: '' }],
  ]
  test.each(bad)('refuses a bad %s: %j, and the link still works', async (path, more) => {
    const { url } = (await createSetupLink(it.services))!
    const { status, body } = await accept(newUser(tokenIn(url), more), '/v1/setup')
    expect([status, body.details[0].path]).toEqual([400, path])
    expect(await createSetupLink(it.services)).not.toBeNull()
  })

  test('makes one owner, of five who try at once, and signs them in', async () => {
    const { url } = (await createSetupLink(it.services))!
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => accept(newUser(tokenIn(url), { name: 'First' }), '/v1/setup')),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(4).fill(409)])
    const won = answers.find(({ status }) => status === 201)!
    expect(won.body).toMatchObject({ user: { name: 'First' }, role: 'owner', setupNeeded: false })
    expect(String(won.headers['set-cookie'])).toMatch(
      /^docent_session=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    const members = (await it.call('GET', '/v1/members')).body.members
    expect(members).toEqual([
      { ...won.body.user, role: 'owner', createdAt: expect.any(String), lastSeenAt: expect.any(String) },
    ])
    expect(await auditOf()).toContainEqual(
      expect.objectContaining({
        action: 'setup',
        target: won.body.user.id,
        actor: expect.objectContaining({ kind: 'user' }),
      }),
    )
    const cookie = cookieIn(won)
    const call: Person['call'] = (method, path, { headers = {}, ...options } = {}) =>
      it.call(method, path, { key: null, headers: { cookie, 'sec-fetch-site': 'same-origin', ...headers }, ...options })
    owner = { id: won.body.user.id, email: won.body.user.email, password: 'ten letters', cookie, call }
  })

  test('is over then: no link is made, none is taken', async () => {
    expect(await createSetupLink(it.services)).toBeNull()
    expect((await accept(newUser('any'), '/v1/setup')).body.code).toBe('setup.done')
    expect((await it.call('GET', '/v1/session', { key: null })).body.setupNeeded).toBe(false)
  })

  test('can be done by nobody over the network who has no link', async () => {
    for (const key of [null, testAdminKey]) {
      expect((await it.call('POST', '/v1/setup-link', { key })).body.code).toBe('auth.local_only')
    }
  })
})

describe('an invitation', () => {
  test('shows its link once, is listed without it, and says what it is for to whoever has it', async () => {
    const created = await invite({ role: 'admin', email: ' Cy@Example.com ' }, owner)
    expect(created.status).toBe(201)
    const { url, ...shown } = created.body
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:4400\/app\/invitation#token=[\w-]{43}$/)
    expect(shown).toEqual({
      id: expect.stringMatching(/^inv_/),
      email: 'cy@example.com',
      role: 'admin',
      createdAt: clock.now().toISOString(),
      expiresAt: new Date(clock.at + 7 * day).toISOString(),
      invitedBy: 'First',
    })
    const list = await it.call('GET', '/v1/invitations')
    expect(list.body.invitations).toEqual([shown])
    expect(list.text).not.toMatch(/token|hash/i)
    const body = { token: tokenIn(url) }
    expect((await it.call('POST', '/v1/invitations/lookup', { key: null, body })).body).toEqual({
      organization: 'Default',
      role: 'admin',
      email: 'cy@example.com',
      invitedBy: 'First',
    })
    const other = await accept(newUser(tokenIn(url)))
    expect([other.status, other.body.code]).toEqual([403, 'invitation.other_email'])
    const joined = await accept(newUser(tokenIn(url), { email: 'CY@example.com' }))
    expect([joined.status, joined.body.role, joined.body.user.email]).toEqual([201, 'admin', 'cy@example.com'])
    expect((await it.call('GET', '/v1/invitations')).body.invitations).toEqual([])
  })

  test('is taken by one of five who try at once', async () => {
    const { body } = await invite()
    const answers = await Promise.all(Array.from({ length: 5 }, () => accept(newUser(tokenIn(body.url)))))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(4).fill(403)])
    const lookup = await it.call('POST', '/v1/invitations/lookup', { key: null, body: { token: tokenIn(body.url) } })
    expect([lookup.status, lookup.body.code]).toEqual([403, 'invitation.link_invalid'])
  })

  test('stays open when the address is taken by somebody', async () => {
    const { body } = await invite()
    const taken = await accept(newUser(tokenIn(body.url), { email: owner.email }))
    expect([taken.status, taken.body.code]).toEqual([409, 'account.exists'])
    expect((await accept(newUser(tokenIn(body.url)))).status).toBe(201)
    expect((await invite({ role: 'viewer', email: owner.email })).body.code).toBe('account.exists')
  })

  test('can be taken back, once, by its organization', async () => {
    const { body } = await invite()
    const { key } = await it.createOrganization('Elsewhere')
    expect((await it.call('DELETE', `/v1/invitations/${body.id}`, { key })).status).toBe(404)
    expect((await it.call('GET', '/v1/invitations', { key })).body.invitations).toEqual([])
    expect((await it.call('DELETE', `/v1/invitations/${body.id}`)).status).toBe(204)
    expect((await it.call('DELETE', `/v1/invitations/${body.id}`)).status).toBe(404)
    expect((await accept(newUser(tokenIn(body.url)))).body.code).toBe('invitation.link_invalid')
  })

  test('ends after seven days, and is deleted then', async () => {
    const { body } = await invite()
    clock.at += 7 * day
    expect((await accept(newUser(tokenIn(body.url)))).body.code).toBe('invitation.link_invalid')
    expect((await it.call('GET', '/v1/invitations')).body.invitations).toEqual([])
    clock.at += 1
    await pruneAccounts(it.services)
    expect((await sql`select * from invitations`.execute(it.services.db)).rows).toEqual([])
    // What is left of sessions was made by the real clock.
    clock.at -= 14 * day
  })

  test('leaves nothing of its token in the database or the log', async () => {
    const { body } = await invite()
    await accept(newUser(tokenIn(body.url)))
    const { rows } = await sql`select * from audit_records`.execute(it.services.db)
    expect(JSON.stringify(rows)).toContain(body.id)
    expect(JSON.stringify(rows) + it.logged.join('')).not.toContain(tokenIn(body.url))
  })
})

describe('what members may do to members', () => {
  let admin: Person
  let viewer: Person
  beforeAll(async () => {
    owner = await signInAgain(it, owner)
    admin = await createMember(it, 'admin')
    viewer = await createMember(it, 'viewer')
  })

  const attempts: [
    string,
    'owner' | 'admin' | 'viewer' | 'key',
    (on: { id: string }) => [string, string, object?],
    number,
  ][] = [
    ['make an owner', 'owner', ({ id }) => ['PATCH', `/v1/members/${id}`, { role: 'owner' }], 200],
    ['make an owner', 'admin', ({ id }) => ['PATCH', `/v1/members/${id}`, { role: 'owner' }], 403],
    ['make an owner', 'key', ({ id }) => ['PATCH', `/v1/members/${id}`, { role: 'owner' }], 403],
    ['make an admin', 'admin', ({ id }) => ['PATCH', `/v1/members/${id}`, { role: 'admin' }], 200],
    ['make an admin', 'key', ({ id }) => ['PATCH', `/v1/members/${id}`, { role: 'admin' }], 200],
    ['make an admin', 'viewer', ({ id }) => ['PATCH', `/v1/members/${id}`, { role: 'admin' }], 403],
    ['remove a member', 'admin', ({ id }) => ['DELETE', `/v1/members/${id}`], 204],
    ['remove a member', 'viewer', ({ id }) => ['DELETE', `/v1/members/${id}`], 403],
    ['invite an owner', 'owner', () => ['POST', '/v1/invitations', { role: 'owner' }], 201],
    ['invite an owner', 'admin', () => ['POST', '/v1/invitations', { role: 'owner' }], 403],
    ['invite an owner', 'key', () => ['POST', '/v1/invitations', { role: 'owner' }], 403],
    ['invite an admin', 'admin', () => ['POST', '/v1/invitations', { role: 'admin' }], 201],
    ['invite a viewer', 'viewer', () => ['POST', '/v1/invitations', { role: 'viewer' }], 403],
    ['give a password link', 'admin', ({ id }) => ['POST', `/v1/members/${id}/password-link`], 201],
    ['give a password link', 'key', ({ id }) => ['POST', `/v1/members/${id}/password-link`], 201],
    ['give a password link', 'viewer', ({ id }) => ['POST', `/v1/members/${id}/password-link`], 403],
    ['demote an owner', 'admin', () => ['PATCH', `/v1/members/${owner.id}`, { role: 'viewer' }], 403],
    ['remove an owner', 'admin', () => ['DELETE', `/v1/members/${owner.id}`], 403],
    ['remove an owner', 'key', () => ['DELETE', `/v1/members/${owner.id}`], 403],
    ['take over an owner', 'admin', () => ['POST', `/v1/members/${owner.id}/password-link`], 403],
    ['take over an owner', 'key', () => ['POST', `/v1/members/${owner.id}/password-link`], 403],
    ['see members', 'viewer', () => ['GET', '/v1/members'], 200],
    ['see invitations', 'viewer', () => ['GET', '/v1/invitations'], 200],
  ]
  test.each(attempts)('to %s as %s', async (_what, who, request, status) => {
    const [method, url, body] = request(await insertMember(it, 'viewer'))
    const by = { owner, admin, viewer, key: it }[who]
    const answer = await by.call(method as 'GET', url, body ? { body } : {})
    expect([answer.status, answer.text]).toEqual([status, expect.any(String)])
    if (status === 403) expect(answer.body.error).toMatch(who === 'key' ? /key counts as an admin/ : new RegExp(who))
  })

  test('the last owner is neither demoted nor removed, also when two owners remove each other at once', async () => {
    const it2 = await createTestApp()
    try {
      const one = await createOwner(it2)
      for (const [method, body] of [
        ['PATCH', { role: 'admin' }],
        ['DELETE', undefined],
      ] as const) {
        const { status, body: error } = await one.call(method, `/v1/members/${one.id}`, body ? { body } : {})
        expect([status, error.code]).toEqual([409, 'member.last_owner'])
      }
      const two = await createMember(it2, 'owner', one)
      const answers = await Promise.all([
        one.call('DELETE', `/v1/members/${two.id}`),
        two.call('PATCH', `/v1/members/${one.id}`, { body: { role: 'viewer' } }),
      ])
      const members = (await it2.call('GET', '/v1/members')).body.members
      expect(members.filter(({ role }: { role: string }) => role === 'owner')).toHaveLength(1)
      expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
    } finally {
      await it2.close()
    }
  })

  test('nobody reaches members of another organization', async () => {
    const { key } = await it.createOrganization('Others')
    expect((await it.call('GET', '/v1/members', { key })).body.members).toEqual([])
    for (const [method, path, body] of [
      ['PATCH', '', { role: 'viewer' }],
      ['DELETE', ''],
      ['POST', '/password-link'],
    ] as const) {
      const answer = await it.call(method, `/v1/members/${viewer.id}${path}`, { key, ...(body ? { body } : {}) })
      expect([answer.status, answer.body.code]).toEqual([404, 'member.not_found'])
    }
  })

  test('a changed role holds at once, and a removed member is out at once, with all that was theirs', async () => {
    const person = await createMember(it, 'viewer')
    expect((await person.call('POST', '/v1/keys', { body: { name: 'x' } })).status).toBe(403)
    await owner.call('PATCH', `/v1/members/${person.id}`, { body: { role: 'admin' } })
    expect((await person.call('POST', '/v1/keys', { body: { name: 'x' } })).status).toBe(201)
    await owner.call('DELETE', `/v1/members/${person.id}`)
    expect((await person.call('GET', '/v1/projects')).body.code).toBe('auth.session_ended')
    for (const table of ['users', 'sessions', 'user_accounts', 'members']) {
      const { rows } = await sql`select * from ${sql.table(table)}`.execute(it.services.db)
      expect(JSON.stringify(rows)).not.toContain(person.id)
    }
    const records = (await auditOf()).filter(({ target }: { target: string }) => target === person.id)
    expect(records.map(({ action }: { action: string }) => action)).toEqual([
      'member.remove',
      'member.change',
      'invitation.accept',
    ])
    // Their address is free again.
    const { body } = await invite({ role: 'viewer', email: person.email })
    expect((await accept(newUser(tokenIn(body.url), { email: person.email }))).status).toBe(201)
  })
})

describe('a password link', () => {
  test('gives a new password once, ends all sessions, and opens one', async () => {
    const person = await createMember(it, 'viewer')
    const replaced = (await owner.call('POST', `/v1/members/${person.id}/password-link`)).body
    const { url, expiresAt } = (await owner.call('POST', `/v1/members/${person.id}/password-link`)).body
    expect(url).toMatch(/\/app\/password#token=[\w-]{43}$/)
    expect(expiresAt).toBe(new Date(clock.at + day).toISOString())
    const choose = (token: string) => accept({ token, password: 'another password' }, '/v1/password')
    expect((await choose(tokenIn(replaced.url))).body.code).toBe('password.link_invalid')
    expect((await person.call('GET', '/v1/projects')).status).toBe(200)

    const answers = await Promise.all(Array.from({ length: 5 }, () => choose(tokenIn(url))))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403, 403])
    const won = answers.find(({ status }) => status === 200)!
    expect(won.body.user.id).toBe(person.id)
    expect((await person.call('GET', '/v1/projects')).status).toBe(401)
    const cookie = cookieIn(won)
    expect((await it.call('GET', '/v1/projects', { key: null, headers: { cookie } })).status).toBe(200)
    expect((await signInAgain(it, person)).cookie).toBe('')
    expect((await signInAgain(it, { ...person, password: 'another password' })).cookie).not.toBe('')
  })

  test('ends after a day, and with its member', async () => {
    const [late, gone] = [await insertMember(it, 'viewer'), await insertMember(it, 'viewer')]
    const links = await Promise.all(
      [late, gone].map(async ({ id }) => (await owner.call('POST', `/v1/members/${id}/password-link`)).body.url),
    )
    await owner.call('DELETE', `/v1/members/${gone.id}`)
    const choose = (url: string) => accept({ token: tokenIn(url), password: 'another password' }, '/v1/password')
    expect((await choose(links[1])).body.code).toBe('password.link_invalid')
    clock.at += day
    expect((await choose(links[0])).body.code).toBe('password.link_invalid')
    clock.at -= day
    expect((await choose(links[0])).status).toBe(200)
  })
})

test('a change of members and its record are written together or not at all', async () => {
  const { db } = it.services
  const person = await createMember(it, 'viewer')
  await sql`alter table audit_records add constraint refuse check (action not like 'member.%') not valid`.execute(db)
  const answers = [
    await owner.call('PATCH', `/v1/members/${person.id}`, { body: { role: 'admin' } }),
    await owner.call('DELETE', `/v1/members/${person.id}`),
  ]
  await sql`alter table audit_records drop constraint refuse`.execute(db)
  expect(answers.map(({ status }) => status)).toEqual([500, 500])
  expect((await person.call('GET', '/v1/session')).body.role).toBe('viewer')
})
