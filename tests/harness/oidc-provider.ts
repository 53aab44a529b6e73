import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/** What the provider is asked to do otherwise than it should, for the next sign-in. */
export interface Misbehaviour {
  /** In the place of the claims that it would send. */
  claims?: Record<string, unknown>
  /** Signed with a key that it does not publish. */
  foreignKey?: boolean
  /** The token endpoint answers with this status. */
  tokenStatus?: number
  /** No ID token in the answer. */
  withoutIdToken?: boolean
  /** Back with this error instead of a code. */
  error?: string
  /** What `userinfo` answers. */
  userinfo?: Record<string, unknown>
  /** What its document says otherwise. */
  discovery?: Record<string, unknown>
}

export interface OidcProvider {
  issuer: string
  clientId: string
  clientSecret: string
  /** Who signs in there next. */
  person: Record<string, unknown>
  misbehave: Misbehaviour
  /** Requests by path, since the start. */
  asked: string[]
  /** What a browser does with the page of the provider, where the person says yes: the address it is sent back to. */
  approve(location: string): Promise<string>
  close(): Promise<void>
}

interface Grant {
  challenge: string
  nonce: string | null
  redirectUri: string
}

/** An OpenID Connect provider on this machine: discovery, authorization code with PKCE, signed ID tokens. */
export async function startOidcProvider({ alg = 'RS256' }: { alg?: 'RS256' | 'ES256' } = {}): Promise<OidcProvider> {
  const [own, foreign] = [await generateKeyPair(alg), await generateKeyPair(alg)]
  const grants = new Map<string, Grant>()
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(500).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const it: OidcProvider = {
    issuer,
    clientId: 'docent',
    clientSecret: 'a secret: between us & them',
    person: {},
    misbehave: {},
    asked: [],
    async approve(location) {
      const response = await fetch(location, { redirect: 'manual' })
      return response.headers.get('location') ?? `${response.status} ${await response.text()}`
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer)
    it.asked.push(pathname)
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    switch (pathname) {
      case '/.well-known/openid-configuration':
        return void send(200, {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          userinfo_endpoint: `${issuer}/userinfo`,
          jwks_uri: `${issuer}/keys`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: [alg],
          code_challenge_methods_supported: ['S256'],
          ...it.misbehave.discovery,
        })
      case '/keys':
        return void send(200, { keys: [{ ...(await exportJWK(own.publicKey)), kid: 'one', alg, use: 'sig' }] })
      case '/authorize':
        return authorize(searchParams, response)
      case '/token':
        return void send(...(await exchange(request)))
      case '/userinfo':
        return void send(200, it.misbehave.userinfo ?? it.person)
      default:
        return void send(404, {})
    }
  }

  function authorize(query: URLSearchParams, response: ServerResponse): void {
    const [redirectUri, challenge] = [query.get('redirect_uri'), query.get('code_challenge')]
    const isWhole =
      query.get('client_id') === it.clientId &&
      query.get('response_type') === 'code' &&
      query.get('code_challenge_method') === 'S256' &&
      query.get('scope')?.split(' ').includes('openid')
    if (!isWhole || !redirectUri || !challenge) return void response.writeHead(400).end('not what it takes')
    const code = randomBytes(16).toString('hex')
    grants.set(code, { challenge, nonce: query.get('nonce'), redirectUri })
    const back = new URL(redirectUri)
    back.searchParams.set('state', query.get('state') ?? '')
    if (it.misbehave.error) back.searchParams.set('error', it.misbehave.error)
    else back.searchParams.set('code', code)
    response.writeHead(302, { location: back.href }).end()
  }

  async function exchange(request: IncomingMessage): Promise<[number, unknown]> {
    const form = new URLSearchParams(await text(request))
    const basic = Buffer.from(`${encodeURIComponent(it.clientId)}:${encodeURIComponent(it.clientSecret)}`)
    const grant = grants.get(form.get('code') ?? '')
    grants.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (it.misbehave.tokenStatus) return [it.misbehave.tokenStatus, { error: 'server_error' }]
    if (formDecoded(request.headers.authorization) !== formDecoded(`Basic ${basic.toString('base64')}`)) {
      return [401, { error: 'invalid_client' }]
    }
    const isGood = grant?.challenge === challenge && grant.redirectUri === form.get('redirect_uri')
    if (!grant || !isGood) return [400, { error: 'invalid_grant' }]
    const tokens = { access_token: randomBytes(16).toString('hex'), token_type: 'Bearer', expires_in: 300 }
    return [200, it.misbehave.withoutIdToken ? tokens : { ...tokens, id_token: await idToken(grant) }]
  }

  async function idToken({ nonce }: Grant): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      iss: issuer,
      aud: it.clientId,
      iat: now,
      exp: now + 300,
      nonce,
      ...it.person,
      ...it.misbehave.claims,
    }
    const { privateKey } = it.misbehave.foreignKey ? foreign : own
    return await new SignJWT(claims).setProtectedHeader({ alg, kid: 'one' }).sign(privateKey)
  }

  return it
}

/** Name and secret stand form-encoded in HTTP Basic, where a space may be `+` or `%20`. */
function formDecoded(authorization = ''): string {
  const pair = Buffer.from(authorization.slice('Basic '.length), 'base64').toString('utf8')
  return pair
    .split(':')
    .map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
    .join(' : ')
}
