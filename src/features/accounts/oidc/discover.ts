import { z } from 'zod'
import { DocentError, messageOf } from '#base/errors.ts'

const answerTimeoutMs = 10_000

const Discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  // What OpenID Connect Discovery says it means to leave this out.
  token_endpoint_auth_methods_supported: z.array(z.string()).default(['client_secret_basic']),
})

export interface Provider {
  discoveryUrl: string
  userinfoUrl: string | null
  /** How it wants to be told the client's secret. */
  secretIn: 'basic' | 'post'
}

/** What a provider says of itself. Throws `unavailable`, with what to look at. */
export async function discoverProvider(issuer: string): Promise<Provider> {
  const base = issuer.replace(/\/+$/, '')
  const discoveryUrl = `${base}/.well-known/openid-configuration`
  const found = Discovery.safeParse(await fetchJson(discoveryUrl))
  if (!found.success) throw misconfigured(`${discoveryUrl} is not the document of an OpenID Connect provider`)
  const { issuer: named, userinfo_endpoint, token_endpoint_auth_methods_supported: methods } = found.data
  // Whoever issues for somebody else could sign people in as whom they like.
  if (named.replace(/\/+$/, '') !== base) throw misconfigured(`its document says that it is ${named}, not ${issuer}`)
  const secretIn = methods.includes('client_secret_basic') ? 'basic' : 'post'
  return { discoveryUrl, userinfoUrl: userinfo_endpoint ?? null, secretIn }
}

export async function fetchJson(url: string, headers: Record<string, string> = {}): Promise<unknown> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json', ...headers },
      redirect: 'error',
      signal: AbortSignal.timeout(answerTimeoutMs),
    })
    if (!response.ok) throw new Error(`it answered ${response.status}`)
    return await response.json()
  } catch (error) {
    const message = `The OpenID Connect provider at ${url} does not answer as it should: ${messageOf(error)}.`
    throw new DocentError('unavailable', 'oidc.unreachable', message, { cause: error })
  }
}

function misconfigured(found: string): DocentError {
  const message = `DOCENT_OIDC_ISSUER is not usable: ${found}.`
  return new DocentError('unavailable', 'oidc.misconfigured', message)
}
