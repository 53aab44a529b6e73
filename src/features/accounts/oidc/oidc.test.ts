// Before any server runs; see tests/harness/person.ts.
import 'better-auth/minimal'
import 'better-auth/db/adapter'
import 'better-auth/plugins/generic-oauth'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Misbehaviour, type OidcProvider, startOidcProvider } from '#tests/harness/oidc-provider.ts'
import { createTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { createSetupLink } from '../members/setup.ts'

let it: TestApp
let provider: OidcProvider
beforeAll(async () => {
  provider = await startOidcProvider()
  it = await createTestApp({
    settings: {
      oidcIssuer: provider.issuer,
      oidcClientId: provider.clientId,
      oidcClientSecret: provider.clientSecret,
      oidcName: 'Example ID',
    },
  })
  const { url } = (await createSetupLink(it.services))!
  const owner = { name: 'Ana', email: 'ana@example.com', password: 'correct horse' }
  await it.call('POST', '/v1/setup', { key: null, body: { token: url.split('token=')[1], ...owner } })
})
afterAll(async () => {
  await it.close()
  await provider.close()
})
afterEach(() => {
  provider.misbehave = {}
})

// Each sign-in from an address of its own: how often one may try is another test.
let addresses = 0
const nextAddress = () => `198.51.100.${++addresses}`

const cookiesOf = (headers: Record<string, unknown>) =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map((cookie) => String(cookie).split(';')[0]!)
    .filter((cookie) => !cookie.endsWith('='))
    .join('; ')

/** Does what a browser does: to the provider, and back with the cookies it was given. */
async function signIn(person: Record<string, unknown>, misbehave: Misbehaviour = {}) {
  provider.person = person
  provider.misbehave = misbehave
  const remoteAddress = nextAddress()
  const start = await it.call('GET', '/v1/session/oidc', { key: null, remoteAddress })
  if (!String(start.headers.location).startsWith(provider.issuer)) return { ...start, cookie: '', session: null }
  const back = new URL(await provider.approve(String(start.headers.location)))
  const headers = { cookie: cookiesOf(start.headers), 'user-agent': 'a browser' }
  const end = await it.call('GET', back.pathname + back.search, { key: null, headers, remoteAddress })
  const cookie = cookiesOf(end.headers)
  const session = (await it.call('GET', '/v1/session', { key: null, headers: { cookie }, remoteAddress })).body
  return { ...end, cookie, session }
}

const invite = (email: string | undefined, role = 'viewer') =>
  it.call('POST', '/v1/invitations', { body: { email, role } })
const membersOf = async () => (await it.call('GET', '/v1/members')).body.members as { email: string; role: string }[]
const verified = (email: string, more: object = {}) => ({ sub: `id of ${email}`, email, email_verified: true, ...more })

describe('signing in with a provider', () => {
  test('is offered, by the name that is configured', async () => {
    expect((await it.call('GET', '/v1/session', { key: null })).body.oidc).toEqual({ name: 'Example ID' })
  })

  test('opens a session for a member, by an address that the provider has verified', async () => {
    const { status, headers, session, cookie } = await signIn(verified('Ana@Example.com'))
    expect([status, headers.location]).toEqual([302, 'http://127.0.0.1:4400/app/'])
    expect(session).toMatchObject({ user: { name: 'Ana', email: 'ana@example.com' }, role: 'owner' })
    const { body } = await it.call('GET', '/v1/sessions', { key: null, headers: { cookie } })
    expect(body.sessions.find(({ current }: { current: boolean }) => current)).toMatchObject({ userAgent: 'a browser' })
  })

  test('makes a member of whom an invitation names, once', async () => {
    await invite('bo@example.com', 'admin')
    const { session } = await signIn(verified('bo@example.com', { name: 'Bo Öst' }))
    expect(session).toMatchObject({ user: { name: 'Bo Öst', email: 'bo@example.com' }, role: 'admin' })
    expect((await it.call('GET', '/v1/invitations')).body.invitations).toEqual([])
    // And from then on like any member.
    const again = await signIn(verified('bo@example.com'))
    expect(again.session.user).toEqual(session.user)
    expect((await membersOf()).filter(({ email }) => email === 'bo@example.com')).toHaveLength(1)
    const { body } = await it.call('GET', '/v1/audit?limit=1')
    expect(body.records[0]).toMatchObject({ action: 'invitation.accept', actor: { kind: 'user', name: 'Bo Öst' } })
  })

  test('knows them again by what the provider calls them, when their address there changes', async () => {
    await invite('old@example.com')
    await signIn(verified('old@example.com', { sub: 'number 7' }))
    const { session } = await signIn(verified('new@example.com', { sub: 'number 7' }))
    expect(session.user.email).toBe('old@example.com')
  })

  test('asks the provider for the address where the ID token has none', async () => {
    const { email: _, ...nameless } = verified('ana@example.com')
    const { session } = await signIn(nameless, { userinfo: verified('ana@example.com', { sub: nameless.sub }) })
    expect(session.user.email).toBe('ana@example.com')
  })

  test('keeps no token of the provider, and no address of the browser', async () => {
    await signIn(verified('ana@example.com'))
    const accounts = await it.services.db
      .selectFrom('userAccounts')
      .selectAll()
      .where('providerId', '=', 'oidc')
      .execute()
    expect(accounts.length).toBeGreaterThan(0)
    for (const row of accounts) {
      expect([row.accessToken, row.refreshToken, row.idToken, row.scope, row.password]).toEqual(Array(5).fill(null))
    }
    const sessions = await it.services.db.selectFrom('sessions').selectAll().execute()
    expect(new Set(sessions.map(({ ipAddress }) => ipAddress))).toEqual(new Set([null]))
  })
})

describe('who is refused', () => {
  const ana = verified('ana@example.com')
  const cases: [string, string, Record<string, unknown>, Misbehaviour?][] = [
    ['a stranger', 'oidc.no_member', verified('stranger@example.com')],
    ['a member whose address is not verified', 'oidc.email_not_verified', { ...ana, email_verified: false }],
    ['a member of whose address nothing is said', 'oidc.email_not_verified', { ...ana, email_verified: undefined }],
    ['somebody without an address', 'oidc.no_email', { sub: 'x', email_verified: true }],
    ['somebody with half an address', 'oidc.no_email', { ...ana, email: 'ana@' }],
    ['somebody who said no', 'oidc.denied', ana, { error: 'access_denied' }],
    ['a token that somebody else signed', 'oidc.failed', ana, { foreignKey: true }],
    ['a token for another server', 'oidc.failed', ana, { claims: { aud: 'another' } }],
    ['a token of another issuer', 'oidc.failed', ana, { claims: { iss: 'https://other.example' } }],
    ['a token that is too old', 'oidc.failed', ana, { claims: { exp: 1_000_000_000 } }],
    ['a token of another sign-in', 'oidc.failed', ana, { claims: { nonce: 'another' } }],
    ['an answer without an ID token', 'oidc.failed', ana, { withoutIdToken: true }],
    ['a token endpoint that fails', 'oidc.failed', ana, { tokenStatus: 500 }],
    [
      'what is said of somebody else',
      'oidc.failed',
      { ...ana, email: undefined },
      { userinfo: { ...ana, sub: 'somebody else' } },
    ],
  ]
  test.each(cases)('%s: %s', async (_who, code, person, misbehave) => {
    const before = [await membersOf(), await sessionCount()]
    const { status, headers, session, cookie } = await signIn(person, misbehave)
    expect([status, headers.location]).toEqual([302, `http://127.0.0.1:4400/app/sign-in?error=${code}`])
    expect(cookie).not.toContain('docent_session')
    expect(session.user).toBeNull()
    expect([(await membersOf()).length, await sessionCount()]).toEqual([(before[0] as unknown[]).length, before[1]])
  })

  const sessionCount = async () => (await it.services.db.selectFrom('sessions').select('id').execute()).length

  test('an invitation that names nobody is not taken by whoever comes', async () => {
    await invite(undefined)
    const { headers } = await signIn(verified('nobody@example.com'))
    expect(headers.location).toMatch(/error=oidc\.no_member$/)
  })

  test('a member who was removed', async () => {
    await invite('gone@example.com')
    const { session, cookie } = await signIn(verified('gone@example.com'))
    expect((await it.call('DELETE', `/v1/members/${session.user.id}`)).status).toBe(204)
    expect((await it.call('GET', '/v1/projects', { key: null, headers: { cookie } })).status).toBe(401)
    expect((await signIn(verified('gone@example.com'))).headers.location).toMatch(/error=oidc\.no_member$/)
  })

  test('a browser that did not begin it: the code is of no use to it', async () => {
    provider.person = ana
    const start = await it.call('GET', '/v1/session/oidc', { key: null, remoteAddress: nextAddress() })
    const back = new URL(await provider.approve(String(start.headers.location)))
    const other = await it.call('GET', '/v1/session/oidc', { key: null, remoteAddress: nextAddress() })
    for (const cookie of ['', cookiesOf(other.headers), 'docent.oauth_state=made-up']) {
      const options = { key: null, headers: { cookie }, remoteAddress: nextAddress() }
      const end = await it.call('GET', back.pathname + back.search, options)
      expect(end.headers.location).toBe('http://127.0.0.1:4400/app/sign-in?error=oidc.expired')
    }
  })

  test('whatever stands in the address on the way back', async () => {
    for (const query of [
      '',
      '?code=x',
      '?state=x',
      '?state=x&state=y&code=z',
      '?error=%00&state=x',
      '?code=x&state=%ff',
    ]) {
      const end = await it.call('GET', `/v1/session/oidc/callback${query}`, { key: null, remoteAddress: nextAddress() })
      expect([query, end.status, String(end.headers.location)]).toEqual([
        query,
        302,
        expect.stringMatching(/^http:\/\/127\.0\.0\.1:4400\/app\/sign-in\?error=oidc\.(expired|failed)$/),
      ])
    }
  })
})

describe('a provider that is not as it should be', () => {
  const broken: [string, Record<string, unknown>][] = [
    ['oidc.misconfigured', { issuer: 'https://other.example' }],
    ['oidc.misconfigured', { token_endpoint: undefined }],
    ['oidc.misconfigured', { jwks_uri: 'nonsense' }],
  ]
  test.each(broken)('%s: %j; it is asked again at the next sign-in', async (code, discovery) => {
    const own = await startOidcProvider({ alg: 'ES256' })
    const settings = { oidcIssuer: own.issuer, oidcClientId: own.clientId, oidcClientSecret: own.clientSecret }
    const app = await createTestApp({ settings })
    try {
      expect(own.asked).toEqual([])
      own.misbehave = { discovery }
      const refused = await app.call('GET', '/v1/session/oidc', { key: null })
      expect(refused.headers.location).toBe(`http://127.0.0.1:4400/app/sign-in?error=${code}`)
      own.misbehave = {}
      const { headers } = await app.call('GET', '/v1/session/oidc', { key: null })
      expect(String(headers.location)).toMatch(new RegExp(`^${own.issuer}/authorize\\?`))
    } finally {
      await app.close()
      await own.close()
    }
  })

  test('none at all: the page says so', async () => {
    const app = await createTestApp()
    const { headers } = await app.call('GET', '/v1/session/oidc', { key: null })
    expect(headers.location).toBe('http://127.0.0.1:4400/app/sign-in?error=oidc.not_configured')
    await app.close()
  })
})

test('neither the secret nor a token or code of a provider is in the log', () => {
  const text = it.logged.join('')
  expect(text).toContain('accounts.oidc_refused')
  expect(text).not.toContain(provider.clientSecret)
  expect(text).not.toMatch(/eyJ[\w-]{20}|code=[0-9a-f]{32}/)
})
