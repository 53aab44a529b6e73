import { createHash } from 'node:crypto'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { compose } from '#app/compose.ts'
import { listenLocally } from '#app/http/local-socket.ts'
import { buildServer } from '#app/http/server.ts'
import { newId, randomBase62 } from '#base/ids.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { testAdminKey } from '#tests/harness/test-config.ts'
import { createOrganization, ensurePresetKey, getOrganization, listOrganizations, slugify } from './service.ts'

const clock = { at: Date.now(), now: () => new Date(clock.at) }

let it: TestApp
beforeAll(async () => {
  it = await createTestApp({ clock })
})
afterAll(() => it.close())

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** A whole table as the database would print it. */
async function dump(table: string): Promise<string> {
  const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(table)} t`.execute(it.services.db)
  return rows.map(({ row }) => row).join('\n')
}

async function createKey(input: object = {}, key = testAdminKey) {
  const { status, body } = await it.call('POST', '/v1/keys', { key, body: { name: 'a key', ...input } })
  expect(status).toBe(201)
  return body
}

async function findListed(id: string, key = testAdminKey) {
  const { body } = await it.call('GET', '/v1/keys?limit=250&includeRevoked=true', { key })
  return body.keys.find((one: { id: string }) => one.id === id)
}

describe('creating a key', () => {
  test('shows its secret, that once', async () => {
    const answer = await it.call('POST', '/v1/keys', { body: { name: '  CI  ' } })
    expect(answer.status).toBe(201)
    const { key, ...shown } = answer.body
    expect(key).toMatch(/^docent_[0-9A-Za-z]{43}$/)
    expect(shown).toEqual({
      id: expect.stringMatching(/^key_[0-9A-Za-z]{22}$/),
      name: 'CI',
      hint: key.slice(-4),
      scopes: ['read', 'write'],
      allowedAddresses: [],
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    })
    const list = await it.call('GET', '/v1/keys?limit=250&includeRevoked=true')
    expect(list.body.keys).toContainEqual(shown)
    expect(list.text).not.toMatch(/docent_|hash/)
    expect(list.text).not.toContain(sha256(key))
  })

  test('leaves nothing of the secret in the database but its SHA-256 and its last four characters', async () => {
    const { id, key } = await createKey()
    const { rows } = await sql<{ hash: string; hint: string }>`select * from api_keys where id = ${id}`.execute(
      it.services.db,
    )
    expect(rows[0]).toMatchObject({ hash: sha256(key), hint: key.slice(-4) })
    for (const table of ['api_keys', 'audit_records', 'rate_windows', 'instance']) {
      const text = await dump(table)
      expect(text).not.toContain(key)
      expect(text).not.toContain(key.slice(7, 20))
      expect(text).not.toContain(testAdminKey)
    }
  })

  test('never makes one key twice', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => createKey()))
    expect(new Set(keys.map(({ key }) => key)).size).toBe(20)
    expect(new Set(keys.map(({ id }) => id)).size).toBe(20)
  })

  test.each([
    [{ scopes: ['read'] }, { scopes: ['read'] }],
    [{ scopes: ['write', 'read'] }, { scopes: ['write', 'read'] }],
    [{ scopes: ['read', 'read'] }, { scopes: ['read'] }],
    [{ expiresAt: null }, { expiresAt: null }],
    [{ expiresAt: '2999-01-31T00:00:00Z' }, { expiresAt: '2999-01-31T00:00:00.000Z' }],
    [{ expiresAt: '2999-01-31T02:00:00+02:00' }, { expiresAt: '2999-01-31T00:00:00.000Z' }],
    [{ expiresAt: '9999-12-31T23:59:59.999Z' }, { expiresAt: '9999-12-31T23:59:59.999Z' }],
    [{ allowedAddresses: ['192.0.2.1', '10.0.0.0/8', '2001:db8::/32', '::1'] }, {}],
    [{ name: 'x'.repeat(100) }, {}],
    [{ name: 'Ключ 🔑' }, {}],
    [{ hash: 'x', preset: true, organizationId: 'org_x', key: 'mine' }, {}],
  ])('takes %j', async (input, expected) => {
    const { key, ...created } = await createKey(input)
    const { hash, preset, organizationId, key: own, ...kept } = input as Record<string, unknown>
    expect(created).toMatchObject({ ...kept, ...expected })
    expect(await findListed(created.id)).toEqual(created)
    expect(key).not.toBe(own)
  })

  test.each([
    ['name', {}],
    ['name', { name: '' }],
    ['name', { name: ' \n ' }],
    ['name', { name: 'x'.repeat(101) }],
    ['name', { name: 5 }],
    ['scopes', { scopes: [] }],
    ['scopes', { scopes: 'read' }],
    ['scopes.0', { scopes: ['admin'] }],
    ['scopes', { scopes: ['read', 'write', 'read'] }],
    ['expiresAt', { expiresAt: 'tomorrow' }],
    ['expiresAt', { expiresAt: '2999-02-30T00:00:00Z' }],
    ['expiresAt', { expiresAt: '2999-01-31' }],
    ['expiresAt', { expiresAt: '2999-01-31T00:00:00' }],
    ['expiresAt', { expiresAt: '2001-01-31T00:00:00Z' }],
    ['expiresAt', { expiresAt: '0000-01-01T00:00:00Z' }],
    ['expiresAt', { expiresAt: '9999-12-31T23:59:59-01:00' }],
    ['expiresAt', { expiresAt: 4_102_444_800_000 }],
    ['allowedAddresses', { allowedAddresses: '10.0.0.0/8' }],
    ['allowedAddresses', { allowedAddresses: Array(101).fill('192.0.2.1') }],
    ...[
      ...[
        '',
        'localhost',
        '10.0.0.0/33',
        '10.0.0.0/',
        '10.0.0.0/-1',
        '10.0.0.0/8/8',
        '/8',
        '*',
        '10.0.0.*',
        '2001:db8::/129',
      ],
      // What other parsers would read as another address than the one that is written.
      ...[
        '010.0.0.1',
        '0x7f.0.0.1',
        '127.1',
        '2130706433',
        '010.0.0.0/8',
        '::ffff:10.0.0.0/104',
        ' 10.0.0.1',
        '10.0.0.1\n',
      ],
    ].map((address): [string, object] => ['allowedAddresses.0', { allowedAddresses: [address] }]),
  ] as [string, object][])('refuses a bad %s: %j', async (path, input) => {
    const answer = await it.call('POST', '/v1/keys', { body: path === 'name' ? input : { name: 'a key', ...input } })
    expect(answer.status).toBe(400)
    expect(answer.body.code).toBe('request.invalid')
    expect(answer.body.details.map((detail: { path: string }) => detail.path)).toContain(path)
  })

  test('refuses an expiry that is not in the future, to the millisecond', async () => {
    const at = (ms: number) => ({ name: 'a key', expiresAt: new Date(clock.at + ms).toISOString() })
    expect((await it.call('POST', '/v1/keys', { body: at(-1) })).status).toBe(400)
    expect((await it.call('POST', '/v1/keys', { body: at(0) })).body.details).toMatchObject([{ path: 'expiresAt' }])
    expect((await it.call('POST', '/v1/keys', { body: at(1) })).status).toBe(201)
  })
})

describe('revoking a key', () => {
  test('ends it, keeps it in the list of revoked keys, and works once', async () => {
    const { id, key, ...rest } = await createKey({ name: 'short-lived' })
    const done = await it.call('DELETE', `/v1/keys/${id}`)
    expect([done.status, done.text]).toEqual([204, ''])
    expect((await it.call('GET', '/v1/projects', { key })).status).toBe(401)
    expect((await it.call('GET', '/v1/keys?limit=250')).text).not.toContain(id)
    expect(await findListed(id)).toEqual({ id, ...rest, revokedAt: clock.now().toISOString() })
    const again = await it.call('DELETE', `/v1/keys/${id}`)
    expect(again.status).toBe(404)
    expect(again.body.code).toBe('key.not_found')
  })

  test('is done by one of twenty who try at once', async () => {
    const { id } = await createKey()
    const answers = await Promise.all(Array.from({ length: 20 }, () => it.call('DELETE', `/v1/keys/${id}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(19).fill(404)])
  })

  test('can be done by the key itself', async () => {
    const { id, key } = await createKey()
    expect((await it.call('DELETE', `/v1/keys/${id}`, { key })).status).toBe(204)
    expect((await it.call('GET', '/v1/projects', { key })).status).toBe(401)
  })

  test('takes effect within a second on another node', async () => {
    // On the embedded database there is no other node, and the one there is must keep the promise too.
    const { config, log, database } = it.services
    const itsClock = { at: Date.now(), now: () => new Date(itsClock.at) }
    const services = database.supports.severalProcesses ? await compose({ config, log, clock: itsClock }) : null
    const node = services
      ? await buildServer({ ...services, version: 'x', checks: {}, isStopping: () => false })
      : it.app
    const { id, key } = await createKey()
    const call = async () =>
      (await node.inject({ url: '/v1/projects', headers: { authorization: `Bearer ${key}` } })).statusCode
    expect(await call()).toBe(200)
    expect((await it.call('DELETE', `/v1/keys/${id}`)).status).toBe(204)
    itsClock.at += 1_000
    expect(await call()).toBe(401)
    if (services) {
      await node.close()
      await services.close({ timeoutMs: 2_000 })
    }
  })
})

test('the last use of a key is noted, to within a minute', async () => {
  const { id, key } = await createKey()
  expect((await findListed(id)).lastUsedAt).toBeNull()
  const use = () => it.call('GET', '/v1/projects', { key })
  const first = clock.now().toISOString()
  await use()
  await vi.waitFor(async () => expect((await findListed(id)).lastUsedAt).toBe(first))
  clock.at += 59_000
  await use()
  clock.at += 1_000
  const second = clock.now().toISOString()
  await use()
  await vi.waitFor(async () => expect((await findListed(id)).lastUsedAt).toBe(second))
})

describe('pages', () => {
  test('of keys and audit records have every row once, and hasMore says exactly whether there are more', async () => {
    const { key } = await it.createOrganization('Pages')
    for (let count = 0; count < 8; count++) await createKey({ name: `key ${count}` }, key)
    for (const [url, rows, count] of [
      ['/v1/keys', 'keys', 9],
      ['/v1/audit', 'records', 10],
    ] as const) {
      const whole = (await it.call('GET', `${url}?limit=250`, { key })).body
      expect(whole.hasMore).toBe(false)
      expect(whole[rows]).toHaveLength(count)
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 12 }), async (limit, offset) => {
          const { body } = await it.call('GET', `${url}?limit=${limit}&offset=${offset}`, { key })
          expect(body[rows]).toEqual(whole[rows].slice(offset, offset + limit))
          expect(body.hasMore).toBe(offset + limit < count)
        }),
        { numRuns: 40 },
      )
    }
  })

  test('of keys are oldest first, of audit records newest first, fifty unless asked', async () => {
    const { key } = await it.createOrganization('Order')
    const ids: string[] = []
    for (let count = 0; count < 52; count++) ids.push((await createKey({ name: `key ${count}` }, key)).id)
    const { body: keys } = await it.call('GET', '/v1/keys?offset=1', { key })
    expect(keys.keys.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 50))
    expect(keys.hasMore).toBe(true)
    const { body: audit } = await it.call('GET', '/v1/audit', { key })
    expect(audit.records.map(({ target }: { target: string }) => target)).toEqual(ids.toReversed().slice(0, 50))
    expect(audit.hasMore).toBe(true)
  })
})

describe('the audit', () => {
  test('has who did what to what, in which request, for every change', async () => {
    const { key } = await it.createOrganization('Audited')
    const { body: mine } = await it.call('GET', '/v1/keys', { key })
    const requestIds: unknown[] = []
    const change = async (method: 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) => {
      const answer = await it.call(method, url, { key, body })
      expect(answer.status).toBeLessThan(300)
      requestIds.unshift(answer.headers['x-request-id'])
      return answer.body
    }
    const made = await change('POST', '/v1/keys', { name: 'made', scopes: ['read'] })
    await change('DELETE', `/v1/keys/${made.id}`)
    const source = { provider: 'github', repository: 'a/b', token: 'very-secret' }
    const project = await change('POST', '/v1/projects', { name: 'Audited', source })
    await change('PATCH', `/v1/projects/${project.id}`, {
      name: 'Renamed',
      source: { token: 'other-secret', ref: 'main' },
    })
    await change('DELETE', `/v1/projects/${project.id}`)

    const { body, text } = await it.call('GET', '/v1/audit?limit=5', { key })
    expect(body.records.map(({ action, target }: Record<string, string>) => [action, target])).toEqual([
      ['project.delete', project.id],
      ['project.change', project.id],
      ['project.create', project.id],
      ['key.revoke', made.id],
      ['key.create', made.id],
    ])
    expect(body.records.map(({ requestId }: { requestId: string }) => requestId)).toEqual(requestIds)
    for (const record of body.records) {
      expect(record).toEqual({
        id: expect.stringMatching(/^aud_/),
        at: expect.stringMatching(/Z$/),
        actor: { kind: 'key', id: mine.keys[0].id, name: 'key of Audited' },
        action: expect.any(String),
        target: expect.any(String),
        details: expect.any(Object),
        requestId: expect.any(String),
      })
    }
    expect(body.records[1].details).toEqual({ changed: ['name', 'source.ref', 'source.token'] })
    expect(text).not.toMatch(/secret|docent_/)
  })

  test('has nothing of what was refused', async () => {
    const { key } = await it.createOrganization('Refused')
    const before = (await it.call('GET', '/v1/audit', { key })).text
    await it.call('POST', '/v1/keys', { key, body: { name: '' } })
    await it.call('DELETE', `/v1/keys/${newId('key')}`, { key })
    await it.call('PATCH', `/v1/projects/${newId('prj')}`, { key, body: { name: 'x' } })
    await it.call('DELETE', `/v1/projects/${newId('prj')}`, { key })
    expect((await it.call('GET', '/v1/audit', { key })).text).toBe(before)
  })

  test.each(['key.create', 'key.revoke'])('and a change are written together or not at all: %s', async (action) => {
    const { db } = it.services
    const { id, key } = await createKey()
    const before = [await dump('api_keys'), await dump('audit_records')]
    await sql`alter table audit_records add constraint refuse check (action <> ${sql.lit(action)}) not valid`.execute(
      db,
    )
    const failed =
      action === 'key.create'
        ? await it.call('POST', '/v1/keys', { body: { name: 'never' } })
        : await it.call('DELETE', `/v1/keys/${id}`)
    await sql`alter table audit_records drop constraint refuse`.execute(db)
    expect(failed.status).toBe(500)
    expect(await dump('audit_records')).toBe(before[1])
    expect((await dump('api_keys')).split('\n').length).toBe(before[0]!.split('\n').length)
    expect((await it.call('GET', '/v1/projects', { key })).status).toBe(200)
  })
})

describe('the preset key', () => {
  const newKey = () => `docent_${randomBase62(43)}`

  test('that changes ends the one before, and stays when it does not change', async () => {
    const app = await createTestApp({ clock })
    const { id: organizationId } = await getOrganization(app.services)
    const [first, second] = [newKey(), newKey()]
    const { body: own } = await app.call('POST', '/v1/keys', { body: { name: 'made by a person' } })
    const statusOf = async (key: string) => {
      clock.at += 1_000
      return (await app.call('GET', '/v1/projects', { key })).status
    }
    expect(await ensurePresetKey(app.services, { key: first, organizationId })).toEqual({ revoked: false })
    expect([await statusOf(testAdminKey), await statusOf(first)]).toEqual([401, 200])
    expect(await ensurePresetKey(app.services, { key: first, organizationId })).toEqual({ revoked: false })
    expect(await statusOf(first)).toBe(200)
    expect(await ensurePresetKey(app.services, { key: second, organizationId })).toEqual({ revoked: false })
    expect([await statusOf(first), await statusOf(second), await statusOf(own.key)]).toEqual([401, 200, 200])

    // Back to the first one, as after a change that was taken back.
    expect(await ensurePresetKey(app.services, { key: first, organizationId })).toEqual({ revoked: false })
    expect([await statusOf(first), await statusOf(second)]).toEqual([200, 401])
    expect(await ensurePresetKey(app.services, { key: second, organizationId })).toEqual({ revoked: false })

    const { body } = await app.call('GET', '/v1/audit', { key: second })
    const actions = body.records.map((record: { actor: { kind: string }; action: string }) => [
      record.actor.kind,
      record.action,
    ])
    const [made, ended, again] = ['key.create', 'key.revoke', 'key.restore'].map((action) => ['system', action])
    expect(actions.slice(0, 8).sort()).toEqual([made, made, again, again, ended, ended, ended, ended])
    await app.close()
  })

  test('that a person revoked stays revoked', async () => {
    const app = await createTestApp({ clock })
    const { id: organizationId } = await getOrganization(app.services)
    const { body } = await app.call('GET', '/v1/keys')
    expect((await app.call('DELETE', `/v1/keys/${body.keys[0].id}`)).status).toBe(204)
    expect(await ensurePresetKey(app.services, { key: testAdminKey, organizationId })).toEqual({ revoked: true })
    expect((await app.call('GET', '/v1/projects')).status).toBe(401)
    await app.close()
  })
})

describe('organizations', () => {
  test('get an address of their own, whatever they are called', async () => {
    const names = ['Acme', 'Acme', 'ACME!', 'Ümläut & Söhne', '日本', '---', 'x'.repeat(100)]
    const slugs = []
    for (const name of names) slugs.push((await createOrganization(it.services, { name })).slug)
    expect(slugs).toEqual([
      'acme',
      'acme-2',
      'acme-3',
      'umlaut-sohne',
      'organization',
      'organization-2',
      'x'.repeat(48),
    ])
  })

  test('of one name get different addresses when they are made at once', async () => {
    const made = await Promise.all(Array.from({ length: 25 }, () => createOrganization(it.services, { name: 'Rush' })))
    expect(new Set(made.map(({ slug }) => slug)).size).toBe(25)
    expect(made.every(({ slug }) => /^rush(-[a-z0-9]+)?$/.test(slug))).toBe(true)
  })

  test('are made by the operator on the local socket, and begin their audit with that', async () => {
    const socketPath = join(it.services.config.data, 'docent.sock')
    const local = await listenLocally(it.app, socketPath)
    const call = async (
      method: string,
      path: string,
      { body, headers = {} }: { body?: object; headers?: object } = {},
    ) => {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        const options = { socketPath, method, path, headers: { 'content-type': 'application/json', ...headers } }
        request(options, resolve).on('error', reject).end(JSON.stringify(body))
      })
      return { status: answer.statusCode, headers: answer.headers, body: (await json(answer)) as Record<string, never> }
    }
    const made = await call('POST', '/v1/organizations', { body: { name: 'By hand' } })
    expect(made).toMatchObject({ status: 201, body: { name: 'By hand', slug: 'by-hand' } })
    const listed = await call('GET', '/v1/organizations')
    expect(listed.body.organizations).toContainEqual(made.body)
    // The header says which organization the operator acts in.
    const audit = await call('GET', '/v1/audit', { headers: { 'docent-organization': 'by-hand' } })
    expect(audit.body.records).toEqual([
      {
        id: expect.stringMatching(/^aud_/),
        at: expect.any(String),
        actor: { kind: 'local', id: null, name: 'local operator' },
        action: 'organization.create',
        target: made.body.id,
        details: { name: 'By hand' },
        requestId: made.headers['x-request-id'],
      },
    ])
    for (const unknown of ['nobody', newId('org')]) {
      const refused = await call('GET', '/v1/audit', { headers: { 'docent-organization': unknown } })
      expect(refused).toMatchObject({ status: 404, body: { code: 'organization.not_found' } })
    }
    await local.close()
  })

  test('are found by id and by slug, and without either the first is meant', async () => {
    const [first] = await listOrganizations(it.services)
    const made = await createOrganization(it.services, { name: 'Findable' })
    expect(await getOrganization(it.services, made.id)).toEqual(made)
    expect(await getOrganization(it.services, 'findable')).toEqual(made)
    expect(await getOrganization(it.services)).toEqual(first)
    for (const unknown of ['', 'nobody', 'a\0b', newId('org')]) {
      await expect(getOrganization(it.services, unknown)).rejects.toMatchObject({ kind: 'not_found' })
    }
  })

  test('have slugs that can stand in an address', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
        expect(slugify(name, 'fallback')).toMatch(/^[a-z0-9]([a-z0-9-]{0,46}[a-z0-9])?$/)
      }),
    )
  })

  test('never see an id of one another, whatever their keys do', async () => {
    const step = fc.record({
      who: fc.constantFrom(0, 1),
      what: fc.constantFrom('createProject', 'createKey', 'list', 'get', 'change', 'delete', 'revoke'),
      /** Which of all ids there are, its own or not. */
      which: fc.nat(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
        const organizations = [await it.createOrganization('One'), await it.createOrganization('Two')]
        const seen = organizations.map(({ id }) => new Set([id]))
        const owned = organizations.map(() => ({ projects: new Set<string>(), keys: new Set<string>() }))
        const all: { projects: string[]; keys: string[] } = { projects: [newId('prj')], keys: [newId('key')] }

        for (const { who, what, which } of steps) {
          const project = all.projects[which % all.projects.length]!
          const secondKey = all.keys[which % all.keys.length]!
          const call = async (...[method, url, body]: ['GET' | 'POST' | 'PATCH' | 'DELETE', string, object?]) => {
            const answer = await it.call(method, url, { key: organizations[who]!.key, body })
            for (const [id] of answer.text.matchAll(/\b(prj|key|aud|org)_[0-9A-Za-z]{22}\b/g)) seen[who]!.add(id)
            return answer
          }
          const own = owned[who]!
          if (what === 'createProject') {
            const { body } = await call('POST', '/v1/projects', {
              name: 'P',
              source: { provider: 'github', repository: 'a/b' },
            })
            own.projects.add(body.id)
            all.projects.push(body.id)
          } else if (what === 'createKey') {
            const { body } = await call('POST', '/v1/keys', { name: 'K' })
            own.keys.add(body.id)
            all.keys.push(body.id)
          } else if (what === 'list') {
            const { body } = await call('GET', '/v1/projects?limit=250')
            expect(new Set(body.projects.map(({ id }: { id: string }) => id))).toEqual(own.projects)
            await call('GET', '/v1/keys?limit=250&includeRevoked=true')
            await call('GET', '/v1/audit?limit=250')
          } else if (what === 'get') {
            expect((await call('GET', `/v1/projects/${project}`)).status).toBe(own.projects.has(project) ? 200 : 404)
          } else if (what === 'change') {
            const { status } = await call('PATCH', `/v1/projects/${project}`, { name: `by ${who}` })
            expect(status).toBe(own.projects.has(project) ? 200 : 404)
          } else if (what === 'delete') {
            const { status } = await call('DELETE', `/v1/projects/${project}`)
            expect(status).toBe(own.projects.delete(project) ? 204 : 404)
          } else {
            const { status } = await call('DELETE', `/v1/keys/${secondKey}`)
            expect(status).toBe(own.keys.delete(secondKey) ? 204 : 404)
          }
        }
        expect([...seen[0]!].filter((id) => seen[1]!.has(id))).toEqual([])
      }),
      { numRuns: 12 },
    )
  })
})
