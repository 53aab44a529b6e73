import { DocentError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import type { Config } from '#infra/config/settings.ts'
import type { MembersDeps } from '../members/members.ts'
import { type AuthDeps, headersOf, openBetterAuth } from '../sessions/auth.ts'
import { admit, type Claims, oidcProviderId as providerId } from './admit.ts'
import { discoverProvider, fetchJson, type Provider } from './discover.ts'

export const callbackPath = '/v1/session/oidc/callback'
const mostUserAgent = 300

export interface OidcDeps extends Pick<MembersDeps, 'db' | 'clock'>, AuthDeps {
  log: Log
  config: Pick<Config, 'baseUrl' | 'oidcIssuer' | 'oidcClientId' | 'oidcClientSecret'>
}

/** Where to send a browser, and with which cookies. */
export interface Sending {
  location: string
  setCookies: string[]
}

/** Signing in with a provider: authorization code with PKCE, state and nonce, as better-auth does it. */
export interface Oidc {
  /** To the provider's page. Throws `unavailable` when the provider does not answer. */
  start(): Promise<Sending>
  /** Back from it: to the dashboard with a session. Throws `forbidden` or `unavailable`, with what to do. */
  finish(input: {
    query: Record<string, string | undefined>
    cookie: string | undefined
    userAgent: string | undefined
  }): Promise<Sending>
}

/** better-auth's words for what went wrong, in ours. */
const reasons: Record<string, [code: string, message: string]> = {
  access_denied: ['oidc.denied', 'The provider did not let you in, or you went back. Try again.'],
  state_mismatch: ['oidc.expired', 'Signing in took too long, or was begun in another browser. Try again.'],
  state_not_found: ['oidc.expired', 'Signing in took too long, or was begun in another browser. Try again.'],
  state_invalid: ['oidc.expired', 'Signing in took too long, or was begun in another browser. Try again.'],
}
const otherReason = [
  'oidc.failed',
  'Signing in with the provider failed. Try again; the server’s log says more.',
] as const

export function createOidc(deps: OidcDeps): Oidc {
  const { config, log } = deps
  let opened: Promise<Opened> | undefined
  // Not at the start, and again after a failure: the provider may be away for a while.
  const open = () =>
    (opened ??= openProvider(deps).catch((error) => {
      opened = undefined
      throw error
    }))
  const dashboard = `${config.baseUrl.replace(/\/+$/, '')}/app/`

  return {
    async start() {
      const { api } = await open()
      const { response, headers } = await api.signInSocial({
        body: { provider: providerId, callbackURL: dashboard, disableRedirect: true },
        headers: headersOf({}),
        returnHeaders: true,
      })
      return { location: response.url!, setCookies: headers.getSetCookie() }
    },
    async finish({ query, cookie, userAgent }) {
      const { api } = await open()
      const answer = await api.callbackOAuth({
        method: 'GET',
        params: { id: providerId },
        query,
        headers: headersOf({ cookie, 'user-agent': userAgent?.slice(0, mostUserAgent) }),
        asResponse: true,
      })
      const location = answer.headers.get('location') ?? ''
      const setCookies = answer.headers.getSetCookie()
      if (location === dashboard) return { location, setCookies }
      const said = URL.canParse(location) ? (new URL(location).searchParams.get('error') ?? '') : ''
      log.info({ status: answer.status, reason: said.slice(0, 100) }, 'accounts.oidc_not_done')
      const [code, message] = Object.hasOwn(reasons, said) ? reasons[said]! : otherReason
      throw new DocentError('forbidden', code, message)
    },
  }
}

type Opened = Awaited<ReturnType<typeof openBetterAuth>>

async function openProvider(deps: OidcDeps): Promise<Opened> {
  const { config } = deps
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = config
  if (!issuer || !clientId) {
    throw new DocentError('not_found', 'oidc.not_configured', 'This server has no OpenID Connect provider.')
  }
  const provider = await discoverProvider(issuer)
  const { genericOAuth } = await import('better-auth/plugins/generic-oauth')
  const plugin = genericOAuth({
    config: [
      {
        providerId,
        discoveryUrl: provider.discoveryUrl,
        clientId,
        ...(clientSecret
          ? { clientSecret, authentication: provider.secretIn }
          : { tokenEndpointAuth: { method: 'none' as const } }),
        scopes: ['openid', 'email', 'profile'],
        pkce: true,
        requireIdTokenVerification: true,
        // Who may come in is decided by `admit`, which makes the user first.
        disableSignUp: true,
        redirectURI: `${config.baseUrl.replace(/\/+$/, '')}${callbackPath}`,
        async getUserInfo({ idToken, accessToken }) {
          const claims = await readClaims(provider, { idToken, accessToken })
          const { sub, email, name } = await admit(deps, claims)
          return { id: sub, sub, email, name, emailVerified: true }
        },
      },
    ],
  })
  const auth = await openBetterAuth(deps, [plugin])
  const { socialProviders } = await auth.$context
  if (socialProviders.length > 0) return auth
  const message = `The OpenID Connect provider at ${issuer} does not answer as it should.`
  throw new DocentError('unavailable', 'oidc.unreachable', message)
}

/** What the ID token says, which better-auth has verified by now; where it has no e-mail address, with what `userinfo` adds. */
async function readClaims(
  { userinfoUrl }: Provider,
  { idToken, accessToken }: { idToken?: string | undefined; accessToken?: string | undefined },
): Promise<Claims> {
  if (!idToken) throw new DocentError('forbidden', ...otherReason)
  const claims = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString('utf8')) as Claims
  if (claims.email !== undefined || userinfoUrl === null || !accessToken) return claims
  const more = (await fetchJson(userinfoUrl, { authorization: `Bearer ${accessToken}` })) as Claims
  // Or the answer for one token could be put in place of another's.
  if (more.sub !== claims.sub) throw new DocentError('forbidden', ...otherReason)
  return { ...more, ...claims }
}
